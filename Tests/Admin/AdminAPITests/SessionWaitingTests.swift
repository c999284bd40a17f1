import SDJSON
import SDJournal
import SDMockEngine
import SDStubModel
import SDTestSupport
import Synchronization
import Testing

/// Waiting, requests in flight and events are separate for each session.
@Suite struct SessionWaitingTests {
    private func begin(_ mock: TestMock, _ body: String = "") throws -> String {
        try #require(try mock.admin("POST", "/sessions", body, status: 201)["id"]?.stringValue)
    }

    private func session(_ mock: TestMock, _ id: String) throws -> Session {
        guard let parsed = SessionID(id.utf8), case .alive(let live) = mock.sessions.find(parsed) else {
            throw ExchangeProblem(description: "\(id) does not live")
        }
        return live.session
    }

    private func waitUntil(_ isSo: () throws -> Bool) throws {
        try #require(try eventually { try isSo() ? true : nil } == true)
    }

    @Test func aWaitIgnoresRequestsOfOtherSessions() throws {
        let mock = try TestMock()
        let ids = try (0..<3).map { _ in try begin(mock) }
        let calls = try ids.map { id in
            try PendingCall(
                mock.port, "/requests/wait",
                #"{"pattern": {"url": "/x"}, "count": {"exactly": 1}, "timeoutMs": 60000}"#,
                headers: [("X-StuntDouble-Session", id)])
        }
        for id in ids { try waitUntil { try session(mock, id).listenerCount == 1 } }
        #expect(mock.session.listenerCount == 0)
        _ = try Exchange(mock.port, "GET", "/x")
        _ = try Exchange(mock.port, "GET", "/__session/\(ids[1])/x")
        #expect(try calls[1].json()["satisfied"] == true)
        #expect(calls[0].isSilent && calls[2].isSilent)
        for id in [ids[0], ids[2]] { _ = try Exchange(mock.port, "GET", "/__session/\(id)/x") }
        #expect(try calls[0].json()["lastSequence"] == 1)
        #expect(try calls[2].json()["lastSequence"] == 1)
    }

    @Test func aResetEndsOnlyItsSessionsAnswers() throws {
        let mock = try TestMock()
        try mock.add(#"{"request": {"url": "/slow"}, "response": {"fixedDelayMilliseconds": 3600000}}"#)
        let ids = [try begin(mock), try begin(mock)]
        let paths = ["/slow"] + ids.map { "/__session/\($0)/slow" }
        let clients = try paths.map { path in
            let client = try RawClient(port: mock.port)
            try client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            return client
        }
        try mock.waitUntil(inFlight: 1)
        for id in ids { try waitUntil { try session(mock, id).inFlightCount == 1 } }
        _ = try Exchange(mock.port, "POST", "/__session/\(ids[0])/__admin/reset")
        #expect(clients[1].receiveAll().ending == .fin)
        #expect(try session(mock, ids[1]).inFlightCount == 1)
        let list = try Exchange(mock.port, "GET", "/__session/\(ids[1])/__admin/in-flight").json
        #expect(list?["inFlight"]?.arrayValue?.count == 1)
        // The id of a response is found only in its own session.
        let id = try #require(list?["inFlight"]?[0]?["id"]?.stringValue)
        _ = try mock.admin("DELETE", "/in-flight/\(id)", status: 404)
        _ = try Exchange(mock.port, "POST", "/__admin/reset")
        #expect(clients[0].receiveAll().ending == .fin)
        #expect(try session(mock, ids[1]).inFlightCount == 1)
        #expect(clients[2].receiveUntilQuiet(milliseconds: 20).ending == .open)
    }

    @Test func theEndOfASessionEndsItsAnswersAndWaits() throws {
        let mock = try TestMock()
        let id = try begin(mock)
        let stream = try RawClient(port: mock.port)
        try stream.send("GET /__session/\(id)/__admin/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(stream.receive(until: "\n\n\r\n").text.hasPrefix("HTTP/1.1 200"))
        let call = try PendingCall(
            mock.port, "/requests/wait", #"{"pattern": {}, "timeoutMs": 3600000}"#,
            headers: [("X-StuntDouble-Session", id)])
        try waitUntil { try session(mock, id).listenerCount == 2 }
        _ = try Exchange(mock.port, "DELETE", "/__admin/sessions/\(id)")
        #expect(try call.json()["satisfied"] == false)
        #expect(stream.receive(5).text == "0\r\n\r\n")
    }

    @Test func aSessionWithAWaitingCallDoesNotEnd() throws {
        let time = Time()
        var options = SessionOptions()
        options.clock = { time.now.load(ordering: .relaxed) }
        let mock = try TestMock(session: options)
        let id = try begin(mock, #"{"ttl": "1m"}"#)
        let call = try PendingCall(
            mock.port, "/requests/wait", #"{"pattern": {}, "timeoutMs": 3600000}"#,
            headers: [("X-StuntDouble-Session", id)])
        try waitUntil { try session(mock, id).listenerCount == 1 }
        time.now.add(120_000, ordering: .relaxed)
        _ = mock.sessions.endExpired()
        _ = try session(mock, id)
        call.goAway()
        try waitUntil { try session(mock, id).listenerCount == 0 }
        time.now.add(120_000, ordering: .relaxed)
        #expect(throws: ExchangeProblem.self) { try session(mock, id) }
    }

    private final class Time: Sendable {
        let now = Atomic(Int64(1_000))
    }
}
