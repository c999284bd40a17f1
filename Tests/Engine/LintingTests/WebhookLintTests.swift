import SDJSON
import SDStubModel
import Testing

@testable import SDLinting

/// What is odd about webhooks and listeners.
@Suite struct WebhookLintTests {
    private func findings(_ stub: String) throws -> [LintFinding] {
        StubLint.findings(in: try StubMapping(json: JSONValue(parsing: stub)))
    }

    private func findings(ofWebhook parameters: String) throws -> [LintFinding] {
        try findings(#"{"serveEventListeners": [{"name": "webhook", "parameters": \#(parameters)}]}"#)
    }

    @Test(
        arguments: [
            (#"{}"#, "", nil), (#"{"url": "/hook"}"#, "/url", nil),
            (#"{"url": "localhost:9000/hook"}"#, "/url", "http://localhost:9000/hook"),
            (#"{"url": "http://h/a b"}"#, "/url", nil), (#"{"url": "http://h/", "method": "PSOT"}"#, "/method", "POST"),
            (#"{"url": "http://h/", "method": "get"}"#, "/method", "GET"),
            (#"{"url": "http://h/", "body": "b"}"#, "/body", nil),
            (#"{"url": "http://h/", "method": "DELETE", "body": "b"}"#, "/method", "POST"),
            (#"{"url": "http://h/", "method": "POST", "body": {"a": 1}}"#, "/body", "jsonBody"),
            (#"{"url": "http://h/", "method": "POST", "body": "b", "base64Body": "AA=="}"#, "/base64Body", nil),
            (#"{"url": "http://h/", "headrs": {"A": "b"}}"#, "/headrs", "headers"),
            (#"{"url": "http://h/", "json": {"A": "b"}}"#, "/json", "jsonBody"),
            (#"{"url": "http://h/", "headers": {"A": "{{#if}}"}}"#, "/headers/A", nil),
            (#"{"url": "http://h/", "delay": {"type": "fixxed"}}"#, "/delay", "fixed"),
            (#"{"url": "http://h/", "retry": {"backof": 1}}"#, "/retry/backof", "backoff"),
        ] as [(String, String, String?)]) func whatIsHardlyMeantIsFound(
            parameters: String, place: String, suggestion: String?
        ) throws
    {
        let found = try findings(ofWebhook: parameters)
        #expect(found.map(\.code) == [.webhook])
        #expect(found.map(\.pointer.text) == ["/serveEventListeners/0/parameters" + place])
        #expect(found.map(\.suggestion) == [suggestion])
        #expect(found.allSatisfy { $0.expected != nil })
    }

    @Test func theRequestHasAnotherNameInWebhooks() throws {
        let found = try findings(ofWebhook: #"{"url": "http://h/{{request.path}}/{{params.id}}"}"#)
        #expect(found.map(\.code) == [.unknownTemplateName, .unknownTemplateName])
        #expect(found.map(\.suggestion) == ["originalRequest.path", "originalRequest.query.id"])
    }

    @Test func unknownListenersAreFound() throws {
        let found = try findings(
            #"{"serveEventListeners": [{"name": "webhok"}], "postServeActions": [{"name": "other"}]}"#)
        #expect(found.map(\.code) == [.unknownListener, .unknownListener])
        #expect(found.map(\.suggestion) == ["webhook", nil])
    }

    @Test(arguments: [
        #"{"url": "{{parameters.to}}", "to": "http://h"}"#,
        #"{"url": "http://h/{{originalRequest.path}}", "method": "{{originalRequest.method}}", "body": "b"}"#,
        #"{"url": "http://h", "method": "POST", "body": "{{parameters.header}}", "header": "a"}"#,
        #"{"url": "http://h", "method": "PUT", "jsonBody": {"a": "{{response.body}}"}, "retry": 3, "delay": "5s", "color": "red"}"#,
    ]) func whatIsMeantIsNotFound(parameters: String) throws {
        #expect(try findings(ofWebhook: parameters).isEmpty)
    }
}
