import SDHTTPTransport
import SDJSON
import SDMockEngine
import SDStubModel
import SDTestSupport
import Testing

/// Calls of the admin API that cost more than their budget.
@Suite struct BudgetAdminTests {
    private static let path = "/" + String(repeating: "a", count: 2_000) + "!"
    private static let dear = #"{"urlPathPattern": "/(a+)+$"}"#

    private func mock() throws -> TestMock {
        var options = SessionOptions()
        options.matchBudget = 5_000_000
        let mock = try TestMock(session: options)
        try mock.add(
            #"{"metadata": {"a": "\#(Self.path)"}, "request": {"urlPath": "/other"}, "response": {"status": 201}}"#)
        #expect(try PersistentConnection(port: mock.port).request("GET", Self.path).status == 404)
        return mock
    }

    /// Calls whose pattern or matcher is dear, each with what was given up.
    static let calls: [(path: String, body: String, task: String)] = [
        ("requests/count", dear, "Matching the requests in the journal"),
        ("requests/find", dear, "Matching the requests in the journal"),
        ("requests/remove", dear, "Matching the requests in the journal"),
        ("requests/verify", #"{"expectations": [{"pattern": \#(dear)}]}"#, "Matching the requests in the journal"),
        ("requests/wait", #"{"pattern": \#(dear), "timeoutMs": 0}"#, "Matching the requests in the journal"),
        ("near-misses/request-pattern", dear, "The search for near misses"),
        (
            "mappings/find-by-metadata", #"{"matchesJsonPath": {"expression": "$.a", "matches": "/(a+)+$"}}"#,
            "Matching metadata"
        ),
        ("mappings/remove-by-metadata", #"{"matches": ".*(a+)+$"}"#, "Matching metadata"),
    ]

    @Test(arguments: calls) func isRefusedInWireMocksShape(path: String, body: String, task: String) throws {
        let mock = try mock()
        let answer = try PersistentConnection(port: mock.port).request("POST", "/__admin/\(path)", body: body)
        #expect(answer.status == 500, "\(answer.text)")
        let error = answer.json?["errors"]?[0]
        #expect(error?["code"] == 50)
        #expect(error?["title"] == "Matching was given up")
        let detail = try #require(error?["detail"]?.stringValue)
        #expect(detail.hasPrefix("\(task) was given up after 5 ms of processor time, most of it for the "))
        #expect(detail.hasSuffix("make that cheaper, or raise the limit with --match-budget"))
        // Nothing was removed.
        #expect(mock.session.stubCount == 1)
    }

    /// Calls that match the stubs with a request.
    @Test(arguments: ["near-misses/request", "explain"]) func namesTheStub(path: String) throws {
        let mock = try mock()
        try mock.add(#"{"name": "dear", "request": \#(Self.dear), "response": {"status": 201}}"#)
        let body = #"{"method": "GET", "url": "\#(Self.path)"}"#
        let answer = try PersistentConnection(port: mock.port).request("POST", "/__admin/\(path)", body: body)
        #expect(answer.status == 500)
        let detail = answer.json?["errors"]?[0]?["detail"]?.stringValue
        #expect(detail?.contains(#"`/(a+)+$` of the stub "dear""#) == true, "\(answer.text)")
    }

    @Test func aDocumentThatWouldTakeTooMuchMemoryIsRefused() throws {
        let mock = try mock()
        let body = "[" + String(repeating: "1,", count: 8_500_000) + "1]"
        let answer = try PersistentConnection(port: mock.port).request("POST", "/__admin/mappings/import", body: body)
        #expect(answer.status == 413)
        #expect(
            answer.json?["errors"]?[0]?["title"]
                == "The document would take more than 384 MiB of memory: send it in parts")
    }
}
