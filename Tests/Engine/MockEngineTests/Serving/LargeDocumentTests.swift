import Foundation
import SDHTTPTransport
import SDJSON
import SDPlatform
import SDStubModel
import SDTestSupport
import Testing

@testable import SDAnswering
@testable import SDJournal
@testable import SDMockEngine

/// Documents of many megabytes hold no loop, wherever they are read, written, put away or shown. What counts is the
/// processor time of single calls on the loop, whatever else the machine does.
@Suite(.serialized) struct LargeDocumentTests {
    /// More than 4 MiB of small objects.
    private static let elements =
        "["
        + Array(repeating: #"{"id": 12, "name": "abcdefgh", "tags": ["x", "y"]}"#, count: 90_000)
        .joined(separator: ",") + "]"
    private static let document = #"{"a": 1, "list": \#(elements)}"#

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let stub: String
        /// Nil where it depends on what the budget lasts for.
        var status: Int? = 200
        var headers: [String] = []
        var isGzip = false
        /// Whether the answer is what is large, and the request is not.
        var isAnswer = false

        var testDescription: String { name }
    }

    private static let templated = #""transformers": ["response-template"]"#

    private static let hook =
        #"{"name": "webhook", "parameters": {"method": "POST", "url": "http://127.0.0.1:9/", "body": "{{originalRequest.body}}"}}"#
    private static let readingHook = """
        {"name": "webhook", "parameters":
          {"method": "POST", "url": "http://127.0.0.1:9/", "body": "{{jsonPath response.body '$.list[0].id'}}"}}
        """
    private static let stateOfAnswer = """
        {"name": "recordState", "parameters":
          {"context": "c", "state": {"a": "{{jsonPath response.body '$.list[0].id'}}"}}}
        """

