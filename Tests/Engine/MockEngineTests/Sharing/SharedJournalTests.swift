import Dispatch
import SDHTTPTransport
import SDJSON
import SDStubModel
import SDTestSupport
import Testing

@testable import SDAdminAPI
@testable import SDAnswering
@testable import SDJournal
@testable import SDMockEngine

/// What replicas hand to each other of their journals.
@Suite struct SharedJournalTests {
    private static let stub = """
        {"id": "aaaaaaaa-0000-4000-8000-000000000001", "name": "a", "request": {"method": "POST", "urlPath": "/a"},
         "response": {"status": 201, "body": "made", "headers": {"X-A": ["1", "2"]}}}
        """
    private static let slow = """
        {"id": "aaaaaaaa-0000-4000-8000-000000000002", "request": {"urlPath": "/slow"},
         "response": {"body": "late", "fixedDelayMilliseconds": 3600000}}
        """

    private func pair(_ stubs: [String] = [stub, slow]) throws -> (ReplicaFixture, ReplicaFixture) {
        let (one, two) = (try ReplicaFixture(1), try ReplicaFixture(2))
        for replica in [one, two] { for stub in stubs { try replica.add(stub) } }
        return (one, two)
    }

    @Test func plainRequestsAreTheSameInAnother() throws {
        let (one, two) = try pair()
        try one.ask("POST", "/a?x=1", headers: ["X-Note: ü", "Cookie: a=b"], body: "hello")
        try one.ask("POST", "/a", body: #"{"a": 1}"#)
        try one.handIn(to: two)
        #expect(one.requests == two.requests)
        #expect(two.session.counts == (2, 0, 0))
        #expect(two.session.stubHits.map(\.hits.matches).max() == 2)
        #expect(two.session.inFlightCount == 0)
        #expect(one.shared.takeBatch(all: true, maxBytes: 1 << 20) == nil)
        #expect(one.shared.pendingBytes == 0)
    }

    @Test func whatIsHandedInAgainIsCountedOnce() throws {
        let (one, two) = try pair()
        try one.ask("POST", "/a")
        try one.ask("GET", "/none")
        try one.handIn(to: two)
        try two.ask("POST", "/a")
        try two.handIn(to: one)
        let third = try ReplicaFixture(3)
        one.registry.requeue(all: true)
        while let batch = one.shared.takeBatch(all: true, maxBytes: 1 << 20) {
            for other in [two, third] { try other.registry.ingest(batch) }
        }
        #expect(one.shared.pendingBytes == 0)
        #expect(third.session.counts == (3, 1, 0))
        #expect(two.session.counts == (3, 1, 0))
        #expect(two.session.inFlightCount == 0)
        #expect(two.session.events.map(\.sequence) == third.session.events.map(\.sequence))
        two.registry.requeue(all: false)
        let fourth = try ReplicaFixture(4)
        try two.handIn(to: fourth)
        #expect(fourth.session.counts == (1, 0, 0), "its own alone")
    }

    @Test func whatADroppedOneWasIsNotCountedAgain() throws {
        var options = SessionOptions()
        options.journalEvents = 2
        let (one, two) = (try ReplicaFixture(1), try ReplicaFixture(2, options))
        for number in 0..<5 { try one.ask("GET", "/\(number)") }
        try one.handIn(to: two)
        one.registry.requeue(all: false)
        try one.handIn(to: two)
        #expect(two.session.counts == (5, 5, 0))
        #expect(two.session.events.count == 2)
    }

    @Test func whatIsRemovedDoesNotComeBack() throws {
        let (one, two) = try pair()
        try one.ask("GET", "/gone")
        try one.ask("GET", "/stays")
        let batch = try #require(one.shared.takeBatch(all: true, maxBytes: 1 << 20))
        for replica in [one, two] { replica.shared.begins(change: 7) }
        let pattern = try StubMapping(json: JSONValue(parsing: #"{"request": {"urlPath": "/gone"}}"#)).request
        #expect(try two.session.removeRequests(pattern).isEmpty)
        #expect(try one.session.removeRequests(pattern).count == 1)
        try two.registry.ingest(batch)
        #expect(two.session.events.map { String(decoding: $0.request.path, as: UTF8.self) } == ["/stays"])
        #expect(two.session.counts == (2, 2, 0), "it was served")
        // What comes after the change, in knowledge of it, stays.
        try one.ask("GET", "/gone")
        let later = try #require(one.shared.takeBatch(all: true, maxBytes: 1 << 20))
        #expect(try !two.registry.ingest(later, upTo: 6))
        #expect(try two.registry.ingest(later, upTo: 7))
        #expect(two.session.events.count == 2)
    }

    @Test func whatAnotherHasUnderWayIsShownToThoseWhoAskForIt() throws {
        let (one, two) = try pair()
        let client = try one.server.client()
        try client.send("GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(eventually { one.session.inFlight().total == 1 ? true : nil } == true)
        try one.handIn(to: two, all: true)
        #expect(two.session.inFlight().total == 0 && two.session.inFlight().slow.isEmpty)
        #expect(two.session.inFlight(everywhere: true).slow.count == 1)
        _ = one.session.endInFlight()
    }

    @Test func withoutReplicasThereIsNothingToHandIn() throws {
        let session = Session()
        #expect(SessionRegistry(base: session).sharedJournal == nil)
        #expect(session.withJournal { $0.outbox == nil })
    }

    @Test func requestsOfThreeReplicasStandInTheOrderOfTheirReceipt() throws {
        let replicas = try (0..<3).map { try ReplicaFixture(UInt64($0)) }
        for number in 0..<30 { try replicas[number * 7 % 3].ask("GET", "/\(number)") }
        for one in replicas {
            while let batch = one.shared.takeBatch(all: true, maxBytes: 2_000) {
                for other in replicas where other !== one { try other.registry.ingest(batch) }
            }
        }
        for replica in replicas {
            let events = replica.session.events.reversed()
            #expect(events.map { String(decoding: $0.request.path, as: UTF8.self) } == (0..<30).map { "/\($0)" })
            #expect(Set(events.map(\.sequence)).count == 30)
            #expect(events.allSatisfy { $0.sequence < 1 << 53 })
            #expect(replica.session.counts == (30, 30, 0))
            #expect(replica.requests == replicas[0].requests)
        }
    }

    /// A request whose answer is under way is handed in when somebody reads, and counts once.
    @Test func anAnswerUnderWayIsReplacedByItsEnd() throws {
        let (one, two) = try pair()
        let client = try one.server.client()
        try client.send("GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n")
        while one.session.activity.inFlight.events.isEmpty { _ = one.log.ended.next(within: 5) }
        #expect(one.shared.takeBatch(all: false, maxBytes: 1 << 20) == nil)
        try one.handIn(to: two, all: true)
        #expect(two.session.counts == (1, 0, 0))
        #expect(two.session.inFlightCount == 1)
        #expect(two.session.events.first?.end == nil)
        #expect(one.shared.takeBatch(all: true, maxBytes: 1 << 20) == nil, "what is known is not told again")

        #expect(one.session.endInFlight() == 1)
        _ = one.log.ended.next()
        try one.handIn(to: two)
        #expect(two.session.counts == (1, 0, 0))
        #expect(two.session.inFlightCount == 0)
        #expect(two.session.stubHits.map(\.hits.matches).reduce(0, +) == 1)
        #expect(one.requests == two.requests)
    }

    @Test func aReplicaThatDiesLeavesNothingUnderWay() throws {
        let (one, two) = try pair()
        let client = try one.server.client()
        try client.send("GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n")
        while one.session.activity.inFlight.events.isEmpty { _ = one.log.ended.next(within: 5) }
        try one.handIn(to: two, all: true)
        two.registry.replicaLeft(7)
        #expect(two.session.inFlightCount == 1)
        two.registry.replicaLeft(1)
        #expect(two.session.inFlightCount == 0)
        #expect(two.session.events.first?.end?.outcome == .stopped)
        _ = one.session.endInFlight()
    }

    @Test func anAnswerThatNobodyGivesEnds() throws {
        let (one, two) = try pair()
        let client = try one.server.client()
        try client.send("GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n")
        while one.session.activity.inFlight.events.isEmpty { _ = one.log.ended.next(within: 5) }
        try one.handIn(to: two, all: true)
        let received = try #require(two.session.events.first).request.wallTime / 1_000_000
        two.registry.replicaLeft(1, unless: { _ in true })
        #expect(two.registry.endAnswers { _, _ in .unknown })
        #expect(!two.registry.endAnswers { number, _ in number == 1 ? .given : .over })
        #expect(two.session.inFlightCount == 1)
        #expect(
            !two.registry.endAnswers { _, time in time.distance(to: Int64(received)).magnitude < 2 ? .over : .given })
        #expect(two.session.inFlightCount == 0)
        _ = one.session.endInFlight()
    }

    /// Whoever waits, or reads events, is told of a request once, although later ones were told before.
    @Test func aRequestThatComesLateIsToldOnce() throws {
        let (one, two) = try pair()
        let reader = TextReader()
        #expect(!two.registry.isWaited)
        _ = two.session.addReader(
            reader, FeedSubscription(types: FeedEvent.Kind.usual), after: nil, encoder: EventStreamEncoder(two.session))
        let pattern = RequestPattern(method: .any, url: .urlPath("/a"))
        let expected = ExpectedRequests([Expectation(pattern: pattern, count: CountRange(least: 2))])
        let waiting = try two.session.verification(expected, isWait: true, isWaiting: true)
        let decided = DispatchSemaphore(value: 0)
        waiting.whenDecided { decided.signal() }
        #expect(two.registry.isWaited)

        try one.ask("POST", "/a?late")
        try two.ask("POST", "/a?soon")
        #expect(!waiting.isDecided)
        try one.handIn(to: two)
        #expect(decided.wait(timeout: .now() + 60) == .success)
        let sequences = two.session.events.map(\.sequence)
        #expect(sequences == sequences.sorted(by: >))
        #expect(two.session.events.map(\.arrival) == [1, 2])
        #expect(try waiting.findings().counts.met == [sequences.reversed()])
        #expect(try waiting.findings().lastSequence == sequences[0])
        #expect(reader.count(of: "event: request") == 2)
        // The feed is told of an end after the log.
        #expect(eventually { reader.count(of: "event: response") == 2 ? true : nil } == true)
        waiting.cancel()
        two.session.removeReader(reader)
        #expect(!two.registry.isWaited)
    }

    /// A reader that comes back is told what it missed, in the order in which it came here.
    @Test func whoComesBackIsToldWhatCameLate() throws {
        let (one, two) = try pair()
        try one.ask("POST", "/a?late")
        try two.ask("POST", "/a?soon")
        let position = FeedPosition(request: 1, change: 0, answered: 1).text(two.session.feedRun)
        try one.handIn(to: two)
        let reader = TextReader()
        _ = two.session.addReader(
            reader, FeedSubscription(types: [.request]), after: position, encoder: EventStreamEncoder(two.session))
        #expect(reader.count(of: "event: request") == 1)
        #expect(reader.count(of: "/a?late") > 0)
        two.session.removeReader(reader)
        #expect(FeedPosition(position, of: one.session.feedRun) == nil, "another replica counts otherwise")
    }

    // MARK: Eras

    @Test func whatWasBeforeTheJournalWasEmptiedIsGone() throws {
        let (one, two) = try pair()
        try one.ask("POST", "/a?handed")
        let before = try #require(one.shared.takeBatch(all: true, maxBytes: 1 << 20))
        try one.ask("POST", "/a?kept")
        two.session.clearJournal()
        try two.registry.ingest(before)
        #expect(two.session.events.isEmpty, "it came before the journal was emptied here")
        one.session.clearJournal()
        #expect(one.shared.pendingBytes == 0)
        #expect(one.shared.takeBatch(all: true, maxBytes: 1 << 20) == nil)
        try one.ask("POST", "/a?after")
        try one.handIn(to: two)
        #expect(two.session.events.count == 1)
    }

    @Test func aRemovedRequestIsNotHandedIn() throws {
        let (one, two) = try pair()
        try one.ask("POST", "/a?gone")
        let event = try #require(one.session.events.first)
        let id = try #require(StubMapping.id(text: one.session.eventIDs.text(event.sequence)))
        one.session.removeRequest(id)
        try one.handIn(to: two)
        #expect(two.session.events.isEmpty)
    }

    // MARK: Sessions

    @Test func eachSessionGetsItsOwn() throws {
        let (one, two) = try pair()
        let (mine, theirs) = (one.begin(), two.begin())
        try one.ask("POST", "/a?session")
        one.serving.withLock { $0 = nil }
        try one.ask("POST", "/a?base")
        try one.handIn(to: two)
        #expect(mine.session.events.count == 1 && theirs.session.events.count == 1)
        #expect(theirs.session.eventIDs.text(1) == mine.session.eventIDs.text(1))
        #expect(two.registry.base.events.map { String(decoding: $0.request.url, as: UTF8.self) } == ["/a?base"])
        #expect(theirs.session.stubHits.map(\.hits.matches).reduce(0, +) == 1)
    }

    @Test func aSessionThatHasEndedGetsNothing() throws {
        let (one, two) = try pair()
        let (mine, theirs) = (one.begin(), two.begin())
        try one.ask("POST", "/a")
        #expect(two.registry.deleteSession(theirs.id))
        try one.handIn(to: two)
        #expect(theirs.session.events.isEmpty && two.registry.base.events.isEmpty)
        try one.ask("POST", "/a")
        #expect(one.registry.deleteSession(mine.id))
        #expect(one.shared.takeBatch(all: true, maxBytes: 1 << 20) == nil)
        #expect(one.shared.pendingBytes == 0)
    }

    // MARK: Bounds

    @Test func whatThereIsNoRoomForIsCounted() throws {
        let (one, two) = try pair()
        let small = SharedJournal(Replica(name: "shop", number: 1), limit: 1_500)
        let outbox = JournalOutbox(small)
        outbox.owner = one.session
        one.session.withJournal { $0.outbox = outbox }
        for _ in 0..<10 { try one.ask("POST", "/a") }
        #expect(small.dropped > 0 && small.dropped < 10)
        #expect(small.pendingBytes <= 1_500)
        while let batch = small.takeBatch(all: true, maxBytes: 1) { try two.registry.ingest(batch) }
        #expect(two.session.counts.served == 10 - small.dropped)
        #expect(small.pendingBytes == 0)
        try one.ask("POST", "/a")
        #expect(small.pendingBytes > 0)
    }

    /// The oldest go first, whoever got them.
    @Test func theJournalHasItsLimitsInAllReplicas() throws {
        var options = SessionOptions()
        options.journalEvents = 5
        let (one, two) = (try ReplicaFixture(1, options), try ReplicaFixture(2, options))
        for number in 0..<12 { try (number % 2 == 0 ? one : two).ask("GET", "/\(number)") }
        try one.handIn(to: two)
        #expect(
            two.session.events.map { String(decoding: $0.request.path, as: UTF8.self) }
                == (7..<12).reversed().map { "/\($0)" })
        #expect(two.session.evictedCount == 7)
        #expect(two.session.counts == (12, 12, 0))
    }
}

/// Keeps what a reader of events was sent.
final class TextReader: EventReader {
    private let text = Locked("")

    func send(_ events: WireBytes) {
        let added = String(decoding: events.copy, as: UTF8.self)
        text.withLock { $0 += added }
    }

    func finish() {}

    func count(of part: String) -> Int { text.withLock { $0.ranges(of: part).count } }
}
