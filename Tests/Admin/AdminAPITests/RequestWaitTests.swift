import SDAdminAPI
import SDJSON
import SDJournal
import SDMockEngine
import SDTestSupport
import Testing

/// `requests/wait` answers as soon as the condition holds, or at the deadline.
@Suite struct RequestWaitTests {
    private func wait(_ mock: TestMock, _ body: String) throws -> JSONValue {
        try mock.admin("POST", "/requests/wait", body)
    }

    @Test(arguments: [
        // A condition that already holds is answered at once, whatever the deadline.
        (#"{"pattern": {"url": "/a"}}"#, true, 2, "at least 1"),
        (#"{"pattern": {"url": "/a"}, "count": {"exactly": 2}}"#, true, 2, "exactly 2"),
        (#"{"pattern": {"url": "/a"}, "count": {"atMost": 2}}"#, true, 2, "at most 2"),
        (#"{"pattern": {"url": "/a"}, "count": {"atLeast": 1, "atMost": 5}}"#, true, 2, "1 to 5"),
        (#"{"pattern": {}, "count": {"atLeast": 3}}"#, true, 3, "at least 3"),
        (#"{"pattern": {"url": "/c"}, "count": {"exactly": 0}}"#, true, 0, "exactly 0"),
        // A condition that does not hold is answered at the deadline.
        (#"{"pattern": {"url": "/a"}, "count": {"atLeast": 3}, "timeoutMs": 20}"#, false, 2, "at least 3"),
        (#"{"pattern": {"url": "/a"}, "count": {"exactly": 1}, "timeoutMs": 20}"#, false, 2, "exactly 1"),
        (#"{"pattern": {"url": "/a"}, "count": {"atMost": 1}, "timeoutMs": 0}"#, false, 2, "at most 1"),
        (#"{"pattern": {"url": "/a"}, "since": 2, "timeoutMs": 0}"#, false, 0, "at least 1"),
        (#"{"pattern": {"url": "/a"}, "since": 1}"#, true, 1, "at least 1"),
        (
            #"{"pattern": {"url": "/a"}, "timeoutMs": null, "count": null, "name": "c", "since": null}"#, true, 2,
            "at least 1"
        ),
    ])
    func answers(body: String, satisfied: Bool, count: Int, expected: String) throws {
        let mock = try TestMock()
        for path in ["/a", "/a", "/b"] { _ = try Exchange(mock.port, "GET", path) }
        let answer = try wait(mock, body)
        #expect(answer["satisfied"] == .bool(satisfied), "\(answer)")
        #expect(answer["count"]?.intValue == count)
        #expect(answer["expected"]?.stringValue == expected)
        #expect(answer["lastSequence"] == 3)
        #expect(answer["requests"]?.arrayValue?.count == count)
        #expect(mock.session.listenerCount == 0)
    }

    @Test func aWaitIsAnsweredByTheRequestItWaitsFor() throws {
        let mock = try TestMock()
        let call = try PendingCall(mock.port, "/requests/wait", #"{"pattern": {"url": "/a"}, "count": {"exactly": 2}}"#)
        try mock.waitUntil(listeners: 1)
        _ = try Exchange(mock.port, "GET", "/a")
        _ = try Exchange(mock.port, "GET", "/b")
        #expect(call.isSilent)
        _ = try Exchange(mock.port, "GET", "/a?x=1")
        #expect(call.isSilent)
        _ = try Exchange(mock.port, "POST", "/a")
        let answer = try call.json()
        #expect(answer["satisfied"] == true)
        #expect(answer["requests"]?.arrayValue?.map { $0["method"]?.stringValue } == ["GET", "POST"])
        #expect(answer["lastSequence"] == 4)
        #expect(mock.session.listenerCount == 0)
    }

    @Test func aWaitingCallIsAnsweredLikeAnyOther() throws {
        var admin = AdminOptions()
        admin.origins = ["http://app.test"]
        let mock = try TestMock(admin: admin)
        let call = try PendingCall(
            mock.port, "/requests/wait", #"{"pattern": {"url": "/a"}}"#, headers: [("Origin", "http://app.test")])
        try mock.waitUntil(listeners: 1)
        _ = try Exchange(mock.port, "GET", "/a")
        let late = try call.answer()
        let body = #"{"pattern": {"url": "/a"}}"#
        let early = try Exchange(
            mock.port, "POST", "/__admin/requests/wait", headers: [("Origin", "http://app.test")], body: body)
        #expect(late.json == early.json)
        #expect(late.headers.map { "\($0)" } == early.headers.map { "\($0)" })
        #expect(late.header("Access-Control-Allow-Origin") == "http://app.test")
    }

    @Test func theDeadlineReportsNearMisses() throws {
        let mock = try TestMock()
        for path in ["/orders/1", "/a/long/way/off", "/order", "/orders"] {
            _ = try Exchange(mock.port, path == "/orders" ? "GET" : "POST", path)
        }
        let answer = try wait(
            mock, #"{"pattern": {"method": "POST", "url": "/orders"}, "timeoutMs": 20, "since": 1}"#)
        let near = try #require(answer["nearMisses"]?.arrayValue)
        #expect(near.map { $0["request"]?["url"]?.stringValue } == ["/order", "/orders", "/a/long/way/off"])
        #expect(near[0]["sequence"] == 3)
        #expect(near[0]["requestPattern"] == ["url": "/orders", "method": "POST"])
        #expect(near[1]["differences"]?.arrayValue?.map { $0["attribute"]?.stringValue } == ["method"])
        #expect(near[0]["matchResult"]?["distance"]?.doubleValue ?? 1 < 0.2)
    }

    @Test func aClientThatLeavesIsRemovedAtOnce() throws {
        let mock = try TestMock()
        let calls = try (0..<5).map { _ in
            try PendingCall(mock.port, "/requests/wait", #"{"pattern": {"url": "/a"}, "timeoutMs": 3600000}"#)
        }
        try mock.waitUntil(listeners: 5)
        for call in calls { call.goAway() }
        try mock.waitUntil(listeners: 0)
    }

    @Test func removalsFromTheJournalAreTakenIntoAccount() throws {
        let mock = try TestMock()
        for path in ["/a", "/a", "/b"] { _ = try Exchange(mock.port, "GET", path) }
        let one = try PendingCall(mock.port, "/requests/wait", #"{"pattern": {"url": "/a"}, "count": {"exactly": 1}}"#)
        let none = try PendingCall(mock.port, "/requests/wait", #"{"pattern": {}, "count": {"atMost": 0}}"#)
        let three = try PendingCall(mock.port, "/requests/wait", #"{"pattern": {}, "count": {"atLeast": 4}}"#)
        try mock.waitUntil(listeners: 3)
        let newest = try #require(try mock.admin("GET", "/requests")["requests"]?[1]?["id"]?.stringValue)
        _ = try mock.admin("DELETE", "/requests/\(newest)")
        #expect(try one.json()["count"] == 1)
        _ = try Exchange(mock.port, "GET", "/c")
        #expect(three.isSilent)
        _ = try mock.admin("DELETE", "/requests")
        #expect(try none.json()["satisfied"] == true)
        for _ in 0..<3 { _ = try Exchange(mock.port, "GET", "/d") }
        #expect(three.isSilent)
        _ = try Exchange(mock.port, "GET", "/d")
        let answer = try three.json()
        #expect(answer["count"] == 4)
        #expect(answer["requests"]?.arrayValue?.map { $0["url"]?.stringValue } == ["/d", "/d", "/d", "/d"])
    }

    @Test func evictedRequestsAreTakenIntoAccount() throws {
        var options = SessionOptions()
        options.journalEvents = 2
        let mock = try TestMock(session: options)
        for number in 1...4 { _ = try Exchange(mock.port, "GET", "/\(number)") }
        let early = try wait(mock, #"{"pattern": {"urlPattern": "/[0-9]"}, "count": {"exactly": 2}}"#)
        #expect(early["satisfied"] == true)
        #expect(early["evicted"] == true)
        #expect(try wait(mock, #"{"pattern": {}, "since": 2}"#)["evicted"] == nil)
        // A waiting call has counted requests that are evicted later.
        let body = #"{"pattern": {"url": "/x"}, "count": {"exactly": 5}, "since": 4}"#
        let call = try PendingCall(mock.port, "/requests/wait", body)
        try mock.waitUntil(listeners: 1)
        for _ in 0..<5 { _ = try Exchange(mock.port, "GET", "/x") }
        let answer = try call.json()
        #expect(answer["count"] == 5)
        #expect(answer["evicted"] == nil)
        #expect(answer["requests"]?.arrayValue?.count == 2)
    }

    @Test func withoutAJournalWaitsAreAnsweredAtOnce() throws {
        var options = SessionOptions()
        options.keepsJournal = false
        let mock = try TestMock(session: options)
        _ = try Exchange(mock.port, "GET", "/a")
        #expect(
            try wait(mock, #"{"pattern": {"url": "/a"}, "timeoutMs": 3600000}"#) == [
                "satisfied": false, "count": -1, "expected": "at least 1", "requestJournalDisabled": true,
            ])
        let verdict = try mock.admin(
            "POST", "/requests/verify", #"{"expectations": [], "timeoutMs": 3600000}"#)
        #expect(verdict["verified"] == false)
        #expect(verdict["requestJournalDisabled"] == true)
        // Requests in flight are known all the same.
        #expect(try mock.admin("POST", "/requests/idle", #"{"quietMs": 0}"#) == ["idle": true, "inFlight": 0])
    }

    @Test func anAnswerShowsNoMoreThanFiftyRequests() throws {
        let mock = try TestMock()
        let client = try RawClient(port: mock.port)
        for number in 1...60 {
            try client.send("GET /\(number) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        }
        let answer = try wait(mock, #"{"pattern": {}, "count": {"atLeast": 60}}"#)
        #expect(answer["count"] == 60)
        #expect(answer["requests"]?.arrayValue?.count == 50)
        #expect(answer["requests"]?[0]?["url"] == "/1")
    }

    @Test func aPatternThatSpendsTheBudgetOnALaterRequestIsRefused() throws {
        var options = SessionOptions()
        options.matchBudget = 10_000_000
        let mock = try TestMock(session: options)
        let call = try PendingCall(
            mock.port, "/requests/wait", #"{"pattern": {"bodyPatterns": [{"matches": "(a+)+$"}]}, "timeoutMs": 60000}"#
        )
        try mock.waitUntil(listeners: 1)
        _ = try Exchange(mock.port, "POST", "/x", body: String(repeating: "a", count: 40) + "!")
        let answer = try call.answer()
        #expect(answer.status == 500)
        #expect(answer.json?["errors"]?[0]?["title"]?.stringValue?.contains("given up") == true, "\(answer)")
        #expect(mock.session.listenerCount == 0)
    }

    @Test(arguments: [
        ("wait", "", "/"), ("wait", "[]", "/"), ("wait", "{}", "/"), ("wait", "null", "/"),
        ("wait", #"{"pattern": null}"#, "/"), ("wait", #"{"pattern": {}, "patern": 1}"#, "/patern"),
        ("wait", #"{"pattern": 7}"#, "/pattern"),
        ("wait", #"{"pattern": {"bodyPatterns": [{"matches": "("}]}}"#, "/pattern/bodyPatterns/0"),
        ("wait", #"{"pattern": {"methd": "GET"}}"#, "/pattern/methd"),
        ("wait", #"{"pattern": {}, "count": 3}"#, "/count"), ("wait", #"{"pattern": {}, "count": {}}"#, "/count"),
        ("wait", #"{"pattern": {}, "count": {"exactly": -1}}"#, "/count/exactly"),
        ("wait", #"{"pattern": {}, "count": {"atleast": 1}}"#, "/count/atleast"),
        ("wait", #"{"pattern": {}, "count": {"exactly": 1, "atMost": 2}}"#, "/count"),
        ("wait", #"{"pattern": {}, "count": {"atLeast": 3, "atMost": 2}}"#, "/count"),
        ("wait", #"{"pattern": {}, "timeoutMs": 3600001}"#, "/timeoutMs"),
        ("wait", #"{"pattern": {}, "timeoutMs": -1}"#, "/timeoutMs"),
        ("wait", #"{"pattern": {}, "timeoutMs": 99999999999999999999999}"#, "/timeoutMs"),
        ("wait", #"{"pattern": {}, "since": -1}"#, "/since"),
        ("verify", "{}", "/"), ("verify", #"{"expectations": {}}"#, "/expectations"),
        ("verify", #"{"expectations": [3]}"#, "/expectations/0"),
        ("verify", #"{"expectations": [{"pattern": {}}, {"count": {"exactly": 1}}]}"#, "/expectations/1"),
        (
            "verify", #"{"expectations": [{"pattern": {}}, {"pattern": {"urlPattern": "["}}]}"#,
            "/expectations/1/pattern"
        ),
        ("verify", #"{"expectations": [{"pattern": {}}], "inOrder": [[0, 1]]}"#, "/inOrder/0/1"),
        ("verify", #"{"expectations": [{"pattern": {}}], "inOrder": [0]}"#, "/inOrder"),
        ("verify", #"{"expectations": [], "inOrder": "yes"}"#, "/inOrder"),
        ("verify", #"{"expectations": [], "nothingElse": {"after": 1}}"#, "/nothingElse"),
        ("verify", #"{"expectations": [], "nothingElse": {"since": "x"}}"#, "/nothingElse/since"),
        ("idle", "[]", "/"), ("idle", #"{"quiet": 1}"#, "/quiet"), ("idle", #"{"quietMs": 1e9}"#, "/quietMs"),
    ])
    func invalidDocumentsAreRefusedWithTheirPlace(path: String, body: String, pointer: String) throws {
        // An idle call without a body uses the default times.
        let mock = try TestMock()
        let answer = try Exchange(mock.port, "POST", "/__admin/requests/\(path)", body: body)
        #expect(answer.status == 422, "\(answer)")
        let item = answer.json?["errors"]?[0]
        #expect(item?["source"]?["pointer"]?.stringValue == pointer, "\(answer)")
        #expect(item?["title"]?.stringValue?.isEmpty == false)
        #expect(mock.session.listenerCount == 0)
    }
}
