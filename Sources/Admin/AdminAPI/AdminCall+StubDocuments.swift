import SDHTTPTransport
import SDJSON
import SDLinting
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

    private static func hasRoutes(_ json: JSONValue) -> Bool {
        guard let object = json.objectValue, StubFile.isOfRoutes(json) else { return false }
        return object.members.contains { $0.key.utf8.contains(UInt8(ascii: "/")) }
            && !object.members.contains { StubMapping.fieldNames.contains($0.key) }
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
    /// - Parameter idSeed: in place of the name, for the ids of stubs without one.
    /// - Throws: 422 with the places in it, and for what only a file in the folder may have; 415 for no stub file.
    func stubFile(
        _ format: StubFile.Format, named name: String, idSeed: String? = nil
    ) throws(AdminError) -> (file: ParsedStubFile, warnings: [FileDiagnostic]) {
        let file = StubFile.read(try text(), format: format, path: name, idSeed: idSeed)
        if let reason = file.reasonToSkip {
            throw AdminError(415, ErrorDocument(code: 10, title: "\(name) is no stub file", detail: reason))
        }
        let errors = file.diagnostics.filter { $0.severity == .error }
        guard errors.isEmpty else { throw AdminError(422, ErrorDocument(errors)) }
        let chaos = file.faultSets.first.map { "the set of faults \($0.name)" }
        if let refused = chaos ?? file.cors.map({ _ in "`cors` for a whole folder" }) {
            let title = "\(name) has \(refused), which only a file in the folder may have"
            throw AdminError(
                422, ErrorDocument(code: 10, pointer: chaos == nil ? "/cors" : "/chaos", title: title))
        }
        let found = file.stubs.enumerated().flatMap { index, stub in
            session.warnings(about: stub).map { (stub: index, problem: $0) }
        }
        let said = Set(file.diagnostics.map(\.pointer))
        let warnings =
            file.diagnostics
            + file.diagnostics(for: found, severity: .warning).filter { !said.contains($0.pointer) }
        return (file, warnings)
    }
}
