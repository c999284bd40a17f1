import SDJSON
import SDMockEngine
import SDTestSupport
import Testing

/// Stubs in YAML and as routes, sent to the calls that WireMock has for mappings in JSON.
@Suite struct SentStubsTests {
    private let mock: TestMock

    init() throws { mock = try TestMock(files: ["a.txt": "of a file", "users.json": #"[{"id": 1, "name": "Ada"}]"#]) }

    private func send(
        _ body: String, as type: String = "application/yaml", method: String = "POST", _ path: String = "/mappings"
    ) throws -> Exchange {
        try Exchange(mock.port, method, "/__admin" + path, headers: [("Content-Type", type)], body: body)
    }

    private func get(_ path: String) throws -> String { try Exchange(mock.port, "GET", path).text }

    /// A form, which clients send who forget the type, and other texts.
    @Test(arguments: [
        ("url=/users&status=200", "; the body is a form (application/x-www-form-urlencoded)"),
        ("name=%22a%22", "; the body is a form (application/x-www-form-urlencoded)"), ("<stub/>", "}}"),
        ("a stub = a", "}}"), ("GET /a", "}}"),
    ])
    func whatIsNoJSONIsToldWhatIsExpected(body: String, end: String) throws {
        let answer = try send(body, as: "application/x-www-form-urlencoded")
        let detail = answer.json?["errors"]?.arrayValue?.first?["detail"]?.stringValue ?? ""
        #expect(answer.status == 422)
        #expect(
            detail.contains(
                #"; expected a stub mapping as JSON, such as {"request": {"urlPath": "/users"}, "response": {"status": 200}}"#
            ),
            "\(detail)")
        #expect(detail.hasSuffix(end), "\(detail)")
        // JSON with a mistake has its place alone.
        let broken = try send(#"{"request": }"#, as: "application/json")
        #expect(!broken.text.contains("stub mapping as JSON"), "\(broken.text)")
    }

    @Test(arguments: ["application/yaml", "Application/X-YAML", "text/yaml; charset=UTF-8", "text/x-yaml"])
    func oneStubIsAnsweredAsWireMockAnswersIt(type: String) throws {
        for body in [
            "request: { url: /a }\nresponse: { body: it }", "GET /a: { body: it }", "- { GET /a: { body: it } }",
        ] {
            let answer = try send(body, as: type)
            #expect(answer.status == 201)
            #expect(answer.json?["response"]?["body"] == "it", "\(answer.text)")
            #expect(answer.json?["uuid"] != nil)
            #expect(try get("/a") == "it")
        }
        // Each is a stub of its own.
        #expect(mock.session.stubs.count == 3)
    }

    @Test(arguments: [
        ("application/yaml", "GET /users/me: { body: me }\nGET /users/{id}: { body: any }"),
        ("application/yaml", "mappings:\n- GET /users/me: { body: me }\n  GET /users/{id}: { body: any }"),
        ("application/json", #"{"GET /users/me": {"body": "me"}, "GET /users/{id}": {"body": "any"}}"#),
        (
            "application/x-www-form-urlencoded",
            #"{"GET /users/me": {"body": "me"}, "GET /users/{id}": {"body": "any"}}"#
        ),
    ]) func severalAreAddedInOneStep(type: String, body: String) throws {
        let answer = try send(body, as: type)
        #expect(answer.status == 201)
        #expect(answer.json?["meta"] == ["total": 2], "\(answer.text)")
        #expect(answer.json?["mappings"]?.arrayValue?.map { $0["response"]?["body"] } == ["me", "any"])
        #expect(try get("/users/me") == "me")
        #expect(try get("/users/7") == "any")
        let ids = answer.json?["mappings"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
        #expect(try Exchange(mock.port, "DELETE", "/__admin/mappings/\(ids[0])").status == 200)
        #expect(try get("/users/me") == "any")
    }

    @Test(arguments: [
        ("application/yaml", "GET /a:\n  boddy: x", "body:2:3: error: ", #"did you mean "body"?"#),
        ("application/yaml", "a: [", "body:2:1: error: ", "expected"),
        ("application/yaml", "GET /a: { body: x }\nGET /b: { status: 1000 }", "body:2:19: error: ", "expected"),
        ("application/yaml", "request: { urll: /a }", "body:1:12: error: ", #"did you mean "url"?"#),
        ("application/json", "{\"GET /a\":\n {\"boddy\": 1}}", "body:2:3: error: ", #"did you mean "body"?"#),
        ("application/yaml", "chaos: { slow: [{ delay: 1s }] }", "the set of faults slow", "only a file may have"),
        ("application/yaml", "cors: { origins: '*' }", "`cors`", "only a file may have"),
        ("application/yaml", "[]", "The body has no stubs", "no stubs"),
    ]) func whatIsWrongIsToldWithItsPlace(type: String, body: String, place: String, words: String) throws {
        let answer = try send(body, as: type)
        #expect(answer.status == 422)
        let item = answer.json?["errors"]?[0]
        let text = (item?["detail"] ?? item?["title"])?.stringValue ?? ""
        #expect(text.contains(place) && text.contains(words), "\(answer.text)")
        #expect(mock.session.stubs.isEmpty)
    }

    @Test(arguments: ["version: 1", "", "apiVersion: v1\n---\nkind: Pod"])
    func whatHoldsNoStubsIsRefused(body: String) throws {
        let answer = try send(body)
        #expect(answer.status == 415 || answer.status == 422, "\(answer.text)")
        #expect(answer.json?["errors"]?[0] != nil)
        #expect(mock.session.stubs.isEmpty)
    }

    /// What is no route, or could be a mapping, is read as WireMock reads it.
    @Test(arguments: [
        (#"{"GET": {}}"#, "Unrecognized field"), (#"{"GET /a": {}, "request": {}}"#, #"Unrecognized field \"GET /a\""#),
        (#"{"mapings": []}"#, "Unrecognized field"), ("GET /a: {body: x}", "Error parsing JSON"),
        ("GET /a: {body: x}", "YAML is sent with the header Content-Type: application/yaml"),
        ("[]", "Error parsing"),
    ]) func otherJSONIsAnsweredAsBefore(body: String, words: String) throws {
        let answer = try send(body, as: "application/json")
        #expect(answer.status == 422)
        #expect(answer.text.contains(words), "\(answer.text)")
    }

    @Test func filesAndDataAreThoseUnderFiles() throws {
        #expect(try send("GET /a: { file: a.txt }\nCRUD /users: users.json").status == 201)
        #expect(try get("/a") == "of a file")
        #expect(try Exchange(mock.port, "GET", "/users/1").json?["name"] == "Ada")
    }

    @Test func oneTakesThePlaceOfOne() throws {
        let id = try #require(try send("GET /a: { body: one }").json?["id"]?.stringValue)
        #expect(try send("GET /a: { body: two }", method: "PUT", "/mappings/\(id)").status == 200)
        #expect(try get("/a") == "two")
        #expect(
            try send("id: \(id)\nrequest: { url: /a }\nresponse: { body: 007 }", method: "POST", "/mappings/edit")
                .status == 204)
        #expect(try get("/a") == "007")
        let answer = try send("GET /a: { body: b }\nGET /c: { body: d }", method: "PUT", "/mappings/\(id)")
        #expect(answer.status == 422)
        #expect(answer.text.contains("The body has 2 stubs"))
        #expect(mock.session.stubs.count == 1)
    }

    @Test func anImportTakesYAML() throws {
        #expect(
            try send("GET /a: { body: one }\nGET /b: { body: two }", method: "POST", "/mappings/import").status == 200)
        #expect(try get("/b") == "two")
        let document = "mappings: [{ request: { url: /c } }]\nimportOptions: { deleteAllNotInImport: true }"
        #expect(try send(document, method: "POST", "/mappings/import").status == 200)
        #expect(mock.session.stubs.count == 1)
    }

    @Test func whatIsHardlyMeantIsTold() throws {
        let answer = try send("GET /a: { body: x }\nGET /users/:id: { body: y }")
        #expect(answer.status == 201, "\(answer.text)")
        #expect(answer.header("X-StuntDouble-Warning")?.contains("/users/:id") == true, "\(answer.headers)")
    }

    /// Every other call takes YAML as the same document in JSON.
    @Test func otherCallsTakeYAML() throws {
        let session = try send("name: one\nttl: 5m", method: "POST", "/sessions")
        #expect(session.json?["name"] == "one" && session.json?["ttl"] == "5m", "\(session.text)")
        let answer = try send("name: [", method: "POST", "/sessions")
        #expect(answer.status == 422)
        #expect(answer.json?["errors"]?[0]?["detail"]?.stringValue?.hasPrefix("line 2") == true, "\(answer.text)")
    }
}
