import SDJSON
import SDStubFiles
import Testing

/// The line on which each stub of a file begins, which the log names.
@Suite struct StubLineTests {
    @Test(arguments: [
        (StubFile.Format.json, "\n\n{\"request\": {\"url\": \"/a\"}}", [3]),
        (
            .json,
            "{\"mappings\": [\n  {\"request\": {\"url\": \"/a\"}},\r\n\r\n  {\"request\":\n {\"url\": \"/b\"}}\n]}",
            [2, 4]
        ),
        (.json, "[{\"request\": {}},\n// two\n{\"request\": {}}]", [1, 3]),
        (.json, "[{\"request\": {}},\r{\"request\": {}}]", [1, 2]),
        // Routes are inserted from the last to the first.
        (.json, "{\n\"GET /a\":\n {},\n\"GET /b\": [\n{\"when\": {\"query\": {\"a\": \"1\"}}},\n{}]}", [6, 5, 2]),
        (.json, "{\"request\": {}, \"response\": {},\n\"response\": {}}", [1]),
        (.yaml, "# one\nGET /a: {}\n\nGET /b:\n  status: 200\n", [4, 2]),
        (.yaml, "- request: { url: /a }\n\n- request:\n    url: /b\n", [1, 3]),
        (.yaml, "mappings:\n  - request: { url: /a }\n  - request:\n      url: /b\n", [2, 3]),
        (.yaml, "GET /a:\n  - when: { query: { a: b } }\n  - {}\n", [3, 2]),
        (.yaml, "GET /a: &a\n  status: 201\nGET /b: *a\nGET /c:\n  <<: *a\n  body: x\n", [4, 3, 1]),
    ])
    func aStubBeginsWhereItsTextDoes(_ format: StubFile.Format, _ text: String, _ lines: [Int]) {
        let file = StubFile.read(text.utf8, format: format, path: "a." + format.rawValue)
        #expect(file.diagnostics.allSatisfy { $0.severity == .warning })
        #expect(file.lines == lines)
    }
}
