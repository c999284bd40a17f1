import SDHTTPTransport
import SDJSON
import SDTestSupport
import Testing

@testable import SDAdminAPI
@testable import SDAnswering
@testable import SDJournal
@testable import SDMockEngine
@testable import SDRecords
@testable import SDStubs

/// A reader that joins late is told what it missed a piece at a time, and then what comes.
@Suite struct FeedBacklogTests {
    private struct Told: Equatable {
        let id: String
        let word: String
    }

    private final class Reader: EventReader {
        let pieces = Locked<[WireBytes]>([])
        let isFinished = Locked(false)

        func send(_ events: WireBytes) { pieces.withLock { $0.append(events) } }
        func finish() { isFinished.withLock { $0 = true } }

        var byteCount: Int { pieces.withLock { $0.reduce(0) { $0 + $1.count } } }

        /// Each event, as its type and its sequence.
        var told: [Told] {
            let bytes = pieces.withLock { $0.flatMap(\.copy) }
            return String(decoding: bytes, as: UTF8.self).split(separator: "\n\n").compactMap { block in
                var values: [Substring: String] = [:]
                for line in block.split(separator: "\n") {
                    let parts = line.split(separator: ":", maxSplits: 1)
                    values[parts[0]] = parts.last.map { String($0.drop { $0 == " " }) }
                }
                guard let type = values["event"], let data = try? JSONValue(parsing: values["data"] ?? "") else {
                    return nil
                }
                let number = data["sequence"]?.intValue ?? data["requestsUpTo"]?.intValue
                return Told(id: values["id"] ?? "", word: type + (number.map { " #\($0)" } ?? ""))
            }
        }

        var words: [String] { told.map(\.word) }
    }

    private static let body = String(repeating: "x", count: 8_000)
    /// A piece, and the last few events.
    private static let maxOfPiece = 160 << 10

    private func post(_ count: Int, to mock: ServedSession) throws {
        let client = try PersistentConnection(port: mock.server.port)
        for _ in 0..<count { _ = try client.request("POST", "/a", body: Self.body) }
    }

    private func join(
        _ mock: ServedSession, _ reader: Reader, after position: String? = "0",
        _ types: Set<FeedEvent.Kind> = [.request, .response]
    ) -> FeedBacklog? {
        mock.session.addReader(
            reader, FeedSubscription(types: types), after: position, encoder: EventStreamEncoder(mock.session))
    }

    private func pairs(_ range: ClosedRange<Int>) -> [String] {
        range.flatMap { ["request #\($0)", "response #\($0)"] }
    }

    @Test func aSlowReaderIsToldAPieceAtATime() throws {
        let mock = try ServedSession()
        try post(50, to: mock)
        let reader = Reader()
        let backlog = try #require(join(mock, reader))
        var before = reader.byteCount
        #expect(before < Self.maxOfPiece)
        var served = 50
        var isMore = true
        while isMore {
            // What comes meanwhile waits in the journal.
            try post(1, to: mock)
            served += 1
            #expect(reader.byteCount == before)
            isMore = backlog.replayMore(to: reader)
            #expect(reader.byteCount - before < Self.maxOfPiece)
            before = reader.byteCount
        }
        #expect(served > 53)
        try post(1, to: mock)
        #expect(eventually { reader.words.count == 2 * (served + 1) ? true : nil } == true)
        #expect(reader.words == pairs(1...(served + 1)))
        #expect(!backlog.replayMore(to: reader))
    }

    @Test func whatIsEvictedMeanwhileIsAGap() throws {
        var options = SessionOptions()
        options.journalEvents = 40
        let mock = try ServedSession(options)
        try post(40, to: mock)
        let reader = Reader()
        let backlog = try #require(join(mock, reader))
        let first = reader.words.count / 2
        #expect(first < 30)
        try post(35, to: mock)
        #expect(eventually { mock.session.inFlightCount == 0 ? true : nil } == true)
        while backlog.replayMore(to: reader) {}
        #expect(reader.words == pairs(1...first) + ["gap #35"] + pairs(36...75))
    }

