import SDTestSupport
import Testing

/// What `stuntdouble validate` says of OpenAPI documents, and of routes beside them.
@Suite struct OpenAPIFindingsTests {
    private static let document = """
        openapi: 3.0.3
        info: {title: T, version: "1"}
        paths:
          /a:
            get:
              operationId: listA
              responses:
                "200":
                  description: y
                  content:
                    application/json:
                      schema: {$ref: "#/components/schemas/P"}
                      examples:
                        cat: {value: {id: 1}}
                        dog:
                          value:
                            id: x
        components:
          schemas:
            P: {type: object, required: [id], properties: {id: {type: integer}, s: {type: string, pattern: "[z-a]"}}}
        """

    private func validate(_ files: [String: String], _ options: String...) throws -> EndedCommand {
        let (folder, scratch) = (try TemporaryFolder(), try TemporaryFolder())
        for (name, text) in files { try folder.write(name, text) }
        return try EndedCommand(["validate", folder.path] + options, outputsIn: scratch)
    }

    @Test func examplesAndPatternsAreHeldAgainstWhatTheyAreFor() throws {
        let ended = try validate(["a.yaml": Self.document])
        #expect(ended.status == 0)
        #expect(ended.output.contains("a.yaml:17:25: warning: "), "\(ended.output)")
        #expect(ended.output.contains("the schema does not allow this example"))
        #expect(ended.output.contains("the pattern cannot be read"))
        #expect(ended.output.hasSuffix("2 warnings\n"))
    }

    @Test func routesAndOtherDocumentsStandOverOperations() throws {
        let plain = Self.document.replacing("id: x", with: "id: 2").replacing("[z-a]", with: "[a-z]")
        let ended = try validate(["a.yaml": plain, "b.yaml": plain, "r.yaml": "GET /a: {json: {id: 1}}"], "--strict")
        #expect(ended.status == 0, "\(ended.output)")
    }

    @Test(arguments: [
        ("listB", "did you mean \"listA\"?"),
        ("{operation: listA, document: a.yml}", "did you mean \"a.yaml\"?"),
        ("{operation: listA, code: 418}", "GET /a declares no status 418; expected 200"),
        ("{operation: listA, example: cow}", "has no example cow; expected cat, dog"),
    ]) func answersThatAreNotThereAreTold(answer: String, text: String) throws {
        let ended = try validate(["a.yaml": Self.document, "r.yaml": "GET /r: {openapi: \(answer)}"])
        #expect(ended.output.contains("r.yaml:1:"), "\(ended.output)")
        #expect(ended.output.contains(text), "\(ended.output)")
    }

    @Test(arguments: [
        ("paths:\n  /a: {get: {responses: {\"200\": {description: x}}}}\n", "without its version"),
        (Self.document + "\n---\na: 1\n", "a second document in the same file"),
        ("openapi: 3.0.0\n", "without paths"),
    ]) func whatIsNearlyADocumentIsToldSo(file: String, text: String) throws {
        let ended = try validate(["a.yaml": file])
        #expect(ended.status == 1)
        #expect(ended.output.contains(text), "\(ended.output)")
    }

    @Test func aDocumentWithoutOperationsIsOne() throws {
        let ended = try validate([
            "a.yaml": "openapi: 3.1.0\ninfo: {title: x, version: \"1\"}\nwebhooks: {n: {post: {responses: {}}}}\n"
        ])
        #expect(!ended.output.contains("nothing to check"), "\(ended.output)")
    }
}
