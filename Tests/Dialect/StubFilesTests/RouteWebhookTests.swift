import SDJSON
import SDStubFiles
import SDStubModel
import Testing

/// The keys `webhook` and `webhooks` of a route.
@Suite struct RouteWebhookTests {
    private func listeners(_ route: String) throws -> JSONValue? {
        let (stubs, diagnostics) = StubFile.parse("POST /a: \(route)\n".utf8, format: .yaml, path: "a.yaml")
        #expect(diagnostics.isEmpty, "\(diagnostics)")
        return try #require(stubs.first).serveEventListeners
    }

    @Test(arguments: [
        ("{ webhook: http://h/a }", #"[{"name": "webhook", "parameters": {"url": "http://h/a"}}]"#),
        (
            "{ webhook: { url: http://h/a, json: { a: 1 }, x: 5 } }",
            #"[{"name": "webhook", "parameters": {"url": "http://h/a", "jsonBody": {"a": 1}, "x": 5, "method": "POST"}}]"#
        ),
        (
            "{ webhooks: [ { url: http://h/a, method: PUT, body: 5, headers: { X-A: 007 } }, http://h/b ] }",
            #"[{"name": "webhook", "parameters": {"url": "http://h/a", "method": "PUT", "body": "5", "headers": {"X-A": "007"}}}, {"name": "webhook", "parameters": {"url": "http://h/b"}}]"#
        ),
        (
            "{ webhook: { url: http://h/a, delay: 5s, retry: 2 }, capture: { a: b } }",
            #"[{"name": "webhook", "parameters": {"url": "http://h/a", "delay": "5s", "retry": 2}}, {"name": "recordState", "parameters": {"context": "session", "state": {"a": "b"}}}]"#
        ),
    ]) func aWebhookBecomesAListener(route: String, expected: String) throws {
        #expect(try listeners(route) == JSONValue(parsing: expected))
    }

    @Test(arguments: [
        ("{ webhook: { json: { a: 1 } } }", "\"url\" is missing"),
        ("{ webhook: 5 }", "expected a webhook, such as"),
        ("{ webhook: { url: http://h/a, retry: { time: 3 } } }", "did you mean \"times\"?"),
        ("{ webhook: { url: http://h/a, hmac: { secret: a, algorithm: sha265 } } }", "did you mean \"sha256\"?"),
        ("{ webhook: { url: http://h/a, delay: 5 } }", "did you mean \"5ms\"?"),
        ("{ webhok: http://h/a }", "did you mean \"webhook\"?"),
        ("{ callback: http://h/a }", "did you mean \"webhook\"?"),
    ]) func mistakesAreErrors(route: String, expected: String) {
        let (_, diagnostics) = StubFile.parse("POST /a: \(route)\n".utf8, format: .yaml, path: "a.yaml")
        #expect(diagnostics.contains { "\($0)".contains(expected) }, "\(diagnostics.map { "\($0)" })")
    }
}
