import SDHTTPTransport
import SDJSON
import SDLinting
import SDMatching
import SDMockEngine
import SDPlatform
import SDStubFiles
import SDStubModel

/// Stubs that came in a call.
struct SentStubs: Sendable {
    /// In the order of the document: the first is tried first.
    var stubs: [StubMapping]
    var advice: Advice

    /// The only stub.
    /// - Throws: 422 if there are several.
    func single() throws(AdminError) -> (stub: StubMapping, advice: Advice) {
        guard stubs.count == 1 else {
            let title = "The body has \(stubs.count) stubs; one takes the place of one"
            throw AdminError(422, ErrorDocument(code: 10, title: title))
        }
        return (stubs[0], advice)
    }
}

extension AdminCall {
    /// Whether the body is YAML by its `Content-Type`.
    var isYAML: Bool {
        guard let type = request.header(Self.typeName) else { return false }
        let text = String(decoding: type.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
        return Self.yamlTypes.contains(text.trimmingBlanks.lowercased())
    }

    private static let typeName = Array("content-type".utf8)
    private static let yamlTypes: Set<String> = ["application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml"]

    /// Reads the body as a mapping in JSON, or as the document of a stub file: in YAML, or of routes in JSON, which no
    /// mapping can be.
    /// - Throws: 422 with all problems, those of such a document with line and column.
    func readStubs() throws(AdminError) -> SentStubs {
        if isYAML { return try readStubFile(.yaml) }
        let json = try json(
            "a stub mapping as JSON, such as {\"request\": {\"urlPath\": \"/users\"}, \"response\": {\"status\": 200}}")
        if Self.hasRoutes(json) { return try readStubFile(.json) }
        var (stub, advice) = try readAdvised(json, StubMapping.read)
        advice.add(session.warnings(about: stub))
        return SentStubs(stubs: [stub], advice: advice)
    }

    /// The format of a stub file that the body is; nil for a mapping in JSON, and for what is no JSON.
    func formatOfStubs(_ text: [UInt8]) -> StubFile.Format? {
        if isYAML { return .yaml }
        guard let json = try? JSONValue(parsing: text, dialect: .lenient) else { return nil }
        return Self.hasRoutes(json) ? .json : nil
    }

    /// The format of an OpenAPI document that the body is, whatever its type says; nil for any other body.
    func formatOfContract() throws(AdminError) -> StubFile.Format? { StubFile.formatOfContract(try text()) }

    private static func hasRoutes(_ json: JSONValue) -> Bool {
        guard let object = json.objectValue, StubFile.isOfRoutes(json) else { return false }
        return object.members.contains { $0.key.utf8.contains(UInt8(ascii: "/")) }
            && !object.members.contains { StubMapping.names.contains($0.key) }
    }

    /// Reads the body as the document of a stub file. Stubs without an id get a new one.
    func readStubFile(_ format: StubFile.Format) throws(AdminError) -> SentStubs {
        let (file, warnings) = try stubFile(format, named: "body", idSeed: StubMapping().idText)
        var advice = Advice()
        advice.add(
            warnings.map {
                ModelProblem(
                    pointer: $0.pointer, message: $0.message, expected: $0.expected, found: $0.found,
                    suggestion: $0.suggestion)
            })
        return SentStubs(stubs: file.stubs.reversed(), advice: advice)
    }

    /// Reads the body as a stub file, with what is doubtful in it.
    /// - Parameters:
    ///   - idSeed: in place of the name, for the ids of stubs without one.
    ///   - isWhole: whether it may have more than stubs.
    /// - Throws: 422 with the places in it, and for more than stubs in what is none; 415 for no stub file.
    func stubFile(
        _ format: StubFile.Format, named name: String, idSeed: String? = nil, isWhole: Bool = false
    ) throws(AdminError) -> (file: ParsedStubFile, warnings: [FileDiagnostic]) {
        let file = StubFile.read(try text(), format: format, path: name, idSeed: idSeed)
        if let reason = file.reasonToSkip {
            throw AdminError(415, ErrorDocument(code: 10, title: "\(name) is no stub file", detail: reason))
        }
        let errors = file.errors + file.problemsOfSets
        guard errors.isEmpty else { throw AdminError(422, ErrorDocument(errors)) }
        let chaos = file.faultSets.first.map { "the set of faults \($0.name)" }
        if !isWhole, let refused = chaos ?? file.cors.map({ _ in "`cors` for a whole folder" }) {
            let title = "\(name) has \(refused), which only a file may have: send it to /mappings/import/NAME"
            throw AdminError(
                422, ErrorDocument(code: 10, pointer: chaos == nil ? "/cors" : "/chaos", title: title))
        }
        return (file, warnings(about: file))
    }

    /// Reads the body as a file of a folder, as the daemon reads those of its own: without stubs if it is no stub file, and
    /// with its valid stubs if it has errors and the daemon keeps going, which are among the warnings then.
    /// - Throws: 422 with the places in it.
    func folderFile(
        _ format: StubFile.Format, named name: String
    ) throws(AdminError) -> (file: ParsedStubFile, warnings: [FileDiagnostic]) {
        var file = StubFile.read(try text(), format: format, path: name, keepsGood: options.keepsGoing)
        if file.reasonToSkip != nil { return (file, file.diagnostics) }
        var errors = file.errors + file.problemsOfSets
        guard options.keepsGoing else {
            guard errors.isEmpty else { throw AdminError(422, ErrorDocument(errors)) }
            return (file, warnings(about: file))
        }
        if !file.problemsOfSets.isEmpty { file.leaveOutSets() }
        let unserved = file.stubs.enumerated().map { index, stub in
            Session.problems(of: stub).map {
                (stub: index, problem: ModelProblem(pointer: $0.pointer, isAboutName: true, message: $0.message))
            }
        }
        errors += file.diagnostics(for: unserved.flatMap { $0 }, severity: .error)
        let warnings = warnings(about: file).filter { $0.severity == .warning }
        file.keepStubs { unserved[$0].isEmpty }
        return (file, errors + warnings)
    }

    /// What is doubtful in a file.
    private func warnings(about file: ParsedStubFile) -> [FileDiagnostic] {
        let found = file.stubs.enumerated().flatMap { index, stub in
            session.warnings(about: stub).map { (stub: index, problem: $0) }
        }
        let said = Set(file.diagnostics.map(\.pointer))
        return file.diagnostics
            + file.diagnostics(for: found, severity: .warning).filter { !said.contains($0.pointer) }
    }
}

extension ParsedStubFile {
    fileprivate var errors: [FileDiagnostic] { diagnostics.filter { $0.severity == .error } }

    /// The problems of its sets of faults that reading did not find.
    fileprivate var problemsOfSets: [FileDiagnostic] { diagnostics(ofDocument: Session.problems(ofSets: faultSets)) }
}
