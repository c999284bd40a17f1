import SDHTTPTransport
import SDTestSupport
import Testing

@testable import SDAnswering
@testable import SDJournal
@testable import SDMockEngine
@testable import SDRecords
@testable import SDStubs

/// The ring of serve events, compared with a plain list.
@Suite struct JournalRingTests {
    /// The plainest possible journal.
    private struct Model {
        let limits: Journal.Limits
        var kept: [(event: ServeEvent, size: Int, response: ServedResponse?)] = []
        var lastEvicted: UInt64 = 0

        /// A response counts once, however many events have it.
        var byteCount: Int {
            let responses = kept.compactMap(\.response)
            let shared = Dictionary(responses.map { (ObjectIdentifier($0), $0.byteCount) }) { first, _ in first }
            return kept.reduce(0) { $0 + $1.size } + shared.values.reduce(0, +)
        }

        mutating func append(_ event: ServeEvent) {
            while !kept.isEmpty, kept.count == limits.events || byteCount + event.byteCount > limits.bytes { evict() }
            kept.append((event, event.byteCount, nil))
        }

        mutating func remove(_ sequences: Set<UInt64>) {
            kept.removeAll { sequences.contains($0.event.sequence) }
        }

        mutating func charge(_ bytes: Int, for event: ServeEvent) {
            guard let place = kept.firstIndex(where: { $0.event.sequence == event.sequence }) else { return }
            kept[place].size += bytes
            while kept.count > 1, byteCount > limits.bytes { evict() }
        }

        mutating func charge(_ response: ServedResponse, for event: ServeEvent) {
            guard let place = kept.firstIndex(where: { $0.event.sequence == event.sequence }),
                kept[place].response == nil
            else { return }
            kept[place].response = response
            while kept.count > 1, byteCount > limits.bytes { evict() }
        }

        mutating func removeAll() {
            kept = []
            lastEvicted = 0
        }

        private mutating func evict() {
            lastEvicted = kept.removeFirst().event.sequence
        }
    }

    /// Requests with bodies of 0 to 600 bytes.
    private func requests(_ count: Int, _ random: inout TestGenerator) throws -> [Request] {
        let seen = Locked<[Request]>([])
        let server = try TestServer(limits: ServerLimits()) { request, reply in
            seen.withLock { $0.append(request) }
            answerWithEcho(request, reply)
        }
        for _ in 0..<count {
            let body = String(repeating: "x", count: Int.random(in: 0...600, using: &random))
            let client = try server.client()
            try client.send(
                "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: \(body.count)\r\n\r\n" + body)
            #expect(!client.receiveAll(within: 30_000).bytes.isEmpty)
        }
        return seen.withLock { $0 }
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func holdsWhatAPlainListHolds(seed: UInt64) throws {
        var random = TestGenerator(seed: seed)
        let requests = try requests(12, &random)
        let activity = SessionActivity(log: nil, label: nil)
        let limits = Journal.Limits(
            events: Int.random(in: 1...90, using: &random), bytes: Int.random(in: 1...60_000, using: &random))
        var journal = Journal(limits: limits)
        var model = Model(limits: limits)
        let responses = (0..<6).map { _ in
            ServedResponse(status: 200, body: Array(repeating: 0x78, count: Int.random(in: 0...9_000, using: &random)))
        }
        var served: UInt64 = 0
        for step in 0..<1_500 {
            switch Int.random(in: 0..<100, using: &random) {
            case 0:
                _ = journal.removeAll()
                model.removeAll()
            case 1..<8:
                let gone = Set((0..<4).map { _ in served - min(served, UInt64.random(in: 0...100, using: &random)) })
                journal.remove(gone)
                model.remove(gone)
            case 8..<20:
                guard let (event, _, _) = model.kept.randomElement(using: &random) else { continue }
                let bytes = Int.random(in: 0...3_000, using: &random)
                journal.charge(bytes, for: event)
                model.charge(bytes, for: event)
            case 20..<45:
                guard let (event, _, _) = model.kept.suffix(3).randomElement(using: &random) else { continue }
                let response = try #require(responses.randomElement(using: &random))
                journal.charge(response, for: event)
                model.charge(response, for: event)
            default:
                served += 1
                let request = try #require(requests.randomElement(using: &random))
                let event = ServeEvent(
                    sequence: served, request: request, matched: nil, addedDelay: 0, isUnmatched: true,
                    activity: activity)
                journal.append(event)
                model.append(event)
            }
            let place: Comment = "seed \(seed), step \(step)"
            try #require(journal.newestFirst().map(\.sequence) == model.kept.reversed().map(\.event.sequence), place)
            try #require(journal.count == model.kept.count, place)
            try #require(journal.byteCount == model.byteCount, place)
            try #require(journal.lastEvicted == model.lastEvicted, place)
            let asked = served - min(served, UInt64.random(in: 0...100, using: &random))
            try #require((journal.event(asked) != nil) == model.kept.contains { $0.event.sequence == asked }, place)
        }
        #expect(served > 100)
    }

    @Test func aRemovedEventIsNotCharged() throws {
        var random = TestGenerator(seed: 1)
        let request = try #require(try requests(1, &random).first)
        let activity = SessionActivity(log: nil, label: nil)
        var journal = Journal(limits: Journal.Limits(events: 1))
        let events = (1...2).map { number in
            ServeEvent(
                sequence: number, request: request, matched: nil, addedDelay: 0, isUnmatched: true, activity: activity)
        }
        for event in events { journal.append(event) }
        journal.charge(1_000, for: events[0])
        #expect(journal.byteCount == events[1].byteCount)
    }
}
