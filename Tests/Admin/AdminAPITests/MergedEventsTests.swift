import SDJSON
import SDJournal
import SDMockEngine
import SDTestSupport
import Synchronization
import Testing

/// `events?sessions=all`: one stream for the daemon's own session and those that tests begin.
@Suite struct MergedEventsTests {
    private func begin(_ mock: TestMock, _ name: String, through origin: String = "") throws -> String {
        let answer = try Exchange(
            mock.port, "POST", "\(origin)/__admin/sessions", body: #"{"name": "\#(name)"}"#)
        return try #require(answer.json?["id"]?.stringValue)
    }

    private func word(_ event: EventStreamClient.Event?) -> String {
        guard let event else { return "nothing" }
        let session = event.data?["session"]
        let name = session == .null ? "own" : session?["name"]?.stringValue ?? "–"
        return "\(EventStreamClient.word(event)) \(name)"
    }

    /// The next events but those that tell only a position, in an order that does not depend on when each came.
    private func words(_ stream: EventStreamClient, _ count: Int) -> [String] {
        var words: [String] = []
        while words.count < count {
            let event = stream.next(within: 20_000)
            if let event, event.type == nil { continue }
            words.append(word(event))
            if event == nil { break }
        }
        return words
    }

    @Test func eachEventNamesItsSession() throws {
        let mock = try TestMock()
        let first = try begin(mock, "first")
        let stream = try EventStreamClient(mock.port, "?sessions=all&view=row&types=request,response")
        _ = try Exchange(mock.port, "GET", "/a")
        #expect(words(stream, 2) == ["request #1 own", "response #1 own"])
        _ = try Exchange(mock.port, "GET", "/__session/\(first)/a")
        #expect(words(stream, 2) == ["request #1 first", "response #1 first"])
        let second = try begin(mock, "second")
        _ = try Exchange(mock.port, "GET", "/__session/\(second)/a")
        #expect(words(stream, 2) == ["request #1 second", "response #1 second"])
    }

    @Test func aReaderOfAllKeepsNoSessionAlive() throws {
        let mock = try TestMock()
        let id = try begin(mock, "a")
        let stream = try EventStreamClient(mock.port, "?sessions=all&types=request")
        let session = try #require(mock.sessions.all.first?.session)
        #expect(!session.isBusy)
        _ = try Exchange(mock.port, "DELETE", "/__admin/sessions/\(id)")
        _ = try Exchange(mock.port, "GET", "/b")
        #expect(words(stream, 1) == ["request #1 own"])
        stream.client.close()
        let isLeft = eventually(within: 10_000) { session.feeds.current.withLock { $0 } == nil ? true : nil }
        #expect(isLeft == true)
    }

    @Test func aSessionsStreamHasThoseBegunThroughIt() throws {
        let mock = try TestMock()
        let other = try begin(mock, "other")
        let outer = try begin(mock, "outer")
        let inner = try begin(mock, "inner", through: "/__session/\(outer)")
        let client = try RawClient(port: mock.port)
        try client.send(
            "GET /__session/\(outer)/__admin/events?sessions=all&types=request HTTP/1.1\r\nHost: localhost\r\n\r\n")
        _ = client.receive(until: "id: ")
        for id in [other, inner, outer] { _ = try Exchange(mock.port, "GET", "/__session/\(id)/x") }
        let text = client.receive(until: #""name":"outer"}}"#).text
        #expect(text.contains(#""name":"inner"}}"#))
        #expect(!text.contains(#""name":"other"}}"#))
        _ = try Exchange(mock.port, "DELETE", "/__admin/sessions/\(outer)")
        #expect(client.receive(until: "\r\n0\r\n\r\n").text.hasSuffix("0\r\n\r\n"))
    }

    @Test func whatWasMissedIsToldOfEachSession() throws {
        let mock = try TestMock()
        let id = try begin(mock, "a")
        _ = try Exchange(mock.port, "GET", "/a")
        _ = try Exchange(mock.port, "GET", "/__session/\(id)/b")
        let all = try EventStreamClient(mock.port, "?sessions=all&types=request&after=0")
        #expect(Set(words(all, 2)) == ["request #1 own", "request #1 a"])
        let (position, other) = (try #require(all.lastID), try begin(mock, "later"))
        all.client.close()
        _ = try Exchange(mock.port, "GET", "/__session/\(other)/c")
        let resumed = try EventStreamClient(mock.port, "?sessions=all&types=request", lastEventID: position)
        // What came in the second before is repeated.
        var seen: Set<String> = []
        while !seen.contains("request #1 later"), let event = resumed.next(within: 20_000) { seen.insert(word(event)) }
        #expect(seen.contains("request #1 later"))
        let lost = try EventStreamClient(mock.port, "?sessions=all&types=request", lastEventID: "00000000.17")
        #expect(words(lost, 1) == ["gap another run own"])
    }

    @Test func theFutureHasNothingMissed() throws {
        let mock = try TestMock()
        _ = try Exchange(mock.port, "GET", "/a")
        let stream = try EventStreamClient(mock.port, "?sessions=all&types=request&after=99999999999999")
        _ = try Exchange(mock.port, "GET", "/b")
        #expect(words(stream, 1) == ["request #2 own"])
        #expect(try Exchange(mock.port, "GET", "/__admin/events?sessions=some").status == 400)
    }

    // MARK: Pace

    @Test func aPaceLeavesOutOrdinaryRequestsOnly() throws {
        let mock = try TestMock()
        try mock.add(#"{"request": {"url": "/a"}}"#)
        try mock.add(#"{"request": {"url": "/cut"}, "response": {"fault": "CONNECTION_RESET_BY_PEER"}}"#)
        let stream = try EventStreamClient(mock.port, "?view=row&rate=1")
        for _ in 0..<5 { _ = try Exchange(mock.port, "GET", "/a") }
        _ = try Exchange(mock.port, "GET", "/none")
        _ = try mock.raw("GET /cut HTTP/1.1\r\nHost: localhost\r\n\r\n")
        var (requests, dropped): ([Int], Int) = ([], 0)
        while dropped == 0 || requests.last != 7, let event = stream.next(within: 20_000) {
            if event.type == "request" { requests.append(event.data?["sequence"]?.intValue ?? 0) }
            if event.type == "dropped" { dropped += event.data?["count"]?.intValue ?? 0 }
        }
        #expect(requests.first == 1)
        #expect(requests.suffix(2) == [6, 7])
        #expect(dropped + requests.count == 7)
        #expect(try Exchange(mock.port, "GET", "/__admin/events?rate=0").status == 400)
    }
}
