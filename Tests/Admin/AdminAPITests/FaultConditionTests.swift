import SDJSON
import SDJournal
import SDMockEngine
import SDStubModel
import SDTestSupport
import Synchronization
import Testing

/// When a fault acts: its conditions, decided in the order of the requests, and what a reset makes of them.
@Suite struct FaultConditionTests {
    /// A clock that the test moves.
    private final class Hands: Sendable {
        let now = Atomic<Int64>(1_000)
    }

    private func mock(_ fault: String, _ hands: Hands = Hands()) throws -> TestMock {
        var options = SessionOptions()
        options.clock = { hands.now.load(ordering: .relaxed) }
        let mock = try TestMock(session: options)
        try mock.add(#"{"request": {"url": "/x"}, "response": {"body": "fine", "fault": \#(fault)}}"#)
        return mock
    }

    private func statuses(_ mock: TestMock, _ count: Int, _ headers: [(String, String)] = []) throws -> [Int] {
        try (0..<count).map { _ in try Exchange(mock.port, "GET", "/x", headers: headers).status }
    }

    @Test func theFirstRequestsFailAndThenTheStubRecovers() throws {
        let mock = try mock(#"{"first": 2, "status": 503}"#)
        #expect(try statuses(mock, 4) == [503, 503, 200, 200])
        mock.session.dropAllButFiles()
        try mock.add(#"{"request": {"url": "/x"}, "response": {"fault": {"first": 1, "status": 500}}}"#)
        #expect(try statuses(mock, 2) == [500, 200])
    }

    @Test func theFirstRequestsAreCountedForEachValueOfAHeader() throws {
        let mock = try mock(#"{"first": {"count": 1, "perHeader": "Idempotency-Key"}, "status": 503}"#)
        #expect(try statuses(mock, 2, [("idempotency-key", "a")]) == [503, 200])
        #expect(try statuses(mock, 2, [("Idempotency-Key", "b")]) == [503, 200])
        #expect(try statuses(mock, 2) == [503, 200])
        #expect(try statuses(mock, 1, [("Idempotency-Key", "a")]) == [200])
    }

    @Test func aFaultActsBetweenTwoTimesOfTheSession() throws {
        let hands = Hands()
        let mock = try mock(#"{"between": ["5s", "10s"], "status": 503}"#, hands)
        for (time, status) in [(0, 200), (4_999, 200), (5_000, 503), (9_999, 503), (10_000, 200)] {
            hands.now.store(1_000 + Int64(time), ordering: .relaxed)
            #expect(try statuses(mock, 1) == [status], "\(time)")
        }
        // A reset begins a new time.
        mock.session.dropAllButFiles()
        try mock.add(#"{"request": {"url": "/x"}, "response": {"fault": {"between": ["5s", "10s"], "status": 503}}}"#)
        #expect(try statuses(mock, 1) == [200])
        hands.now.add(5_000, ordering: .relaxed)
        #expect(try statuses(mock, 1) == [503])
    }

    @Test func aQuotaAnswersWith429AndTheTimeToWait() throws {
        let hands = Hands()
        let mock = try mock(#"{"quota": {"limit": 2, "per": "10s"}}"#, hands)
        #expect(try statuses(mock, 2) == [200, 200])
        hands.now.add(2_500, ordering: .relaxed)
        let refused = try Exchange(mock.port, "GET", "/x")
        #expect(refused.status == 429 && refused.header("Retry-After") == "8")
        hands.now.add(7_500, ordering: .relaxed)
        #expect(try statuses(mock, 3) == [200, 200, 429])
    }

    @Test func beyondAQuotaTheFaultsOwnActionIsTaken() throws {
        let mock = try mock(#"{"quota": {"limit": 1, "per": "1m"}, "kind": "EMPTY_RESPONSE"}"#)
        #expect(try statuses(mock, 1) == [200])
        #expect(try mock.raw("GET /x HTTP/1.1\r\nHost: a\r\n\r\n").bytes.isEmpty)
    }

    @Test func moreAnswersAtATimeThanAllowedAreRefused() throws {
        let mock = try mock(#"[{"concurrency": 2}, {"stall": {"after": 0, "for": "forever"}, "first": 2}]"#)
        var held: [RawClient] = []
        for count in 1...2 {
            let client = try RawClient(port: mock.port)
            try client.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n")
            held.append(client)
            try mock.waitUntil(inFlight: count)
        }
        #expect(try statuses(mock, 2) == [503, 503])
        held.removeLast()
        try mock.waitUntil(inFlight: 1)
        #expect(try statuses(mock, 1) == [200])
    }

    @Test func aConcurrencyHasTheStatusOfItsFault() throws {
        let mock = try mock(#"{"concurrency": 0, "status": 529}"#)
        #expect(try statuses(mock, 1) == [529])
    }

    @Test func aTimeScaleShrinksEveryWait() throws {
        let faults = [
            #"{"stall": {"after": 1, "for": "1h"}}"#, #"{"delay": "1h"}"#, #"{"slice": {"size": 1, "gap": "1h"}}"#,
            #"{"slowClose": "1h"}"#, #"{"bandwidth": "1B/s"}"#,
        ]
        for fault in faults {
            let mock = try mock(fault)
            mock.session.settings.timeScale = 1e-6
            // The hour would outlast the client's patience.
            #expect(try mock.raw("GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").ending == .fin)
        }
    }

    @Test func aScaledDelayIsWhatTheEventShows() throws {
        let mock = try mock(#"{"delay": "10s"}"#)
        mock.session.settings.timeScale = 0.002
        let begin = ContinuousClock.now
        #expect(try statuses(mock, 1) == [200])
        #expect(ContinuousClock.now - begin >= .milliseconds(20))
        #expect(mock.session.events.first?.addedDelay == 20_000_000)
    }

    @Test func theDelaysOfFirstByteAndChunksAddUp() throws {
        let mock = try TestMock()
        try mock.add(
            #"{"request": {"url": "/x"}, "response": {"body": "abc", "chunkedDribbleDelay": {"numberOfChunks": 3, "#
                + #""totalDuration": 0}, "delays": {"firstByte": "20ms", "perChunk": "10ms"}}}"#)
        let begin = ContinuousClock.now
        #expect(try statuses(mock, 1) == [200])
        let took = ContinuousClock.now - begin
        #expect(took >= .milliseconds(50))
        #expect(mock.session.events.first?.addedDelay == 20_000_000)
        try mock.session.settings = GlobalSettings(json: ["delays": ["perChunk": "10ms"]])
        try mock.add(#"{"request": {"url": "/x"}, "response": {"body": "abc"}}"#)
        let second = ContinuousClock.now
        #expect(try statuses(mock, 1) == [200])
        #expect(ContinuousClock.now - second >= .milliseconds(10))
    }
}
