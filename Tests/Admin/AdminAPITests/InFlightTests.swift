import JSON
import MockEngine
import StubModel
import TestSupport
import Testing

/// `in-flight` and `requests/idle`: listing requests in flight, ending them, and waiting until there are none.
@Suite struct InFlightTests {
    /// A server whose `/slow` answers after an hour and whose `/drip` takes an hour to answer.
    private func house(_ options: SessionOptions = SessionOptions()) throws -> TestHouse {
        let house = try TestHouse(session: options)
        try house.add(
            #"{"name": "slow", "request": {"url": "/slow"}, "response": {"fixedDelayMilliseconds": 3600000}}"#)
        try house.add(
            #"{"request": {"url": "/drip"}, "response": {"body": "drip", "#
                + #""chunkedDribbleDelay": {"numberOfChunks": 4, "totalDuration": 3600000}}}"#)
        try house.add(#"{"request": {"url": "/fast"}, "response": {"body": "fast"}}"#)
        return house
    }

    private func request(_ house: TestHouse, _ path: String) throws -> RawClient {
        let client = try RawClient(port: house.port)
        try client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return client
    }

    @Test func slowAnswersAreListed() throws {
        let house = try house()
        let slow = try request(house, "/slow")
        try house.waitUntil(inFlight: 1)
        let drip = try request(house, "/drip")
        try house.waitUntil(inFlight: 2)
        _ = try Exchange(house.port, "GET", "/fast")
        let list = try house.admin("GET", "/in-flight")
        #expect(list["meta"] == ["total": 2])
        let each = try #require(list["inFlight"]?.arrayValue)
        #expect(each.map { $0["sequence"]?.intValue } == [1, 2])
        #expect(each.map { $0["state"]?.stringValue } == ["delayed", "sending"])
        #expect(each.map { $0["delayMs"]?.intValue } == [3_600_000, 0])
        #expect(each.map { $0["url"]?.stringValue } == ["/slow", "/drip"])
        #expect(each[0]["stub"]?["name"] == "slow")
        #expect(each[0]["stub"]?["id"]?.stringValue == house.session.stubs.last?.id.lowercasedString)
        #expect(each[0]["method"] == "GET")
        #expect(try #require(each[0]["ageMs"]?.intValue) < 60_000)
        #expect(each[0]["since"]?.stringValue?.hasSuffix("Z") == true)
        let ids = try house.admin("GET", "/requests")["requests"]?.arrayValue?.compactMap { $0["id"]?.stringValue }
        #expect(ids?.suffix(2).reversed() == each.compactMap { $0["id"]?.stringValue })
        slow.reset()
        drip.reset()
        try house.waitUntil(inFlight: 0)
        #expect(try house.admin("GET", "/in-flight") == ["inFlight": [], "meta": ["total": 0]])
    }

    @Test func anAnswerIsEndedByItsID() throws {
        let house = try house()
        let first = try request(house, "/slow")
        try house.waitUntil(inFlight: 1)
        let second = try request(house, "/drip")
        try house.waitUntil(inFlight: 2)
        let id = try #require(try house.admin("GET", "/in-flight")["inFlight"]?[0]?["id"]?.stringValue)
        #expect(try house.admin("DELETE", "/in-flight/\(id)") == ["ended": 1])
        #expect(first.receiveAll() == RawClient.Received([], .fin))
        try house.waitUntil(inFlight: 1)
        _ = try house.admin("DELETE", "/in-flight/\(id)", status: 404)
        _ = try house.admin("DELETE", "/in-flight/00000000-0000-0000-0000-000000000000", status: 404)
        _ = try house.admin("DELETE", "/in-flight/x", status: 400)
        #expect(try house.admin("DELETE", "/in-flight") == ["ended": 1])
        #expect(try house.admin("DELETE", "/in-flight") == ["ended": 0])
        let rest = second.receiveAll()
        #expect(rest.ending == .rst)
        try house.waitUntil(inFlight: 0)
        let events = try house.admin("GET", "/requests?details=true")["requests"]?.arrayValue
        #expect(events?.map { $0["end"]?.stringValue } == ["cancelled", "cancelled"])
        #expect(
            try house.admin("GET", "/requests?format=har")["log"]?["entries"]?.arrayValue?.map {
                $0["_end"]?.stringValue
            } == ["cancelled", "cancelled"])
    }

    @Test(arguments: ["/reset", "/mappings/reset"]) func aResetEndsSlowAnswers(path: String) throws {
        let house = try house()
        let slow = try request(house, "/slow")
        let drip = try request(house, "/drip")
        try house.waitUntil(inFlight: 2)
        _ = try Exchange(house.port, "POST", "/__admin" + path)
        #expect(slow.receiveAll().ending == .fin)
        #expect(drip.receiveAll().ending == .rst)
        try house.waitUntil(inFlight: 0)
    }

    @Test(arguments: [
        ("DELETE", "/requests"), ("POST", "/scenarios/reset"), ("DELETE", "/mappings"),
    ])
    func otherCallsDoNotEndSlowAnswers(method: String, path: String) throws {
        let house = try house()
        let slow = try request(house, "/slow")
        try house.waitUntil(inFlight: 1)
        _ = try house.admin(method, path)
        #expect(slow.receiveUntilQuiet(milliseconds: 30) == RawClient.Received([], .open))
        #expect(house.session.inFlightCount == 1)
    }

    // MARK: Idle

    @Test func idleWaitsForTheLastEnd() throws {
        let house = try house()
        let slow = try request(house, "/slow")
        let drip = try request(house, "/drip")
        try house.waitUntil(inFlight: 2)
        let call = try LateCall(house.port, "/requests/idle", #"{"quietMs": 40, "timeoutMs": 60000}"#)
        try house.waitUntil(listeners: 1)
        slow.reset()
        try house.waitUntil(inFlight: 1)
        // Requests that come and go meanwhile do not disturb it.
        _ = try Exchange(house.port, "GET", "/fast")
        #expect(call.isSilent)
        drip.reset()
        #expect(try call.json() == ["idle": true, "inFlight": 0])
        #expect(house.session.listenerCount == 0)
    }

    @Test func idleReportsAnswersInFlightAtItsDeadline() throws {
        let house = try house()
        let slow = try request(house, "/slow")
        try house.waitUntil(inFlight: 1)
        let answer = try house.admin("POST", "/requests/idle", #"{"timeoutMs": 30}"#)
        #expect(answer["idle"] == false)
        #expect(answer["inFlight"] == 1)
        #expect(answer["requests"]?[0]?["url"] == "/slow")
        slow.reset()
    }

    @Test func quietIsCountedFromTheLastEnd() throws {
        let house = try house()
        #expect(try house.admin("POST", "/requests/idle", #"{"timeoutMs": 0}"#)["idle"] == true)
        _ = try Exchange(house.port, "GET", "/fast")
        #expect(
            try house.admin("POST", "/requests/idle", #"{"quietMs": 3600000, "timeoutMs": 0}"#) == [
                "idle": false, "inFlight": 0, "requests": [],
            ])
        let clock = ContinuousClock()
        let begin = clock.now
        #expect(try house.admin("POST", "/requests/idle", #"{"quietMs": 150}"#)["idle"] == true)
        #expect(clock.now - begin > .milliseconds(100))
        // Admin calls do not count as traffic, and the body is optional.
        #expect(try house.admin("POST", "/requests/idle")["idle"] == true)
    }

    @Test func waitingCallsAreAnsweredWhenTheDaemonEnds() throws {
        let house = try house()
        let bodies = [
            ("/requests/wait", #"{"pattern": {}, "timeoutMs": 3600000}"#),
            ("/requests/verify", #"{"expectations": [{"pattern": {}}], "timeoutMs": 3600000}"#),
        ]
        let calls = try bodies.map { try LateCall(house.port, $0.0, $0.1) }
        try house.waitUntil(listeners: 2)
        house.endWaiting()
        #expect(try calls[0].json()["satisfied"] == false)
        #expect(try calls[1].json()["verified"] == false)
    }

    @Test func aSessionThatEndsAnswersItsWaitingCalls() throws {
        let house = try house()
        let slow = try request(house, "/slow")
        try house.waitUntil(inFlight: 1)
        let call = try LateCall(house.port, "/requests/wait", #"{"pattern": {"url": "/x"}, "timeoutMs": 3600000}"#)
        let idle = try LateCall(house.port, "/requests/idle", #"{"timeoutMs": 3600000}"#)
        try house.waitUntil(listeners: 2)
        house.session.stopActivity()
        #expect(try call.json()["satisfied"] == false)
        _ = try idle.json()
        #expect(slow.receiveAll().ending == .fin)
    }
}
