import SDJSON
import SDJournal
import SDMockEngine
import SDStubModel
import SDTestSupport
import Testing

/// `in-flight` and `requests/idle`: listing requests in flight, ending them, and waiting until there are none.
@Suite struct InFlightTests {
    /// A server whose `/slow` answers after an hour and whose `/drip` takes an hour to answer.
    private func mock(_ options: SessionOptions = SessionOptions()) throws -> TestMock {
        let mock = try TestMock(session: options)
        try mock.add(
            #"{"name": "slow", "request": {"url": "/slow"}, "response": {"fixedDelayMilliseconds": 3600000}}"#)
        try mock.add(
            #"{"request": {"url": "/drip"}, "response": {"body": "drip", "#
                + #""chunkedDribbleDelay": {"numberOfChunks": 4, "totalDuration": 3600000}}}"#)
        try mock.add(#"{"request": {"url": "/fast"}, "response": {"body": "fast"}}"#)
        return mock
    }

    private func request(_ mock: TestMock, _ path: String) throws -> RawClient {
        let client = try RawClient(port: mock.port)
        try client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return client
    }

    @Test func slowAnswersAreListed() throws {
        let mock = try mock()
        let slow = try request(mock, "/slow")
        try mock.waitUntil(inFlight: 1)
        let drip = try request(mock, "/drip")
        try mock.waitUntil(inFlight: 2)
        _ = try Exchange(mock.port, "GET", "/fast")
        let list = try mock.admin("GET", "/in-flight")
        #expect(list["meta"] == ["total": 2])
        let each = try #require(list["inFlight"]?.arrayValue)
        #expect(each.map { $0["sequence"]?.intValue } == [1, 2])
        #expect(each.map { $0["state"]?.stringValue } == ["delayed", "sending"])
        #expect(each.map { $0["delayMs"]?.intValue } == [3_600_000, 0])
        #expect(each.map { $0["url"]?.stringValue } == ["/slow", "/drip"])
        #expect(each[0]["stub"]?["name"] == "slow")
        #expect(each[0]["stub"]?["id"]?.stringValue == mock.session.stubs.last?.id.lowercasedString)
        #expect(each[0]["method"] == "GET")
        #expect(try #require(each[0]["ageMs"]?.intValue) < 60_000)
        #expect(each[0]["since"]?.stringValue?.hasSuffix("Z") == true)
        let ids = try mock.admin("GET", "/requests")["requests"]?.arrayValue?.compactMap { $0["id"]?.stringValue }
        #expect(ids?.suffix(2).reversed() == each.compactMap { $0["id"]?.stringValue })
        slow.reset()
        drip.reset()
        try mock.waitUntil(inFlight: 0)
        #expect(try mock.admin("GET", "/in-flight") == ["inFlight": [], "meta": ["total": 0]])
    }

    @Test func anAnswerIsEndedByItsID() throws {
        let mock = try mock()
        let first = try request(mock, "/slow")
        try mock.waitUntil(inFlight: 1)
        let second = try request(mock, "/drip")
        try mock.waitUntil(inFlight: 2)
        let id = try #require(try mock.admin("GET", "/in-flight")["inFlight"]?[0]?["id"]?.stringValue)
        #expect(try mock.admin("DELETE", "/in-flight/\(id)") == ["ended": 1])
        #expect(first.receiveAll() == RawClient.Received([], .fin))
        try mock.waitUntil(inFlight: 1)
        _ = try mock.admin("DELETE", "/in-flight/\(id)", status: 404)
        _ = try mock.admin("DELETE", "/in-flight/00000000-0000-0000-0000-000000000000", status: 404)
        _ = try mock.admin("DELETE", "/in-flight/x", status: 400)
        #expect(try mock.admin("DELETE", "/in-flight") == ["ended": 1])
        #expect(try mock.admin("DELETE", "/in-flight") == ["ended": 0])
        let rest = second.receiveAll()
        #expect(rest.ending == .rst)
        try mock.waitUntil(inFlight: 0)
        let events = try mock.admin("GET", "/requests?details=true")["requests"]?.arrayValue
        #expect(events?.map { $0["end"]?.stringValue } == ["cancelled", "cancelled"])
        #expect(
            try mock.admin("GET", "/requests?format=har")["log"]?["entries"]?.arrayValue?.map {
                $0["_end"]?.stringValue
            } == ["cancelled", "cancelled"])
    }

    @Test func anArchiveSaysHowMuchOfAnAnswerWasSent() throws {
        let mock = try TestMock()
        try mock.add(#"{"request": {"url": "/a"}, "response": {"body": "0123456789", "fault": {"cutAfter": 7}}}"#)
        let cut = try request(mock, "/a").receiveAll()
        try mock.waitUntil(inFlight: 0)
        let entry = try #require(try mock.admin("GET", "/requests?format=har")["log"]?["entries"]?[0])
        #expect(entry["_bytesSent"] == .number(JSONNumber(cut.bytes.count)))
        #expect(entry["_faults"]?.arrayValue?.count == 1)
    }

    @Test(arguments: ["/reset", "/mappings/reset"]) func aResetEndsSlowAnswers(path: String) throws {
        let mock = try mock()
        let slow = try request(mock, "/slow")
        let drip = try request(mock, "/drip")
        try mock.waitUntil(inFlight: 2)
        _ = try Exchange(mock.port, "POST", "/__admin" + path)
        #expect(slow.receiveAll().ending == .fin)
        #expect(drip.receiveAll().ending == .rst)
        try mock.waitUntil(inFlight: 0)
    }

    @Test(arguments: [
        ("DELETE", "/requests"), ("POST", "/scenarios/reset"), ("DELETE", "/mappings"),
    ])
    func otherCallsDoNotEndSlowAnswers(method: String, path: String) throws {
        let mock = try mock()
        let slow = try request(mock, "/slow")
        try mock.waitUntil(inFlight: 1)
        _ = try mock.admin(method, path)
        #expect(slow.receiveUntilQuiet(milliseconds: 30) == RawClient.Received([], .open))
        #expect(mock.session.inFlightCount == 1)
    }

    // MARK: Idle

    @Test func idleWaitsForTheLastEnd() throws {
        let mock = try mock()
        let slow = try request(mock, "/slow")
        let drip = try request(mock, "/drip")
        try mock.waitUntil(inFlight: 2)
        let call = try PendingCall(mock.port, "/requests/idle", #"{"quietMs": 40, "timeoutMs": 60000}"#)
        try mock.waitUntil(listeners: 1)
        slow.reset()
        try mock.waitUntil(inFlight: 1)
        // Requests that come and go meanwhile do not disturb it.
        _ = try Exchange(mock.port, "GET", "/fast")
        #expect(call.isSilent)
        drip.reset()
        #expect(try call.json() == ["idle": true, "inFlight": 0])
        #expect(mock.session.listenerCount == 0)
    }

    @Test func idleReportsAnswersInFlightAtItsDeadline() throws {
        let mock = try mock()
        let slow = try request(mock, "/slow")
        try mock.waitUntil(inFlight: 1)
        let answer = try mock.admin("POST", "/requests/idle", #"{"timeoutMs": 30}"#)
        #expect(answer["idle"] == false)
        #expect(answer["inFlight"] == 1)
        #expect(answer["requests"]?[0]?["url"] == "/slow")
        slow.reset()
    }

    @Test func quietIsCountedFromTheLastEnd() throws {
        let mock = try mock()
        #expect(try mock.admin("POST", "/requests/idle", #"{"timeoutMs": 0}"#)["idle"] == true)
        let clock = ContinuousClock()
        let begin = clock.now
        _ = try Exchange(mock.port, "GET", "/fast")
        #expect(
            try mock.admin("POST", "/requests/idle", #"{"quietMs": 3600000, "timeoutMs": 0}"#) == [
                "idle": false, "inFlight": 0, "requests": [],
            ])
        #expect(try mock.admin("POST", "/requests/idle", #"{"quietMs": 150}"#)["idle"] == true)
        #expect(clock.now - begin > .milliseconds(100))
        // Admin calls do not count as traffic, and the body is optional.
        #expect(try mock.admin("POST", "/requests/idle")["idle"] == true)
    }

    @Test func waitingCallsAreAnsweredWhenTheDaemonEnds() throws {
        let mock = try mock()
        let bodies = [
            ("/requests/wait", #"{"pattern": {}, "timeoutMs": 3600000}"#),
            ("/requests/verify", #"{"expectations": [{"pattern": {}}], "timeoutMs": 3600000}"#),
        ]
        let calls = try bodies.map { try PendingCall(mock.port, $0.0, $0.1) }
        try mock.waitUntil(listeners: 2)
        mock.endWaiting()
        #expect(try calls[0].json()["satisfied"] == false)
        #expect(try calls[1].json()["verified"] == false)
    }

    @Test func aSessionThatEndsAnswersItsWaitingCalls() throws {
        let mock = try mock()
        let slow = try request(mock, "/slow")
        try mock.waitUntil(inFlight: 1)
        let call = try PendingCall(mock.port, "/requests/wait", #"{"pattern": {"url": "/x"}, "timeoutMs": 3600000}"#)
        let idle = try PendingCall(mock.port, "/requests/idle", #"{"timeoutMs": 3600000}"#)
        try mock.waitUntil(listeners: 2)
        mock.session.stopActivity()
        #expect(try call.json()["satisfied"] == false)
        _ = try idle.json()
        #expect(slow.receiveAll().ending == .fin)
    }
}
