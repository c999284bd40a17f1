import SDJSON
import SDStubFiles
import Testing

/// YAML that generators write, in OpenAPI documents.
struct ForeignYAMLTests {
    @Test(arguments: [
        ("a: 1\na: 2", "{\"a\":2}"), ("a: .inf", "{\"a\":\".inf\"}"), ("a: &x [*x]", "{\"a\":[null]}"),
        ("a: *x", "{\"a\":null}"), ("a: !mine 1", "{\"a\":\"1\"}"),
    ])
    func whatIsNearlyYAMLIsRead(text: String, expected: String) throws {
        var (outline, warnings) = (DocumentOutline(), [YAMLError]())
        let value = try JSONValue(parsingForeignYAML: Array(text.utf8), outline: &outline, warnings: &warnings)
        #expect(value.compactText == expected)
        #expect(warnings.count == 1)
    }

    @Test func anOpenAPIDocumentWithAKeyTwiceIsServed() throws {
        let text = "openapi: 3.0.0\npaths: {/a: {get: {responses: {200: {}}}}}\ninfo: {}\ninfo: {title: T}\n"
        let file = StubFile.read(Array(text.utf8), format: .yaml, path: "api.yaml")
        #expect(file.stubs.count == 1)
        #expect(file.diagnostics.map(\.line) == [4])
        #expect(file.diagnostics.map(\.severity) == [.warning])
    }
}
