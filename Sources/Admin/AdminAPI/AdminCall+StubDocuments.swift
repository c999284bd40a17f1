import SDChannels
import SDHTTPTransport
import SDJSON
import SDLinting
import SDMatching
import SDMockEngine
import SDPlatform
import SDStubFiles
import SDStubModel

/// The stubs in a call's body.
struct SentStubs: Sendable {
    /// In document order; the first is tried first.
    var stubs: [StubMapping]
    var warnings: CallWarnings

    /// The single stub.
    /// - Throws: 422 if there are several.
    func single() throws(AdminError) -> (stub: StubMapping, warnings: CallWarnings) {
        guard stubs.count == 1 else {
            let title = "The body has \(stubs.count) stubs; one takes the place of one"
            throw AdminError(422, ErrorDocument(code: 10, title: title))
        }
        return (stubs[0], warnings)
    }
}

extension AdminCall {
    /// Whether the `Content-Type` says YAML.
    var isYAML: Bool {
        guard let type = request.header(Self.typeName) else { return false }
        let text = String(decoding: type.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
        return Self.yamlTypes.contains(text.trimmingBlanks.lowercased())
    }

    private static let typeName = Array("content-type".utf8)
    private static let yamlTypes: Set<String> = ["application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml"]

    /// Reads the body as a JSON mapping, or as a stub file: in YAML, or as routes in JSON, which a mapping cannot be.
    /// - Throws: 422 with all problems; in a stub file with line and column.
    func readStubs() throws(AdminError) -> SentStubs {
        if isYAML { return try readStubFile(.yaml) }
        let json = try json(
            "a stub mapping as JSON, such as {\"request\": {\"urlPath\": \"/users\"}, \"response\": {\"status\": 200}}")
        if Self.hasRoutes(json) { return try readStubFile(.json) }
        var (stub, warnings) = try readWithWarnings(json, StubMapping.read)
        warnings.add(session.warnings(about: stub))
        return SentStubs(stubs: [stub], warnings: warnings)
    }

    /// The body's format if it is a stub file; nil for a JSON mapping, and for text that is not JSON.
    func formatOfStubs(_ text: [UInt8]) -> StubFile.Format? {
        if isYAML { return .yaml }
        guard let json = try? JSONValue(parsing: text, dialect: .lenient) else { return nil }
        return Self.hasRoutes(json) ? .json : nil
    }

    /// The body's format if it is an OpenAPI document, whatever its type says; nil otherwise.
    func formatOfContract() throws(AdminError) -> StubFile.Format? { StubFile.formatOfContract(try text()) }

    private static func hasRoutes(_ json: JSONValue) -> Bool {
        guard let object = json.objectValue, StubFile.isOfRoutes(json) else { return false }
        return object.members.contains { $0.key.utf8.contains(UInt8(ascii: "/")) }
            && !object.members.contains { StubMapping.names.contains($0.key) }
    }

    /// Reads the body as a stub file. Stubs without an id get a new one.
    func readStubFile(_ format: StubFile.Format) throws(AdminError) -> SentStubs {
        let (file, found) = try stubFile(format, named: "body", idSeed: StubMapping().idText)
        var warnings = CallWarnings()
        warnings.add(
            found.map {
                ModelProblem(
                    pointer: $0.pointer, message: $0.message, expected: $0.expected, found: $0.found,
                    suggestion: $0.suggestion)
            })
        return SentStubs(stubs: file.stubs.reversed(), warnings: warnings)
    }

    /// Reads the body as a stub file, with warnings.
    /// - Parameters:
    ///   - idSeed: replaces the file name in generating ids for stubs without one.
    ///   - isWhole: whether it may contain more than stubs.
    /// - Throws: 422 with locations, also for disallowed content besides stubs; 415 if it is not a stub file.
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
        if !isWhole, !file.messageStubs.isEmpty {
            let title = "\(name) has a WebSocket, which only a file may have: send it to /mappings/import/NAME"
            throw AdminError(422, ErrorDocument(code: 10, title: title))
        }
        if !isWhole, let refused = chaos ?? file.cors.map({ _ in "`cors` for a whole folder" }) {
            let title = "\(name) has \(refused), which only a file may have: send it to /mappings/import/NAME"
            throw AdminError(
                422, ErrorDocument(code: 10, pointer: chaos == nil ? "/cors" : "/chaos", title: title))
        }
        return (file, warnings(about: file))
    }

    /// Reads the body like a file of the served folder: not a stub file means no stubs. With `--keep-going`, a file
    /// with errors yields its valid stubs, and the errors are among the warnings.
    /// - Throws: 422 with locations.
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

    /// The compiled message stubs of a file.
    /// - Throws: 422 with locations.
    func messageStubs(
        of file: ParsedStubFile, named name: String
    ) throws(AdminError) -> [CompiledMessageStub] {
        var stubs: [CompiledMessageStub] = []
        var problems: [ModelProblem] = []
        for (index, (stub, line)) in zip(file.messageStubs, file.messageLines).enumerated() {
            let prepared = session.prepared(stub, of: name, line: line)
            if let stub = prepared.stub { stubs.append(stub) }
            problems += file.problems(prepared.problems, inMessageStubAt: index)
        }
        guard problems.isEmpty else { throw AdminError(422, ErrorDocument(file.diagnostics(ofDocument: problems))) }
        return stubs
    }

    /// The warnings about a file.
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

    /// Problems of the fault sets that reading did not find.
    fileprivate var problemsOfSets: [FileDiagnostic] { diagnostics(ofDocument: Session.problems(ofSets: faultSets)) }
}