    private static let cases = [
        Case(name: "nothing looks at it", stub: #"{"response": {"body": "ok"}}"#),
        Case(
            name: "equalToJson",
            stub:
                #"{"request": {"bodyPatterns": [{"equalToJson": {"a": 1}, "ignoreExtraElements": true}]}, "response": {}}"#
        ),
        Case(
            name: "matchesJsonPath",
            stub: #"{"request": {"bodyPatterns": [{"matchesJsonPath": "$.list[?(@.id == 12)]"}]}, "response": {}}"#),
        Case(
            name: "a schema",
            stub: #"{"request": {"bodyPatterns": [{"matchesJsonSchema": {"type": "object"}}]}, "response": {}}"#,
            status: nil),
        Case(
            name: "no stub matches",
            stub: #"{"request": {"bodyPatterns": [{"equalToJson": {"a": 2}}]}, "response": {}}"#, status: 404),
        Case(
            name: "jsonPath in a template",
            stub: #"{"response": {"body": "{{jsonPath request.body '$.a'}}", \#(templated)}}"#),
        Case(
            name: "a template that takes long",
            stub: #"{"response": {"body": "{{toJson (parseJson request.body)}}", \#(templated)}}"#, status: nil),
        Case(name: "an echo", stub: #"{"response": {"body": "{{request.body}}", \#(templated)}}"#),
        Case(
            name: "an echo, compressed", stub: #"{"response": {"body": "{{request.body}}", \#(templated)}}"#,
            headers: ["Accept-Encoding: gzip"]),
        Case(
            name: "state",
            stub: """
                {"response": {}, "serveEventListeners": [{"name": "recordState", "parameters":
                  {"context": "c", "state": {"a": "{{jsonPath request.body '$.a'}}"}}}]}
                """),
        Case(
            name: "state of an echo",
            stub: """
                {"response": {"body": "{{request.body}}", \(templated)},
                 "serveEventListeners": [{"name": "recordState", "parameters":
                  {"context": "c", "state": {"a": "{{jsonPath response.body '$.a'}}"}}}]}
                """),
        Case(
            name: "a webhook",
            stub: """
                {"response": {}, "serveEventListeners": [{"name": "webhook", "parameters":
                  {"method": "POST", "url": "http://127.0.0.1:9/", "body": "{{originalRequest.body}}"}}]}
                """),
        Case(
            name: "a webhook of an echo",
            stub: """
                {"response": {"body": "{{request.body}}", \(templated)},
                 "serveEventListeners": [{"name": "webhook", "parameters":
                  {"method": "POST", "url": "http://127.0.0.1:9/", "body": "{{response.body}}"}}]}
                """),
        Case(
            name: "equalToJson of a compressed body",
            stub:
                #"{"request": {"bodyPatterns": [{"equalToJson": {"a": 1}, "ignoreExtraElements": true}]}, "response": {}}"#,
            headers: ["Content-Encoding: gzip"], isGzip: true),
        Case(
            name: "jsonPath of a compressed body",
            stub: #"{"response": {"body": "{{jsonPath request.body '$.a'}}", \#(templated)}}"#,
            headers: ["Content-Encoding: gzip"], isGzip: true),
        Case(
            name: "a compressed body that nothing looks at", stub: #"{"response": {"body": "ok"}}"#,
            headers: ["Content-Encoding: gzip"], isGzip: true),
        Case(
            name: "no stub matches a compressed body",
            stub: #"{"request": {"bodyPatterns": [{"equalToJson": {"a": 2}}]}, "response": {}}"#, status: 404,
            headers: ["Content-Encoding: gzip"], isGzip: true),
        Case(
            name: "a long answer", stub: #"{"response": {"jsonBody": {"list": \#(elements)}}}"#, isAnswer: true),
        Case(
            name: "a long answer, compressed", stub: #"{"response": {"jsonBody": {"list": \#(elements)}}}"#,
            headers: ["Accept-Encoding: gzip"], isAnswer: true),
        Case(
            name: "a long answer for a page",
            stub:
                #"{"response": {"jsonBody": {"list": \#(elements)}, "headers": {"Access-Control-Allow-Origin": "a"}}}"#,
            headers: ["Origin: http://a.example"], isAnswer: true),
        Case(
            name: "a long answer with conditions",
            stub: #"{"response": {"jsonBody": {"list": \#(elements)}, "conditional": true}}"#, isAnswer: true),
        Case(
            name: "a long answer in ranges",
            stub: #"{"response": {"jsonBody": {"list": \#(elements)}, "ranges": true}}"#,
            headers: ["Range: bytes=5-10"], isAnswer: true),
        Case(
            name: "a long answer that dribbles",
            stub:
                #"{"response": {"jsonBody": {"list": \#(elements)}, "chunkedDribbleDelay": {"numberOfChunks": 3, "totalDuration": 10}}}"#,
            isAnswer: true),
        Case(
            name: "a long answer with a webhook",
            stub: #"{"response": {"jsonBody": {"list": \#(elements)}}, "serveEventListeners": [\#(hook)]}"#,
            isAnswer: true),
        Case(
            name: "a long answer with a webhook that reads it",
            stub: #"{"response": {"jsonBody": {"list": \#(elements)}}, "serveEventListeners": [\#(readingHook)]}"#,
            isAnswer: true),
        Case(
            name: "a long answer with state",
            stub: #"{"response": {"jsonBody": {"list": \#(elements)}}, "serveEventListeners": [\#(stateOfAnswer)]}"#,
            isAnswer: true),
        Case(
            name: "a long document is expected",
            stub: #"{"request": {"bodyPatterns": [{"equalToJson": {"list": \#(elements)}}]}, "response": {}}"#,
            status: 404, isAnswer: true),
        Case(
            name: "a long text", stub: #"{"response": {"body": "\#(String(repeating: "a\\n", count: 2 << 20))"}}"#,
            isAnswer: true),
        Case(
            name: "a long text in Base64",
            stub: #"{"response": {"base64Body": "\#(String(repeating: "YWFh", count: 3 << 20))"}}"#, isAnswer: true),
    ]

    /// What a call may take on a loop, in nanoseconds: a debug build takes longer for all.
    private static let limit = 12_000_000 * WorkBudget.slowness

    @Test(arguments: cases) func noCallHoldsTheLoop(row: Case) throws {
        let long = Locked<[LoopWatchdog.LongCall]>([])
        let watchdog = LoopWatchdog(limit: Self.limit) { call in long.withLock { $0.append(call) } }
        let mock = try ServedSession(SessionOptions(), watchdog: watchdog)
        try mock.add(row.stub)
        let bytes = row.isAnswer ? [] : Array(Self.document.utf8)
        let sent = row.isGzip ? try #require(gzipped(bytes[...])) : bytes
        let client = try PersistentConnection(port: mock.server.port)
        // What was made for the first one is there for the second.
        for _ in 0...(row.isAnswer ? 1 : 0) {
            let answer = try client.request("POST", "/x", headers: row.headers, bytes: sent, within: 120_000)
            if let status = row.status { #expect(answer.status == status, "\(answer.text.prefix(300))") }
            #expect(mock.waitsForWebhooks())
        }
        #expect(long.withLock { $0 }.isEmpty, "\(long.withLock { $0 })")
    }
}
