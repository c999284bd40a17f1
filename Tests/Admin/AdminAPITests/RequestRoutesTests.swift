import SDJSON
import SDMockEngine
import SDStubModel
import Testing

/// The admin API of the journal, beyond what WireMock's recording shows.
@Suite struct RequestRoutesTests {
    private func admin(_ mock: TestMock, _ method: String, _ path: String, _ body: String = "") throws -> JSONValue {
        let answer = try Exchange(mock.port, method, "/__admin" + path, body: body)
        #expect(answer.status == 200, "\(method) \(path): \(answer)")
        return try #require(answer.json)
    }

    private func urls(_ list: JSONValue) -> [String?] {
        (list["requests"]?.arrayValue ?? []).map { ($0["request"]?["url"] ?? $0["url"])?.stringValue }
    }

    @Test func aCursorReadsTheJournalInOrderAndMissesNothing() throws {
        let mock = try TestMock()
        for number in 1...7 { _ = try Exchange(mock.port, "GET", "/\(number)") }
        var cursor = 0
        var seen: [String?] = []
        while true {
            let page = try admin(mock, "GET", "/requests?after=\(cursor)&limit=3")
            let found = urls(page)
            if found.isEmpty { break }
            seen += found
            cursor = try #require(page["meta"]?["lastSequence"]?.intValue)
            #expect(page["meta"]?["evicted"] == nil)
        }
        #expect(seen == (1...7).map { "/\($0)" })
        #expect(cursor == 7)
        let rest = try admin(mock, "GET", "/requests?after=7")
        #expect(rest["meta"]?["lastSequence"] == 7)
    }

    @Test func aCursorAfterWhichEventsWereDroppedReportsThat() throws {
        var options = SessionOptions()
        options.journalEvents = 2
        let mock = try TestMock(session: options)
        for number in 1...4 { _ = try Exchange(mock.port, "GET", "/\(number)") }
        #expect(try admin(mock, "GET", "/requests?after=1")["meta"]?["evicted"] == true)
        #expect(try admin(mock, "GET", "/requests?after=2")["meta"]?["evicted"] == nil)
    }

