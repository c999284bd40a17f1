import SDJSON
import SDMockEngine
import SDStubFiles
import SDStubModel
import SDTestSupport
import Testing

/// JSON that templates make, as clients get it.
@Suite struct TemplateJSONTests {
    /// A body, and what becomes of it in a `jsonBody` and in the shorthand's `json`.
    @Test(arguments: [
        (#"{"n":"say \"hi\""}"#, #"{"n":"say \"hi\""}"#, #"{"n":"say \"hi\""}"#),
        (#"{"n":"a\nb\\c"}"#, #"{"n":"a\nb\\c"}"#, #"{"n":"a\nb\\c"}"#),
        (#"{"n":["a"]}"#, #"{"n":["a"]}"#, #"{"n":["a"]}"#),
        (#"{"n":{"x":1}}"#, #"{"n":{"x":1}}"#, #"{"n":{"x":1}}"#), (#"{"n":35}"#, #"{"n":"35"}"#, #"{"n":35}"#),
        (#"{"n":false}"#, #"{"n":"false"}"#, #"{"n":false}"#), (#"{"n":null}"#, #"{"n":""}"#, #"{"n":null}"#),
    ])
    func jsonIsJSON(body: String, jsonBody: String, shorthand: String) throws {
        let mock = try TestMock()
        try mock.add(
            #"{"request": {"url": "/a"}, "response": {"jsonBody": {"n": "{{jsonPath request.body '$.n'}}"}, "transformers": ["response-template"]}}"#
        )
        let route = #"POST /b: { json: { n: "{{jsonPath request.body '$.n'}}" } }"#
        let stub = try #require(StubFile.parse(route.utf8, format: .yaml, path: "b.yaml").stubs.first)
        try mock.session.add(stub)
        #expect(try Exchange(mock.port, "POST", "/a", body: body).text == jsonBody)
        #expect(try Exchange(mock.port, "POST", "/b", body: body).text == shorthand)
        // Read back as the admin API shows it, it means the same.
        let path = "/__admin/mappings/\(stub.id.lowercasedString)"
        let shown = try Exchange(mock.port, "GET", path).text
        #expect(try Exchange(mock.port, "PUT", path, body: shown).status == 200)
        #expect(try Exchange(mock.port, "POST", "/b", body: body).text == shorthand)
    }

    @Test func whatIsPutIntoJSONStaysWithinItsText() throws {
        let mock = try TestMock()
        try mock.add(
            #"{"request": {"urlPath": "/a"}, "response": {"jsonBody": {"q": "{{request.query.q}}"}, "transformers": ["response-template"]}}"#
        )
        let answer = try Exchange(mock.port, "GET", "/a?q=x%22%2C%22admin%22%3A%22y%5C")
        #expect(answer.json == ["q": #"x","admin":"y\"#])
    }

    @Test func theResponsesOfASequenceAndTheDataOfEventsToo() throws {
        let mock = try TestMock()
        let route = #"POST /s: { sequence: [{ json: { n: "{{jsonPath request.body '$.n'}}" } }] }"#
        let stub = try #require(StubFile.parse(route.utf8, format: .yaml, path: "s.yaml").stubs.first)
        try mock.session.add(stub)
        #expect(try Exchange(mock.port, "POST", "/s", body: #"{"n": 1}"#).text == #"{"n":1}"#)
        try mock.add(
            #"{"request": {"url": "/e"}, "response": {"stream": {"events": [{"data": {"q": "{{jsonPath request.body '$'}}\"", "n": "{{jsonPath request.body '$.n'}}"}}]}, "transformers": ["response-template"]}}"#
        )
        let events = try Exchange(mock.port, "POST", "/e", body: #"{"n": "\n"}"#).text
        #expect(events.contains(#"data: {"q":"{\n  \"n\" : \"\\n\"\n}\"","n":"\n"}"#), "\(events)")
    }

    /// Text bodies stay as they are written; the event and the log tell of one that ought to be JSON.
    @Test(arguments: [
        ("application/json", #"{"n": "{{request.query.q}}"}"#, true), ("application/json", #"{"n": "x"}{{! }}"#, false),
        ("application/problem+json; charset=utf-8", "{{request.query.q}}", true),
        ("text/plain", "{{request.query.q}}", false),
        ("application/json", "{{request.query.none}}", false),
    ])
    func aTextThatIsNoJSONIsTold(type: String, body: String, isTold: Bool) throws {
        let mock = try TestMock()
        let response: JSONValue = [
            "body": .string(body), "headers": ["Content-Type": .string(type)], "transformers": ["response-template"],
        ]
        let stub: JSONValue = ["request": ["urlPath": "/a"], "response": response]
        try mock.add(stub.compactText)
        let answer = try Exchange(mock.port, "GET", "/a?q=%22")
        #expect(answer.status == 200)
        let event = try #require(Exchange(mock.port, "GET", "/__admin/requests").json?["requests"]?[0])
        let messages = (event["subEvents"]?.arrayValue ?? []).compactMap { $0["data"]?["message"]?.stringValue }
        #expect(messages.contains { $0.contains("not the JSON") && $0.contains("line 1") } == isTold, "\(messages)")
    }

    @Test(
        arguments: [
            ("201", 201, nil), (" 404 ", 404, nil), ("99", 500, "from 200 to 999: \"99\""), ("x", 500, "\"x\""),
            ("", 500, "\"\""),
        ] as [(String, Int, String?)])
    func aTemplateSetsTheStatus(text: String, status: Int, message: String?) throws {
        let mock = try TestMock()
        try mock.add(#"{"request": {"urlPath": "/a"}, "response": {"status": "{{request.body}}", "body": "x"}}"#)
        let answer = try Exchange(mock.port, "POST", "/a", body: text)
        #expect(answer.status == status)
        #expect(message.map { answer.text.contains($0) } ?? (answer.text == "x"), "\(answer.text)")
        let shown = try Exchange(mock.port, "GET", "/__admin/mappings").json?["mappings"]?[0]?["response"]
        #expect(shown?["status"] == "{{request.body}}")
    }
}
