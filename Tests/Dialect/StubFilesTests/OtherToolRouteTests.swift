import SDJSON
import SDStubFiles
import Testing

/// Routes that can be read and do something else than their author means.
@Suite struct OtherToolRouteTests {
    private func findings(_ text: String) -> [String] {
        StubFile.parse(text.utf8, format: .yaml, path: "a.yaml").diagnostics.map(\.description)
    }

    private static let noWebSocket =
        "no request has such a method; did you mean \"WS /ws\"? Expected WS for a WebSocket, with TLS or without"

    /// A route's key, and the error.
    @Test(arguments: [
        ("WSS /ws", noWebSocket + ", found \"WSS\""),
        ("WEBSOCKET /ws", noWebSocket + ", found \"WEBSOCKET\""),
        (
            "GET|WS /ws",
            "WS is no method: it stands for a WebSocket; expected WS alone, and another route for the methods, found \"GET|WS\""
        ),
        (
            "SSE /events",
            "no request has such a method: server-sent events are a response to GET; "
                + "expected GET, and \"stream\" with the events in the route, found \"SSE\""
        ),
        (
            "GRPC /a",
            "gRPC is not served, and no request has such a method; expected a method of HTTP, such as POST, found \"GRPC\""
        ),
    ])
    func wordsThatAreNoMethodsAreErrors(key: String, error: String) {
        #expect(findings("\(key): {}\n") == ["a.yaml:1:1: error: [\"\(key)\"]: \(error)"])
    }

    /// Conditions, the place of the warning, and its text.
    @Test(arguments: [
        (
            "body: { json: { a: 1 } }", "1:28: warning: [\"POST /a\"].when.body.json: ",
            "this requires a JSON body with a member \"json\""
        ),
        ("body: { jsonSchema: { type: object } }", "1:28: warning: ", "did you mean \"jsonSchema\"?"),
        ("body: { schema: { type: object } }", "1:28: warning: ", "did you mean \"jsonSchema\"?"),
        ("body: { jsonPath: { $.a: 1 } }", "1:28: warning: ", "did you mean \"jsonPath\"?"),
        ("body: { graphql: { query: \"{a}\" } }", "1:28: warning: ", "did you mean \"graphql\"?"),
        ("body: { json: [1], ignoreArrayOrder: true }", "1:28: warning: ", "did you mean \"json\"?"),
        ("body: { xml: <a/>, namespaceAwareness: NONE }", "1:28: warning: ", "did you mean \"xml\"?"),
        ("body: [ { json: { a: 1 } } ]", "1:30: warning: ", "did you mean \"json\"?"),
        ("jsonPath: { $.a: { json: { b: 1 } } }", "1:39: warning: ", "did you mean \"json\"?"),
        (
            "json: { matchesJsonPath: $.a }", "1:28: warning: [\"POST /a\"].when.json.matchesJsonPath: ",
            "this requires a JSON body with a member \"matchesJsonPath\""
        ),
        ("json: { equalToJson: { a: 1 } }", "1:28: warning: ", "did you mean \"body\"?"),
        ("json: { contains: abc }", "1:28: warning: ", "did you mean \"body\"?"),
    ])
    func wordsThatAreNoConditionsThereAreWarnings(condition: String, place: String, text: String) throws {
        let found = findings("POST /a: { when: { \(condition) } }\n")
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("a.yaml:" + place) == true, "\(found)")
        #expect(found.first?.contains(text) == true, "\(found)")
    }

    @Test(arguments: [
        "json: { a: 1 }", "json: { json: { a: 1 } }", "json: { contains: { a: 1 } }", "json: { after: 5, before: 6 }",
        "body: { a: 1, json: 2 }", "body: { equalToJson: { a: 1 } }", "body: { name: x, schema: { a: 1 } }",
        "json: { schema: { type: object } }", "body: { data: { a: 1 } }", "body: { query: \"{a}\" }",
    ])
    func otherDocumentsAreNot(condition: String) throws {
        #expect(findings("POST /a: { when: { \(condition) } }\n") == [])
    }
}
