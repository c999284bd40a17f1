import Dispatch
import SDHTTPTransport
import SDJSON
import SDPlatform
import SDStubModel
import SDTestSupport
import Synchronization
import Testing

@testable import SDAnswering
@testable import SDJournal
@testable import SDMockEngine
@testable import SDRecords
@testable import SDStubs

/// The choice of a response, made anew where something moves before it counts.
@Suite struct DecisionTests {
    /// Does something while a request is matched: a stub with a time to live is asked for the time.
    private final class Interruption: Sendable {
        private let works = Locked<[@Sendable () throws -> Void]>([])
        private let isRunning = Locked(false)

        var time: @Sendable () -> Int64 {
            { [self] in
                let work = isRunning.withLock { isRunning in
                    isRunning ? nil : works.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                }
                guard let work else { return 0 }
                isRunning.withLock { $0 = true }
                defer { isRunning.withLock { $0 = false } }
                #expect(throws: Never.self) { try work() }
                return 0
            }
        }

        /// One work for each of the next times.
        func arm(_ next: [@Sendable () throws -> Void]) { works.withLock { $0 = next } }

        var isDone: Bool { works.withLock { $0.isEmpty } }
    }

    private let interruption = Interruption()

    private func mock(seed: UInt64 = 7, workers: Int = 1, files: [String: String] = [:]) throws -> ServedSession {
        var options = SessionOptions()
        options.seed = seed
        options.workers = workers
        options.clock = interruption.time
        return try ServedSession(options, files: files)
    }

    private func next(_ mock: ServedSession) -> UInt64 {
        mock.session.state.withLock { state in
            var copy = state.generator
            return copy.next()
        }
    }

    private func reference(seed: UInt64 = 7) -> SDPlatform.SeededGenerator { .init(seed: seed) }

    private static let random =
        #"{"name": "random", "request": {"url": "/x"}, "ttl": "30m", "select": "random", "#
        + #""responses": [{"body": "a"}, {"body": "b"}, {"body": "c"}]}"#

    /// Another stub takes the request just when a random response would have been drawn for it.
    @Test func aDiscardedChoiceDrawsNothing() throws {
        let mock = try mock()
        try mock.add(Self.random)
        interruption.arm([{ try mock.add(#"{"request": {"url": "/x"}, "response": {"body": "other"}}"#) }])
        #expect(try mock.ask("GET", "/x").text == "other")
        #expect(interruption.isDone)
        var untouched = reference()
        #expect(next(mock) == untouched.next())
    }

    /// What is drawn does not depend on how often a choice was made anew.
    @Test(arguments: 0...4) func aSeedGivesTheSameResponsesDespiteConcurrentChanges(interruptions: Int) throws {
        let calm = try mock()
        let moved = try mock()
        for mock in [calm, moved] { try mock.add(Self.random) }
        let expected = try (0..<12).map { _ in try calm.ask("GET", "/x").text }
        #expect(Set(expected).count > 1)
        let responses = try (0..<12).map { number in
            interruption.arm(
                (0..<interruptions).map { place in
                    { try moved.add(#"{"request": {"url": "/\#(number)/\#(place)"}}"#) }
                })
            defer { #expect(interruption.isDone) }
            return try moved.ask("GET", "/x").text
        }
        #expect(responses == expected)
    }

    /// Whoever comes first takes the first number, on any loop.
    @Test func delaysAreDrawnInTheOrderOfTheJournal() throws {
        let mock = try mock(seed: 11, workers: 3)
        let distribution = DelayDistribution.uniform(lower: 0, upper: 3)
        try mock.add(
            #"{"request": {"url": "/x"}, "response": {"delayDistribution": {"type": "uniform", "lower": 0, "upper": 3}}}"#
        )
        DispatchQueue.concurrentPerform(iterations: 6) { _ in
            do {
                let client = try PersistentConnection(port: mock.server.port)
                for _ in 0..<30 { _ = try client.request("GET", "/x") }
            } catch {
                Issue.record("\(error)")
            }
        }
        var generator = reference(seed: 11)
        let expected = (0..<180).map { _ in UInt64(distribution.sample(&generator)) * 1_000_000 }
        #expect(mock.session.events.reversed().map(\.addedDelay) == expected)
    }

    // MARK: Rendering

    /// Tells of each reading of a body file whether somebody held the session's lock.
    private func readings(_ mock: ServedSession) -> Locked<[Bool]> {
        let readings = Locked<[Bool]>([])
        mock.files.onRead.withLock { onRead in
            onRead = { [unowned mock] _ in
                let isFree = mock.session.state.withLockIfAvailable { _ in true } ?? false
                readings.withLock { $0.append(isFree) }
            }
        }
        return readings
    }

    /// However often the choice is made anew; four times is when it is made for good.
    @Test(arguments: 0...4) func aResponseIsRenderedOnceAndOutsideOfTheLock(interruptions: Int) throws {
        let mock = try mock(files: ["a.txt": "body"])
        try mock.add(
            #"{"request": {"url": "/x"}, "ttl": "30m", "response": {"bodyFileName": "a.txt"}}"#)
        let readings = readings(mock)
        interruption.arm(
            (0..<interruptions).map { place in { try mock.add(#"{"request": {"url": "/\#(place)"}}"#) } })
        #expect(try mock.ask("GET", "/x").text == "body")
        #expect(interruption.isDone)
        #expect(readings.withLock { $0 } == [true])
        #expect(mock.session.counts == (1, 0, 0))
    }

    /// The stub goes at the last moment, when everybody waits for this request.
    @Test func aFileIsSearchedOutsideOfTheLock() throws {
        let mock = try mock(files: ["x": "from the folder"])
        let mapping = try StubMapping(
            json: JSONValue(parsing: #"{"request": {"url": "/x"}, "ttl": "30m"}"#))
        try mock.session.add(mapping)
        let readings = readings(mock)
        let move: @Sendable (Int) -> @Sendable () throws -> Void = { place in
            { try mock.add(#"{"request": {"url": "/\#(place)"}}"#) }
        }
        interruption.arm([move(1), move(2), move(3), { _ = try mock.session.remove(mapping.id) }])
        #expect(try mock.ask("GET", "/x").text == "from the folder")
        #expect(interruption.isDone)
        #expect(readings.withLock { $0 } == [true])
        #expect(mock.session.counts == (1, 0, 0))
    }

    @Test func notesOfADiscardedChoiceAreDropped() throws {
        let mock = try mock()
        let mapping = try StubMapping(
            json: JSONValue(
                parsing: #"{"request": {"urlPath": "/x", "bodyPatterns": [{"equalToJson": "{}"}]}, "priority": 1}"#))
        try mock.session.add(mapping)
        try mock.add(#"{"request": {"url": "/x"}, "ttl": "30m", "response": {"body": "plain"}}"#)
        let client = try PersistentConnection(port: mock.server.port)
        #expect(try client.request("POST", "/x", body: "no JSON").text == "plain")
        #expect(mock.newest?["subEvents"]?.arrayValue?.count == 1)
        interruption.arm([{ _ = try mock.session.remove(mapping.id) }])
        #expect(try client.request("POST", "/x", body: "no JSON").text == "plain")
        #expect(interruption.isDone)
        #expect(mock.newest?["subEvents"] == [])
    }
}
