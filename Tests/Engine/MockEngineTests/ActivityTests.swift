import Dispatch
import SDHTTPTransport
import SDMatching
import SDStubModel
import SDTestSupport
import Synchronization
import Testing

@testable import SDAdminAPI
@testable import SDAnswering
@testable import SDJournal
@testable import SDMockEngine
@testable import SDRecords
@testable import SDStubs

/// Events and changes reported by many threads in any order.
@Suite struct ActivityTests {
    /// `count` serve events, the oldest first.
    private func events(_ count: Int) throws -> [ServeEvent] {
        let session = Session()
        let server = try TestServer(limits: ServerLimits()) { request, reply in session.serve(request, reply: reply) }
        let client = try server.client()
        for number in 1...count {
            try client.send("GET /\(number % 2) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(client.receive(until: "HTTP/1.1 404").bytes.isEmpty == false)
        }
        return session.events.reversed()
    }

    @Test(arguments: 0..<50 as Range<UInt64>) func eventsComeInOrderAndOnce(seed: UInt64) throws {
        var random = TestGenerator(seed: seed)
        let events = try events(12)
        // Events up to the snapshot's end may be reported as well.
        let served = Int.random(in: 0...12, using: &random)
        let overdue = events.prefix(served).filter { _ in Bool.random(using: &random) }
        let told = (overdue + events.dropFirst(served)).shuffled(using: &random)
        let beginning = Int.random(in: 0...told.count, using: &random)
        var ordered = OrderedEvents()
        var handedOut: [UInt64] = []
        for (place, event) in told.enumerated() {
            if place == beginning { handedOut += ordered.start(after: UInt64(served)).map(\.sequence) }
            handedOut += ordered.insert(event).map(\.sequence)
        }
        if beginning == told.count { handedOut += ordered.start(after: UInt64(served)).map(\.sequence) }
        #expect(handedOut == events.dropFirst(served).map(\.sequence), "seed \(seed)")
        #expect(ordered.last == 12)
    }

    /// An event and its removal may be reported in either order.
    @Test(arguments: 0..<50 as Range<UInt64>) func removedEventsNoLongerCount(seed: UInt64) throws {
        enum Word {
            case event(ServeEvent)
            case forgotten(RemovedEvents)
            case begin
        }
        var random = TestGenerator(seed: seed)
        let events = try events(10)
        let gone = Set((0..<3).map { _ in UInt64.random(in: 1...10, using: &random) })
        let through = UInt64.random(in: 0...5, using: &random)
        var words: [Word] = events.map { .event($0) } + gone.sorted().map { .forgotten(.these([$0], by: 10)) }
        words += [.forgotten(.through(through)), .begin]
        words.shuffle(using: &random)

        var expected = ExpectedRequests([Expectation(pattern: RequestPattern())])
        expected.nothingElseSince = 0
        expected.expectations[0].pattern.url = .url("/1")
        let pattern = try CompiledPattern(expected.expectations[0].pattern)
        let verification = Verification(expected, [pattern], in: Session())
        for word in words {
            switch word {
            case .event(let event): verification.recorded(event)
            case .forgotten(let forgotten): verification.eventsRemoved(forgotten)
            case .begin: try verification.start(isWaiting: false)
            }
        }
        let settled = DispatchSemaphore(value: 0)
        verification.whenSettled { settled.signal() }
        settled.wait()
        let left = events.map(\.sequence).filter { $0 > through && !gone.contains($0) }
        let findings = try verification.findings()
        #expect(findings.counts.met == [left.filter { $0 % 2 == 1 }], "seed \(seed)")
        #expect(findings.counts.unexpected == left.filter { $0 % 2 == 0 })
        #expect(findings.lastSequence == 10)
    }

    /// A feed that begins while a change is being reported starts with the change and is told of it once more.
    @Test func aChangeReachesReadersOnce() throws {
        let session = Session()
        let reader = Reader()
        _ = session.addReader(
            reader, FeedSubscription(types: [.reset]), after: nil, encoder: EventStreamEncoder(session))
        session.clearJournal()
        session.activity.changed(.reset, served: 0)
        let told = reader.texts.withLock { $0.count }
        let changes = session.activity.changes.all.kept
        #expect(changes.count == 2)
        let feed = try #require(session.feeds.current.withLock { $0 })
        for change in changes { feed.changed(change) }
        #expect(reader.texts.withLock { $0.count } == told)
        feed.changed(NumberedChange(number: 3, served: 0, change: .reset))
        #expect(reader.texts.withLock { $0.count } == told + 1)
    }

    private final class Reader: EventReader {
        let texts = Locked<[[UInt8]]>([])

        func send(_ events: WireBytes) {
            texts.withLock { $0.append(events.copy) }
        }

        func finish() {}
    }

    /// A request is decided, a reset follows, and only then the answer is sent.
    @Test func anAnswerAddedAfterItsResetIsEnded() throws {
        let table = InFlightTable()
        let server = try TestServer(limits: ServerLimits()) { request, reply in
            let event = ServeEvent(
                sequence: 7, request: request, matched: nil, addedDelay: 0, isUnmatched: false,
                activity: SessionActivity(log: nil, label: nil))
            table.endAll(through: 7)
            let script = WireScript([.raw(WireBytes(plainAnswer([0x78]))), .end(.keepAlive)])
            table.send(script.delayed(byNanoseconds: 3_600_000_000_000), event, event, reply)
        }
        let client = try server.client()
        try client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(client.receiveAll() == RawClient.Received([], .fin))
        #expect(table.events.isEmpty)
    }
}
