import SDJSON
import SDShorthand
import SDStubFiles
import SDStubModel
import Testing

/// Stub files, even invalid ones, are told from other files.
@Suite struct SkippedFileTests {
    @Test(arguments: [
        ("", StubFile.Format.json), ("  \n", .json), ("// later\n/* GET /a */", .json), ("\u{FEFF}\n", .json),
        ("null", .json),
        ("", .yaml), ("# nothing yet\n", .yaml), ("---\n", .yaml), ("[1, 2]", .json),
        (#"[{"id": 1, "email": "a"}]"#, .json),
        (#"{"name": "shop", "version": "1.0.0", "repository": {}, "resources": [], "files": []}"#, .json),
        (#"{"openapi": "3.0.0", "info": {}, "paths": {"/a": {}}}"#, .json),
        ("kind: Pod\nmetadata: { name: x }\n", .yaml),
        ("kind: Pod\n---\nkind: Service\nmetadata: { name: x }\n---\n", .yaml), ("---\n---\n", .yaml),
        ("a: &x 1\n---\nb: &x 2\nc: *x\n", .yaml),
        ("description of things: {}\n", .yaml), ("x-common: {}\nservices: {}\n", .yaml),
    ])
    func anotherFileIsSkipped(_ text: String, _ format: StubFile.Format) {
        let file = StubFile.read(text.utf8, format: format, path: "a")
        #expect(file.reasonToSkip != nil)
        #expect(file.stubs.isEmpty)
        #expect(file.diagnostics.isEmpty)
    }

    @Test(arguments: [
        ("{}", StubFile.Format.json), ("[]", .json), (#"{"name": "all", "priority": 9}"#, .json),
        (#"{"mappings": []}"#, .json),
        (#"[{"id": 1, "email": "a"}, {"request": {}}]"#, .json), ("GET /a: {}\n", .yaml), ("GET a: {}\n", .yaml),
        ("gte /a: {}\n", .yaml), ("Post users: {}\n", .yaml), ("GET:\n  url: /a\n", .yaml), ("GET /a\n", .yaml),
        ("reponse: {}\nbody: x\n", .yaml), ("Requests: {}\nbody: x\n", .yaml),
        (#"{"urlPath": "/a", "body": ""}"#, .json),
        ("true", .json), ("{", .json), ("kind: Pod\n---\nGET /a: {}\n", .yaml), ("GET /a: {}\n---\nb: 1\n", .yaml),
        ("kind: Pod\n---\na: [\n", .yaml), ("a: 1\n---\nb: *x\n", .yaml),
    ])
    func anythingThatResemblesAStubFileIsOne(_ text: String, _ format: StubFile.Format) {
        #expect(StubFile.read(text.utf8, format: format, path: "a").reasonToSkip == nil)
    }

    @Test func goodStubsOfABadFileAreAvailable() {
        let text =
            "GET /a: {}\nGET /b: { staus: 1 }\nGET /c:\n  - { when: { query: { q: x } } }\n  - { bdy: x }\nget /d: {}\n"
        let file = StubFile.read(text.utf8, format: .yaml, path: "a", keepsGood: true)
        #expect(file.stubs.map(\.request.url) == [.urlPath("/c"), .urlPath("/a")])
        #expect(file.origins.map(\.place.text) == ["/GET ~1c/0", "/GET ~1a"])
        #expect(file.lines == [4, 1])
        #expect(file.diagnostics.filter { $0.severity == .error }.count == 3)
        #expect(StubFile.read(text.utf8, format: .yaml, path: "a").stubs.isEmpty)
    }
}