    /// An answer that ends before the reader has been told all, and one that ends after.
    @Test func anAnswerThatEndsMeanwhileIsToldOnce() throws {
        let mock = try ServedSession()
        try mock.add(#"{"request": {"url": "/slow"}, "response": {"fixedDelayMilliseconds": 3600000}}"#)
        let slow = try (0..<2).map { _ in try mock.send("/slow") }
        #expect(eventually { mock.session.inFlight().slow.count == 2 ? true : nil } == true)
        try post(30, to: mock)
        let reader = Reader()
        let backlog = try #require(join(mock, reader))
        #expect(reader.words.prefix(4) == ["request #1", "request #2", "request #3", "response #3"])
        #expect(mock.session.activity.inFlight.end(1))
        #expect(slow.contains { $0.receiveAll().ending != .open })
        while backlog.replayMore(to: reader) {}
        #expect(reader.words.count { $0 == "response #1" } == 1)
        #expect(!reader.words.contains("response #2"))
        #expect(mock.session.activity.inFlight.end(2))
        #expect(eventually { reader.words.last == "response #2" ? true : nil } == true)
        #expect(Set(reader.words) == Set(pairs(1...32)))
        #expect(reader.words.count == 64)
    }

    @Test func aReaderThatLeavesIsToldNothingMore() throws {
        let mock = try ServedSession()
        try post(30, to: mock)
        let reader = Reader()
        let backlog = try #require(join(mock, reader))
        #expect(mock.session.listenerCount == 1)
        mock.session.removeReader(reader)
        #expect(mock.session.listenerCount == 0)
        let before = reader.byteCount
        #expect(!backlog.replayMore(to: reader))
        try post(1, to: mock)
        #expect(reader.byteCount == before)
    }

    @Test func theEndComesAfterWhatWasMissed() throws {
        let mock = try ServedSession()
        try post(30, to: mock)
        #expect(eventually { mock.session.inFlightCount == 0 ? true : nil } == true)
        let reader = Reader()
        let backlog = try #require(join(mock, reader))
        mock.session.stopActivity()
        #expect(!reader.isFinished.withLock { $0 })
        while backlog.replayMore(to: reader) {}
        #expect(reader.words == pairs(1...30))
        #expect(reader.isFinished.withLock { $0 })
    }

    /// Whatever a reader has read last, the next one that begins there gets all the rest.
    @Test func everyIDLeadsToTheRest() throws {
        let mock = try ServedSession()
        try mock.add(#"{"request": {"url": "/slow"}, "response": {"fixedDelayMilliseconds": 3600000}}"#)
        let live = Reader()
        let all = Set(FeedEvent.Kind.allCases)
        #expect(join(mock, live, after: nil, all) == nil)
        let slow = try mock.send("/slow")
        #expect(eventually { mock.session.inFlight().slow.count == 1 ? true : nil } == true)
        try post(6, to: mock)
        mock.session.changed(.scenariosReset)
        try post(6, to: mock)
        #expect(mock.session.activity.inFlight.end(1))
        #expect(slow.receiveAll().ending != .open)
        try post(6, to: mock)
        #expect(eventually { live.words.count == 39 ? true : nil } == true)

        func rest(after id: String) throws -> [Told] {
            let reader = Reader()
            if let backlog = join(mock, reader, after: id, all) { while backlog.replayMore(to: reader) {} }
            mock.session.removeReader(reader)
            return reader.told
        }
        for (place, told) in live.told.enumerated() {
            let replayed = try rest(after: told.id)
            let wanted = Set(live.words.dropFirst(place + 1))
            #expect(wanted.isSubset(of: replayed.map(\.word)), "after \(told)")
            // The same holds for the ids of what is replayed.
            for (place, told) in replayed.enumerated().filter({ $0.offset % 5 == 0 }) {
                let wanted = Set(replayed.dropFirst(place + 1).map(\.word))
                #expect(wanted.isSubset(of: try rest(after: told.id).map(\.word)), "after \(told)")
            }
        }
    }

    @Test func readersShareTheirEvents() throws {
        let mock = try ServedSession()
        let readers = [Reader(), Reader()]
        for reader in readers { #expect(join(mock, reader, after: nil) == nil) }
        try post(2, to: mock)
        #expect(eventually { readers.allSatisfy { $0.words.count == 4 } ? true : nil } == true)
        let pieces = readers.map { $0.pieces.withLock { Array($0.dropFirst()) } }
        #expect(zip(pieces[0], pieces[1]).allSatisfy { $0 === $1 })
    }

    /// Requests are reported in the order of their numbers, whichever thread reports first.
    @Test func aResponseThatEndsBeforeItsRequestIsReportedComesAfterIt() throws {
        let mock = try ServedSession()
        try post(2, to: mock)
        for _ in 0..<2 { _ = mock.log.ended.next() }
        let events = mock.session.events
        let (first, second) = (try #require(events.last), try #require(events.first))
        let other = try ServedSession()
        let feed = EventFeed(other.session, EventStreamEncoder(other.session))
        feed.start(other.session)
        let reader = Reader()
        #expect(feed.addReader(reader, FeedSubscription(types: [.request, .response])))
        feed.recorded(second)
        feed.answerEnded(second)
        #expect(reader.words.isEmpty)
        feed.recorded(first)
        feed.answerEnded(first)
        #expect(reader.words == ["request #1", "request #2", "response #2", "response #1"])
        // A reader that has seen only the first one has not seen the second.
        let told = reader.told
        #expect(told.count == 4 && told[0].id != told[1].id)
    }
}