    @Test func anEventShowsItsPlaceAndItsEndOnDemand() throws {
        let mock = try TestMock()
        try mock.add(#"{"request": {"url": "/ok"}, "response": {"body": "fine"}}"#)
        try mock.add(#"{"request": {"url": "/reset"}, "response": {"fault": "CONNECTION_RESET_BY_PEER"}}"#)
        _ = try Exchange(mock.port, "GET", "/ok")
        _ = try mock.raw("GET /reset HTTP/1.1\r\nHost: localhost\r\n\r\n")
        // The loop completes a response before it reads the next call.
        let events = try admin(mock, "GET", "/requests?details=true")["requests"]?.arrayValue ?? []
        #expect(events.map { $0["sequence"]?.intValue } == [2, 1])
        #expect(events.map { $0["end"]?.stringValue } == ["faultApplied", "sent"])
        #expect(events[0]["bytesSent"] == 0)
        #expect(try #require(events[1]["bytesSent"]?.intValue) > 4)
        #expect(events[0]["response"]?["fault"] == "CONNECTION_RESET_BY_PEER")
        // WireMock's Java client refuses unknown keys.
        let plain = try admin(mock, "GET", "/requests")["requests"]?[0]?.objectValue?.members.map(\.key)
        #expect(
            plain == [
                "id", "request", "responseDefinition", "response", "wasMatched", "timing", "subEvents", "stubMapping",
            ])
    }

    @Test func eachEventIsFoundAndRemovedByItsID() throws {
        let mock = try TestMock()
        for path in ["/a", "/b", "/c"] { _ = try Exchange(mock.port, "GET", path) }
        let events = try #require(try admin(mock, "GET", "/requests")["requests"]?.arrayValue)
        let ids = events.compactMap { $0["id"]?.stringValue }
        #expect(Set(ids).count == 3)
        #expect(ids.allSatisfy { StubMapping.id(text: $0) != nil })
        for (id, event) in zip(ids, events) {
            let one = try admin(mock, "GET", "/requests/\(id)")
            #expect(one["request"] == event["request"])
            #expect(try admin(mock, "GET", "/requests/\(id.uppercased())")["id"] == one["id"])
        }
        #expect(try admin(mock, "DELETE", "/requests/\(ids[1])") == [:])
        #expect(urls(try admin(mock, "GET", "/requests")) == ["/c", "/a"])
        #expect(try Exchange(mock.port, "GET", "/__admin/requests/\(ids[1])").status == 404)
        _ = try Exchange(mock.port, "GET", "/d")
        #expect(urls(try admin(mock, "GET", "/requests")) == ["/d", "/c", "/a"])
    }

    @Test func aRequestWhoseBudgetIsSpentHasAWarningOnItsEvent() throws {
        var options = SessionOptions()
        options.matchBudget = 10_000_000
        let mock = try TestMock(session: options)
        try mock.add(#"{"request": {"method": "POST", "bodyPatterns": [{"matches": "(a+)+$"}]}}"#)
        _ = try Exchange(mock.port, "POST", "/x", body: String(repeating: "a", count: 40) + "!")
        let event = try #require(try admin(mock, "GET", "/requests")["requests"]?[0])
        #expect(event["wasMatched"] == false)
        let types = event["subEvents"]?.arrayValue?.map { $0["type"]?.stringValue }
        #expect(types == ["WARNING"])
        let message = try #require(event["subEvents"]?[0]?["data"]?["message"]?.stringValue)
        #expect(message.contains("(a+)+$"))
    }

    @Test func withoutAJournalListsAreEmptyAndMarked() throws {
        var options = SessionOptions()
        options.keepsJournal = false
        let mock = try TestMock(session: options)
        try mock.add(#"{"request": {"url": "/a"}}"#)
        for path in ["/a", "/b"] { _ = try Exchange(mock.port, "GET", path) }
        for (method, path, body) in [
            ("GET", "/requests", ""), ("GET", "/requests/unmatched", ""), ("POST", "/requests/find", "{}"),
        ] {
            let answer = try admin(mock, method, path, body)
            #expect(answer["requests"] == [])
            #expect(answer["requestJournalDisabled"] == true)
        }
        #expect(
            try admin(mock, "POST", "/requests/count", "{}") == ["count": -1, "requestJournalDisabled": true])
        #expect(try admin(mock, "POST", "/requests/remove", "{}") == ["serveEvents": []])
        #expect(try admin(mock, "DELETE", "/requests") == [:])
        let counters = try admin(mock, "GET", "/requests/counters")
        #expect(counters["stubs"]?[0]?["matches"] == 1)
        #expect(counters["unmatched"] == 1 && counters["folder"] == "mocks")
    }

    @Test func countersOutliveTheJournal() throws {
        var options = SessionOptions()
        options.journalEvents = 3
        let mock = try TestMock(session: options)
        try mock.add(#"{"name": "a", "request": {"method": "GET", "url": "/a"}}"#)
        try mock.add(#"{"name": "b", "request": {"method": "GET", "url": "/b"}, "priority": 9}"#)
        for _ in 1...10 { _ = try Exchange(mock.port, "GET", "/a") }
        let pattern = #"{"method": "GET", "url": "/a"}"#
        // The second pattern belongs to no stub, so there is no counter; and everything that /b answered is still in
        // the journal.
        for (asked, number, evicted, matches) in [
            (pattern, 3, "7", "10"), (#"{"urlPattern": "/[ab]"}"#, 3, "7", nil),
            (#"{"method": "GET", "url": "/b"}"#, 0, nil, nil),
        ] {
            let count = try Exchange(mock.port, "POST", "/__admin/requests/count", body: asked)
            #expect(count.json == ["count": .number(JSONNumber(number)), "requestJournalDisabled": false])
            #expect(count.header("X-StuntDouble-Evicted") == evicted, "\(asked)")
            #expect(count.header("X-StuntDouble-Matches") == matches, "\(asked)")
        }
        for (method, path) in [("GET", "/requests"), ("POST", "/requests/find"), ("GET", "/requests/unmatched")] {
            let list = try Exchange(mock.port, method, "/__admin" + path, body: method == "POST" ? "{}" : "")
            #expect(list.header("X-StuntDouble-Evicted") == "7", "\(path)")
        }
        mock.session.clearJournal()
        let empty = try Exchange(mock.port, "POST", "/__admin/requests/count", body: pattern)
        #expect(empty.json == ["count": 0, "requestJournalDisabled": false])
        #expect(empty.header("X-StuntDouble-Evicted") == nil)
        let stubs = try #require(try admin(mock, "GET", "/requests/counters")["stubs"]?.arrayValue)
        #expect(stubs.map { $0["name"]?.stringValue } == ["a", "b"])
        #expect(stubs.map { $0["matches"]?.intValue } == [10, 0])
        let first = try #require(stubs[0]["firstHit"]?.stringValue)
        let last = try #require(stubs[0]["lastHit"]?.stringValue)
        #expect(first <= last && first.hasSuffix("Z"))
        #expect(stubs[1]["firstHit"] == nil)
    }

    @Test func aLongResponseBodyIsTruncated() throws {
        var options = SessionOptions()
        options.loggedResponseBodyLimit = 3
        let mock = try TestMock(session: options)
        try mock.add(#"{"request": {"url": "/a"}, "response": {"body": "abcdef"}}"#)
        #expect(try Exchange(mock.port, "GET", "/a").text == "abcdef")
        let response = try admin(mock, "GET", "/requests")["requests"]?[0]?["response"]
        #expect(response?["body"] == "abc")
        #expect(response?["bodyAsBase64"] == "YWJj")
    }

    @Test(arguments: [
        ("GET", "/requests?after=x", 400), ("GET", "/requests?after=-1", 400),
        ("GET", "/requests?since=99999999999-01-01T00:00:00Z", 400),
        ("GET", "/requests?since=2026-01-01T00:00:00%00Z", 400),
        ("GET", "/requests/00000000-0000-0000-0000-000000000000", 404), ("POST", "/requests", 404),
        ("PUT", "/requests/count", 404),
    ])
    func invalidCallsAreRefused(method: String, path: String, status: Int) throws {
        let mock = try TestMock()
        #expect(try Exchange(mock.port, method, "/__admin" + path).status == status)
    }
}
