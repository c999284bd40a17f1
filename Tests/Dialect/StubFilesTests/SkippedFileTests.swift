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
        ("settings: { name: shop, port: 80 }\nother: { file: a.log }\n", .yaml),
        (#"{"compilerOptions": {}, "files": [], "references": [{"path": "./a"}]}"#, .json),
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

    /// What its author expects answers from is told, with what would be right.
    @Test(arguments: [
        ("users: { json: 1 }\n", "1:1", "users: no route", #"did you mean "GET /users"?"#),
        ("users: { json: [] }\norders: { status: 201 }\n", "1:1", "users: no route", "a method and a path"),
        (#"{"info": {"_postman_id": "1"}, "item": []}"#, "1:2", "info: a Postman collection", "routes such as"),
        (#"{"imposters": []}"#, "1:2", "imposters: imposters of mountebank", "routes such as"),
        (#"{"log": {"entries": []}}"#, "1:2", "log: a HAR file", "`stuntdouble import har`"),
        (
            #"{"endpointPrefix": "v1", "routes": [{"method": "get", "endpoint": "users/:id", "responses": []}]}"#,
            "1:26",
            "routes: an environment of Mockoon", #""GET /v1/users/{id}: {status: 200}""#
        ),
        ("routes:\n- GET /a: {}\n", "1:1", "routes: no part of a stub file", #"a list under "mappings""#),
        (
            "routes:\n- { path: /a, method: GET }\n", "1:1", "routes: no part of a stub file",
            #"a list under "mappings""#
        ),
        ("x-y: 1\napi:\n  GET /a: {}\n", "2:1", "api: no part of a stub file", "the routes themselves"),
        (#"{"things": [{"request": {}, "response": {}}]}"#, "1:2", "things: no part", #"under "mappings""#),
        (
            #"{"profile": {}, "posts": [{"id": 1}], "tags": []}"#, "1:17", "posts: records like those of json-server",
            #""CRUD /posts: db.json""#
        ),
    ])
    func aMistakenFileIsTold(_ text: String, _ place: String, _ message: String, _ right: String) {
        let file = StubFile.read(text.utf8, format: text.hasPrefix("{") ? .json : .yaml, path: "a")
        #expect(file.reasonToSkip != nil)
        #expect(file.stubs.isEmpty)
        #expect(file.diagnostics.count == 1)
        let description = file.diagnostics.first?.description ?? ""
        #expect(description.hasPrefix("a:\(place): warning: \(message)"), "\(description)")
        #expect(description.contains(right), "\(description)")
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
