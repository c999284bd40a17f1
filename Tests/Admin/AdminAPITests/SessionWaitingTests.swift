import JSON
import MockEngine
import StubModel
import Synchronization
import TestSupport
import Testing

/// Waiting, requests in flight and events are separate for each session.
@Suite struct SessionWaitingTests {
    private func begin(_ house: TestHouse, _ body: String = "") throws -> String {
        try #require(try house.admin("POST", "/sessions", body, status: 201)["id"]?.stringValue)
    }

    private func session(_ house: TestHouse, _ id: String) throws -> Session {
        guard let parsed = SessionID(id.utf8), case .alive(let live) = house.sessions.find(parsed) else {
            throw ExchangeProblem(description: "\(id) does not live")
        }
        return live.session
    }

    private func waitUntil(_ isSo: () throws -> Bool) throws {
        try #require(try eventually { try isSo() ? true : nil } == true)
    }

    @Test func aWaitIgnoresRequestsOfOtherSessions() throws {
        let house = try TestHouse()
        let ids = try (0..<3).map { _ in try begin(house) }
        let calls = try ids.map { id in
            try LateCall(
                house.port, "/requests/wait",
                #"{"pattern": {"url": "/x"}, "count": {"exactly": 1}, "timeoutMs": 60000}"#,
                headers: [("X-StuntDouble-Session", id)])
        }
        for id in ids { try waitUntil { try session(house, id).listenerCount == 1 } }
        #expect(house.session.listenerCount == 0)
        _ = try Exchange(house.port, "GET", "/x")
        _ = try Exchange(house.port, "GET", "/__session/\(ids[1])/x")
        #expect(try calls[1].json()["satisfied"] == true)
        #expect(calls[0].isSilent && calls[2].isSilent)
        for id in [ids[0], ids[2]] { _ = try Exchange(house.port, "GET", "/__session/\(id)/x") }
        #expect(try calls[0].json()["lastSequence"] == 1)
        #expect(try calls[2].json()["lastSequence"] == 1)
    }

    @Test func aResetEndsOnlyItsSessionsAnswers() throws {
        let house = try TestHouse()
        try house.add(#"{"request": {"url": "/slow"}, "response": {"fixedDelayMilliseconds": 3600000}}"#)
        let ids = [try begin(house), try begin(house)]
        let paths = ["/slow"] + ids.map { "/__session/\($0)/slow" }
        let clients = try paths.map { path in
            let client = try RawClient(port: house.port)
            try client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            return client
        }
        try house.waitUntil(inFlight: 1)
        for id in ids { try waitUntil { try session(house, id).inFlightCount == 1 } }
        _ = try Exchange(house.port, "POST", "/__session/\(ids[0])/__admin/reset")
        #expect(clients[1].receiveAll().ending == .fin)
        #expect(try session(house, ids[1]).inFlightCount == 1)
        let list = try Exchange(house.port, "GET", "/__session/\(ids[1])/__admin/in-flight").json
        #expect(list?["inFlight"]?.arrayValue?.count == 1)
        // The id of a response is found only in its own session.
        let id = try #require(list?["inFlight"]?[0]?["id"]?.stringValue)
        _ = try house.admin("DELETE", "/in-flight/\(id)", status: 404)
        _ = try Exchange(house.port, "POST", "/__admin/reset")
        #expect(clients[0].receiveAll().ending == .fin)
        #expect(try session(house, ids[1]).inFlightCount == 1)
        #expect(clients[2].receiveUntilQuiet(milliseconds: 20).ending == .open)
    }

    @Test func theEndOfASessionEndsItsAnswersAndWaits() throws {
        let house = try TestHouse()
        let id = try begin(house)
        let stream = try RawClient(port: house.port)
        try stream.send("GET /__session/\(id)/__admin/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(stream.receive(until: "\n\n\r\n").text.hasPrefix("HTTP/1.1 200"))
        let call = try LateCall(
            house.port, "/requests/wait", #"{"pattern": {}, "timeoutMs": 3600000}"#,
            headers: [("X-StuntDouble-Session", id)])
        try waitUntil { try session(house, id).listenerCount == 2 }
        _ = try Exchange(house.port, "DELETE", "/__admin/sessions/\(id)")
        #expect(try call.json()["satisfied"] == false)
        #expect(stream.receive(5).text == "0\r\n\r\n")
    }

    @Test func aSessionWithAWaitingCallDoesNotEnd() throws {
        let time = Time()
        var options = SessionOptions()
        options.clock = { time.now.load(ordering: .relaxed) }
        let house = try TestHouse(session: options)
        let id = try begin(house, #"{"ttl": "1m"}"#)
        let call = try LateCall(
            house.port, "/requests/wait", #"{"pattern": {}, "timeoutMs": 3600000}"#,
            headers: [("X-StuntDouble-Session", id)])
        try waitUntil { try session(house, id).listenerCount == 1 }
        time.now.add(120_000, ordering: .relaxed)
        _ = house.sessions.endForgotten()
        _ = try session(house, id)
        call.goAway()
        try waitUntil { try session(house, id).listenerCount == 0 }
        time.now.add(120_000, ordering: .relaxed)
        #expect(throws: ExchangeProblem.self) { try session(house, id) }
    }

    private final class Time: Sendable {
        let now = Atomic(Int64(1_000))
    }
}
