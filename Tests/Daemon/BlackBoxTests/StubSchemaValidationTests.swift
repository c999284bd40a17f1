import Foundation
import SDJSON
import SDJSONSchema
import SDStubFiles
import SDTestSupport
import Testing

/// What the daemon reads is valid by the schema of stub files, and what it refuses is not, as far as a schema can know.
@Suite struct StubSchemaValidationTests {
    private static let schema = Result { try JSONSchema(StubSchema.json) }

    @Test func theSchemaItselfIsOne() throws {
        let schema = try Self.schema.get()
        #expect(schema.problems.isEmpty)
        #expect(schema.draft == .v202012)
    }

    @Test func thePageInTheDocsIsUpToDate() throws {
        let written = try Self.text(of: "docs/schema/stubs.schema.json")
        let isUpToDate = written == StubSchema.text
        #expect(isUpToDate, "docs/schema is not up to date: run `.build/debug/stuntdouble generate-docs docs`")
    }

    @Test(arguments: try PackageFiles.stubFiles(below: "mocks")) func theMocksAreValid(_ path: String) throws {
        let text = try Self.text(of: path)
        let errors = try Self.schema.get().errors(in: parsed(text, isJSON: path.hasSuffix(".json")))
        #expect(errors.isEmpty)
    }

    /// Documents of OpenAPI have a schema of their own.
    @Test(
        arguments: Fence.of("yaml routes", "json routes", "yaml stubs", "json stubs", "json mapping")
            .filter { !$0.text.hasPrefix("openapi: 3") })
    func theExamplesOfThePagesAreValid(_ fence: Fence) throws {
        let errors = try Self.schema.get().errors(in: parsed(fence.text, isJSON: fence.info.hasPrefix("json")))
        #expect(errors.isEmpty)
    }

    /// Mistakes that no schema knows, with the reason.
    private static let beyond = [
        "POST /a: { when: { body: { contian: x } } }": "an object without an operator is the JSON of a body",
        "ANY /users/{id}: { when: { path: { idd: \"1\" } } }": "the variables stand in the key",
    ]

    @Test(arguments: Fence.of("yaml routes-error", "yaml stubs-error"))
    func theMistakesOfThePagesAreNotValid(_ fence: Fence) throws {
        // A text that is no YAML is valid by no schema.
        guard let json = try? JSONValue(parsingYAML: fence.text.utf8) else { return }
        let isValid = try Self.schema.get().validate(json)
        #expect(isValid == Self.beyond.keys.contains { fence.text.hasPrefix($0) })
    }

    /// WireMock's own documents: the stubs, requests and responses of the recordings that our reader takes. Here some of
    /// each recording; `STUNTDOUBLE_SCHEMA_CASES` sets their number.
    @Test(arguments: try PackageFiles.recordings()) func whatWireMockTakesIsValid(_ path: String) throws {
        let most = ProcessInfo.processInfo.environment["STUNTDOUBLE_SCHEMA_CASES"].flatMap { Int($0) } ?? 25
        var candidates: Set<String> = []
        Self.collect(try JSONValue(parsing: Data(contentsOf: PackageFiles.url(path))), as: "", in: &candidates)
        var count = 0
        for text in candidates.sorted() where count < most {
            let file = StubFile.read(text.utf8, format: .json, path: path)
            guard !file.stubs.isEmpty else { continue }
            count += 1
            let errors = try Self.schema.get().errors(in: JSONValue(parsing: text.utf8))
            #expect(errors.isEmpty, "\(text)")
        }
    }

    /// Collects the stub mappings of a document, and its requests and responses as mappings.
    private static func collect(_ value: JSONValue, as name: String, in candidates: inout Set<String>) {
        if let object = value.objectValue {
            switch name {
            case "request", "pattern": candidates.insert(JSONValue.object(["request": value]).compactText)
            case "response": candidates.insert(JSONValue.object(["response": value]).compactText)
            default:
                if object["request"] != nil || object["mappings"] != nil { candidates.insert(value.compactText) }
            }
        }
        for member in value.objectValue?.members ?? [] { collect(member.value, as: member.key, in: &candidates) }
        for element in value.arrayValue ?? [] { collect(element, as: name, in: &candidates) }
    }

    private static func text(of path: String) throws -> String {
        try String(contentsOf: PackageFiles.url(path), encoding: .utf8)
    }

    private func parsed(_ text: String, isJSON: Bool) throws -> JSONValue {
        isJSON ? try JSONValue(parsing: text.utf8, dialect: .lenient) : try JSONValue(parsingYAML: text.utf8)
    }
}

extension PackageFiles {
    /// The paths of the stub files of a folder of the package, from its root.
    fileprivate static func stubFiles(below folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: root + "/" + folder).sorted()
            .filter { StubFile.Format(path: $0) != nil && !$0.contains("__files") }.map { "\(folder)/\($0)" }
    }

    /// The paths of the recordings of WireMock.
    fileprivate static func recordings() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root + "/Tests/Oracle").sorted()
            .filter { $0.hasSuffix(".json") }.map { "Tests/Oracle/\($0)" }
    }
}
