import SDJSON
import SDTestSupport
import Testing

/// `POST /__admin/explain` with stubs that are not added, and with the answer.
@Suite struct ExplainedDraftTests {
    private let mock: TestMock

    init() throws {
        mock = try TestMock(files: ["a.txt": "from a file"])
    }

    private func explain(_ request: String, _ stubs: String = "[]", status: Int = 200) throws -> JSONValue {
        try mock.admin("POST", "/explain", "{\(request), \"stubs\": \(stubs)}", status: status)
    }

    @Test func aDraftAnswersAndIsNotKept() throws {
        let draft = #"[{"name": "draft", "request": {"url": "/a"}, "response": {"status": 201, "body": "made"}}]"#
        let explanation = try explain(#""url": "/a""#, draft)
        #expect(explanation["stubMapping"]?["name"] == "draft")
        #expect(explanation["answer"]?["status"] == 201 && explanation["answer"]?["body"] == "made", "\(explanation)")
        #expect(try explain(#""url": "/a""#)["stubMapping"] == .null)
        #expect(try mock.admin("GET", "/mappings")["meta"]?["total"] == 0)
        #expect(try mock.admin("GET", "/requests")["meta"]?["total"] == 0)
    }

    @Test func aDraftWithTheIdOfAStubIsAnEdit() throws {
        let id = "3f1c7f5e-1111-4b57-9c39-000000000001"
        try mock.add(#"{"id": "\#(id)", "request": {"url": "/a"}, "response": {"body": "old"}}"#)
        try mock.add(#"{"priority": 9, "request": {"urlPattern": "/.*"}, "response": {"body": "rest"}}"#)
        let edit = #"[{"id": "\#(id)", "request": {"url": "/b"}, "response": {"body": "new"}}]"#
        #expect(try explain(#""url": "/b""#, edit)["answer"]?["body"] == "new")
        #expect(try explain(#""url": "/a""#, edit)["answer"]?["body"] == "rest")
        #expect(try explain(#""url": "/a""#)["answer"]?["body"] == "old")
    }

    @Test func aDraftOfAScenarioSeesItsState() throws {
        try mock.add(#"{"scenarioName": "cart", "newScenarioState": "full", "request": {"url": "/fill"}}"#)
        let draft =
            #"[{"scenarioName": "cart", "requiredScenarioState": "full", "request": {"url": "/cart"}}]"#
        #expect(try explain(#""url": "/cart""#, draft)["stubMapping"] == .null)
        _ = try Exchange(mock.port, "GET", "/fill")
        #expect(try explain(#""url": "/cart""#, draft)["stubMapping"] != .null)
        #expect(try mock.admin("GET", "/scenarios")["scenarios"]?[0]?["mappings"]?.arrayValue?.count == 1)
    }

    @Test func aTemplateIsRendered() throws {
        let draft = """
            [{"request": {"urlPathTemplate": "/u/{id}"}, "response": {"transformers": ["response-template"],
              "headers": {"X-Id": "{{request.path.id}}"}, "body": "{{request.method}} {{request.path.id}}"}}]
            """
        let answer = try explain(#""url": "/u/7", "method": "PUT""#, draft)["answer"]
        #expect(answer?["body"] == "PUT 7" && answer?["headers"]?["X-Id"] == "7", "\(answer ?? .null)")
    }

    @Test func aFileIsRead() throws {
        let answer = try explain(
            #""url": "/a""#, #"[{"request": {"url": "/a"}, "response": {"bodyFileName": "a.txt"}}]"#)
        #expect(answer["answer"]?["body"] == "from a file")
    }

    /// What would change something, or is made elsewhere.
    @Test(arguments: [
        #"{"transformers": ["response-template"], "body": "{{counter 'n'}}"}"#,
        #"{"proxyBaseUrl": "http://localhost:1"}"#,
        #"{"fault": "EMPTY_RESPONSE"}"#, #"{"bodyFileName": "none.txt"}"#, #"{"stream": {"events": [{"data": "x"}]}}"#,
    ])
    func noAnswerIsShown(response: String) throws {
        let explanation = try explain(#""url": "/a""#, #"[{"request": {"url": "/a"}, "response": \#(response)}]"#)
        #expect(explanation["stubMapping"] != .null && explanation["answer"] == nil, "\(explanation)")
        #expect(try mock.admin("GET", "/state")["contexts"]?.arrayValue?.isEmpty != false)
    }

    @Test func wrongDraftsAreRefusedWithTheirPlaces() throws {
        let unknown = try explain(#""url": "/a""#, #"[{"request": {"urll": "/a"}}]"#, status: 422)
        #expect(unknown["errors"]?[0]?["source"]?["pointer"] == "/stubs/0/request/urll", "\(unknown)")
        let unserved = try explain(#""url": "/a""#, #"[{}, {"request": {"urlPattern": "[a-"}}]"#, status: 422)
        #expect(unserved["errors"]?[0]?["source"]?["pointer"]?.stringValue?.hasPrefix("/stubs/1/request") == true)
        _ = try explain(#""url": "/a""#, #"{}"#, status: 422)
    }
}
