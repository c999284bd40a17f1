import SDJSON
import SDJournal
import SDMockEngine
import SDPlatform
import SDTestSupport
import Testing

@testable import SDAdminAPI

/// Calls that match run beside the loop, and those that read or examine everything where there is much of it.
@Suite struct HeavyCallTests {
    private struct Call: Sendable, CustomTestStringConvertible {
        let method: String
        let path: String
        let body: String?
        /// Whether it matches, so that it may take long whatever there is.
        private(set) var isMatching = false

        init(_ method: String, _ path: String, _ body: String? = nil) {
            self.method = method
            self.path = path
            self.body = body
        }

        var matching: Call {
            var call = self
            call.isMatching = true
            return call
        }

        var testDescription: String { "\(method) \(path)" }

        func send(_ mock: TestMock) throws -> RawClient {
            let client = try RawClient(port: mock.port)
            let length = body.map { "Content-Length: \($0.utf8.count)\r\n" } ?? ""
            try client.send("\(method) /__admin\(path) HTTP/1.1\r\nHost: localhost\r\n\(length)\r\n\(body ?? "")")
            return client
        }
    }

    private static let calls = [
        Call("GET", "/"),
        Call("GET", "/mappings"),
        Call("GET", "/mappings/unmatched"),
        Call("GET", "/requests"),
        Call("GET", "/requests?format=har"),
        Call("GET", "/requests/unmatched"),
        Call("GET", "/requests/unmatched/near-misses").matching,
        Call("GET", "/requests/counters"),
        Call("GET", "/status"),
        Call("GET", "/scenarios"),
        Call("GET", "/in-flight"),
        Call("GET", "/data"),
        Call("GET", "/state"),
        Call("PUT", "/state/x", #"{"properties": {"a": 1}}"#),
        Call("GET", "/state/x"),
        Call("PATCH", "/state/x", #"{"properties": {"b": 1}}"#),
        Call("GET", "/state-extension/contexts/x"),
        Call("POST", "/requests/verify", #"{"expectations": [{"pattern": {"urlPath": "/a"}}]}"#).matching,
        Call("POST", "/requests/wait", #"{"pattern": {"urlPath": "/a"}, "timeoutMs": 1}"#).matching,
        Call("POST", "/near-misses/request", #"{"url": "/b", "method": "GET"}"#).matching,
        Call("POST", "/near-misses/request-pattern", #"{"url": "/b"}"#).matching,
        Call("GET", "/report").matching,
        Call("POST", "/explain", #"{"url": "/b", "method": "GET"}"#).matching,
        Call("POST", "/requests/count", #"{"urlPath": "/a"}"#).matching,
        Call("POST", "/requests/find", #"{"urlPath": "/a"}"#).matching,
        Call("POST", "/requests/remove", #"{"urlPath": "/b"}"#).matching,
        Call("POST", "/requests/remove-by-metadata", #"{"matchesJsonPath": "$.x"}"#).matching,
        Call("POST", "/mappings/find-by-metadata", #"{"matchesJsonPath": "$.x"}"#).matching,
        Call("POST", "/mappings/remove-by-metadata", #"{"matchesJsonPath": "$.x"}"#).matching,
        Call("POST", "/mappings/validate", #"{"request": {"url": "/a"}}"#).matching,
        Call("POST", "/mappings/remove", #"{"request": {"url": "/b"}}"#),
        Call("POST", "/mappings/import", #"{"mappings": [{"request": {"url": "/c"}}]}"#),
        Call("POST", "/mappings", #"{"request": {"url": "/d"}}"#),
        Call("POST", "/mappings/save"),
        Call("POST", "/message-mappings/find-by-metadata", #"{"matchesJsonPath": "$.x"}"#).matching,
        Call("POST", "/message-mappings/remove-by-metadata", #"{"matchesJsonPath": "$.x"}"#).matching,
        Call("POST", "/channels/send", #"{"type": "websocket", "message": {"body": "a"}}"#).matching,
        Call("POST", "/channels/find", #"{"urlPath": "/chat"}"#).matching,
        Call("POST", "/explain", #"{"url": "/b", "message": "hi"}"#).matching,
        Call("POST", "/messages/count", "{}").matching,
        Call("POST", "/messages/find", "{}").matching,
        Call("POST", "/messages/remove", "{}").matching,
        Call("POST", "/messages/remove-by-metadata", #"{"matchesJsonPath": "$.x"}"#).matching,
        Call("POST", "/messages/wait", #"{"timeoutMillis": 1}"#).matching,
        Call("POST", "/messages/wait-for-count", #"{"timeoutMillis": 1}"#).matching,
        Call("GET", "/message-mappings"),
        Call("GET", "/messages"),
        Call("GET", "/channels"),
        Call("DELETE", "/report"),
        Call("DELETE", "/mappings/unmatched"),
        Call("DELETE", "/mappings"),
    ]

    /// Routes that need more than a request and a context of state before they answer; marked as the others are.
    private static let unprepared: Set = [
        "POST /mappings/import/**", "POST /mappings/edit", "PUT /mappings/{id}", "PATCH /mappings/{id}",
        "GET /requests/{id}/curl", "GET /events", "GET /requests/{id}/explain", "GET /messages/{id}/explain",
        "GET /data/{name}", "PUT /data/{name}", "POST /data/{name}", "GET /data/{name}/{key}", "PUT /data/{name}/{key}",
        "GET /gates/{gate}/requests/{id}", "GET /metrics", "GET /sessions", "DELETE /sessions",
        "GET /sessions/{id}/report",
        "DELETE /sessions/{id}/report",
    ]

    @Test func theyAreAllRoutesThatMayTakeLong() {
        let marked = AdminAPI.routes.filter { $0.work != .short }
        func isTried(_ route: AdminRoute) -> Bool {
            Self.calls.contains {
                $0.method == route.method && $0.isMatching == (route.work == .matching)
                    && route.match(AdminRoute.segments(of: String($0.path.prefix { $0 != "?" }))) != nil
            }
        }
        #expect(Set(marked.filter { !isTried($0) }.map { "\($0.method) \($0.path)" }) == Self.unprepared)
    }

    private func mock(requests: Int) throws -> TestMock {
        let mock = try TestMock()
        try mock.add(#"{"request": {"url": "/a"}, "response": {"body": "a"}}"#)
        let client = try PersistentConnection(port: mock.port)
        for _ in 0..<requests { #expect(try client.request("GET", "/a").text == "a") }
        return mock
    }

    /// Keeps the thread for such calls busy until the event.
    private func block(_ mock: TestMock) -> Events<Void> {
        let goOn = Events<Void>()
        mock.session.heavyWork.add { _ = goOn.next(within: 60_000) }
        return goOn
    }

    @Test(arguments: [3, 501]) func theLoopServesOthersMeanwhile(requests: Int) throws {
        let mock = try mock(requests: requests)
        let other = try PersistentConnection(port: mock.port)
        for call in Self.calls where call.isMatching || requests > 500 {
            let goOn = block(mock)
            let client = try call.send(mock)
            // Two rounds of the loop: it has seen the call.
            for _ in 1...2 { #expect(try other.request("GET", "/__admin/health").status == 200) }
            #expect(client.receiveUntilQuiet(milliseconds: 1).bytes.isEmpty, "\(call.testDescription)")
            goOn.tell(())
            let answer = client.receiveSome(within: 30_000)
            #expect(answer.text.hasPrefix("HTTP/1.1 20"), "\(call.testDescription): \(answer.text.prefix(300))")
        }
    }

    @Test func smallCallsAreAnsweredOnTheLoop() throws {
        let mock = try mock(requests: 3)
        let goOn = block(mock)
        for call in Self.calls where !call.isMatching {
            let answer = try call.send(mock).receiveSome()
            #expect(answer.text.hasPrefix("HTTP/1.1 20"), "\(call.testDescription): \(answer.text.prefix(300))")
        }
        goOn.tell(())
    }

    /// One request of a kilobyte, to show which a megabyte is decompressed.
    @Test(arguments: ["/requests/{id}", "/requests"]) func aGzipBodyCountsAsWhatItHolds(path: String) throws {
        let mock = try mock(requests: 0)
        let other = try PersistentConnection(port: mock.port)
        let body = try #require(gzipped([UInt8](repeating: 0x61, count: 3 << 20)[...]))
        let client = try RawClient(port: mock.port)
        let head = "POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.count)\r\n\r\n"
        try client.send(Array(head.utf8) + body)
        #expect(client.receiveSome().text.hasPrefix("HTTP/1.1 200"))
        let id = mock.session.eventIDs.text(1)
        let goOn = block(mock)
        let caller = try Call("GET", path.replacing("{id}", with: id)).send(mock)
        for _ in 1...2 { #expect(try other.request("GET", "/__admin/health").status == 200) }
        #expect(caller.receiveUntilQuiet(milliseconds: 1).bytes.isEmpty)
        goOn.tell(())
        #expect(caller.receiveSome(within: 30_000).text.hasPrefix("HTTP/1.1 200"))
        mock.session.clearJournal()
        #expect(!mock.session.isLarge)
    }

    @Test(arguments: [
        Call("POST", "/requests/wait", #"{"pattern": {"urlPath": "/none"}, "timeoutMs": 3600000}"#),
        Call("POST", "/requests/count", #"{"urlPath": "/a"}"#),
        Call("GET", "/events"),
    ])
    private func aCallThatIsReadAfterTheEndIsAnswered(call: Call) throws {
        let mock = try mock(requests: 501)
        let other = try PersistentConnection(port: mock.port)
        let goOn = block(mock)
        let client = try call.send(mock)
        for _ in 1...2 { #expect(try other.request("GET", "/__admin/health").status == 200) }
        mock.drain()
        goOn.tell(())
        let answer = client.receiveAll()
        #expect(answer.text.hasPrefix("HTTP/1.1 200"), "\(answer)")
        #expect(answer.ending == .fin)
        if call.path == "/events" { #expect(answer.text.hasSuffix("\r\n0\r\n\r\n"), "\(answer)") }
    }

    @Test(arguments: [
        #""body": "\#(String(repeating: "x", count: 70_000))""#,
        #""base64Body": "\#(String(repeating: "eHh4", count: 20_000))""#,
        #""jsonBody": [\#(String(repeating: #"{"a": "text"}, "#, count: 9_000)) 1]"#,
    ])
    func aLongStubIsWrittenBesideTheLoop(body: String) throws {
        let mock = try mock(requests: 0)
        let other = try PersistentConnection(port: mock.port)
        #expect(!mock.session.isLarge)
        let id = "00000000-0000-0000-0000-000000000001"
        let stub = #"{"id": "\#(id)", "request": {"url": "/long"}, "response": {\#(body)}}"#
        try mock.add(stub)
        for path in ["/mappings", "/mappings/\(id)"] {
            let goOn = block(mock)
            let client = try Call("GET", path).send(mock)
            for _ in 1...2 { #expect(try other.request("GET", "/__admin/health").status == 200) }
            #expect(client.receiveUntilQuiet(milliseconds: 1).bytes.isEmpty, "\(path)")
            goOn.tell(())
            #expect(client.receiveSome(within: 30_000).text.hasPrefix("HTTP/1.1 200"))
        }
        _ = try mock.admin("PUT", "/mappings/\(id)", #"{"request": {"url": "/short"}}"#)
        #expect(!mock.session.isLarge)
        try mock.add(stub.replacing(id, with: "00000000-0000-0000-0000-000000000002"))
        #expect(mock.session.isLarge)
        _ = try mock.admin("DELETE", "/mappings")
        #expect(!mock.session.isLarge)
    }

    @Test func aLargeDocumentIsReadBesideTheLoop() throws {
        let mock = try mock(requests: 0)
        let stubs = (0..<600).map { #"{"request": {"url": "/\#($0)"}, "response": {"body": "\#($0)", "status": 200}}"# }
        let document =
            #"{"mappings": [\#(stubs.joined(separator: ",\n        "))]}"# + String(repeating: " ", count: 65_536)
        let goOn = block(mock)
        let client = try Call("POST", "/mappings/import", document).send(mock)
        let other = try PersistentConnection(port: mock.port)
        #expect(try other.request("GET", "/a").text == "a")
        #expect(try other.request("GET", "/1").status == 404)
        goOn.tell(())
        #expect(client.receiveSome().text.hasPrefix("HTTP/1.1 200"))
        #expect(try other.request("GET", "/1").text == "1")
    }

    @Test func aLargeDocumentThatIsWrongIsRefusedAsASmallOne() throws {
        let mock = try mock(requests: 501)
        let client = try Call("POST", "/mappings/import", #"{"mappings": [{"request": 1}]}"#).send(mock)
        #expect(client.receiveSome().text.hasPrefix("HTTP/1.1 422"))
        let unknown = Call("PUT", "/mappings/\(String(repeating: "0", count: 8))-0000-0000-0000-000000000000", "{}")
        #expect(try unknown.send(mock).receiveSome().text.hasPrefix("HTTP/1.1 404"))
    }
}
