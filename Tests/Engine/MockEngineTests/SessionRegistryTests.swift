import SDMockEngine
import SDTestSupport
import Testing

/// The ends of sessions that nobody asks for.
@Suite struct SessionRegistryTests {
    /// A registry whose time and sweeps are the test's.
    private struct Swept {
        let registry: SessionRegistry
        private let time = Locked<Int64>(0)
        private let sweeps = Locked<[(due: Int64, work: @Sendable () -> Void)]>([])

        init() {
            var options = SessionOptions()
            options.clock = { [time] in time.withLock { $0 } }
            registry = SessionRegistry(base: Session(options: options)) { [time, sweeps] milliseconds, work in
                let due = time.withLock { $0 } + milliseconds
                sweeps.withLock { $0.append((due, work)) }
            }
        }

        /// Lets time pass, and makes the sweeps that are due.
        func pass(_ milliseconds: Int64) {
            let now = time.withLock { time in
                time += milliseconds
                return time
            }
            let due = sweeps.withLock { sweeps in
                defer { sweeps.removeAll { $0.due <= now } }
                return sweeps.filter { $0.due <= now }
            }
            for sweep in due { sweep.work() }
        }

        func begin(ttl: Int64, through origin: LiveSession? = nil) -> LiveSession {
            var request = SessionRequest()
            request.origin = origin?.session
            request.ttl = ttl
            return registry.createSession(registry.issueID(), request, endpoint: nil, now: 0)
        }
    }

    @Test func aSessionEndsByItselfAtItsTime() {
        let swept = Swept()
        let (short, long) = (swept.begin(ttl: 5_000), swept.begin(ttl: 60_000))
        swept.pass(4_999)
        #expect(swept.registry.all.count == 2)
        swept.pass(1)
        #expect(!swept.registry.deleteSession(short.id), "the session was not ended by the sweep")
        #expect(swept.registry.all.map(\.id) == [long.id])
    }

    @Test func aSessionInUseLivesOn() {
        let swept = Swept()
        let live = swept.begin(ttl: 5_000)
        for _ in 0..<5 {
            swept.pass(4_000)
            live.touch()
        }
        #expect(swept.registry.all.count == 1)
        swept.pass(4_000)
        swept.pass(1_000)
        #expect(!swept.registry.deleteSession(live.id))
    }

    @Test func theUseOfASessionIsThatOfThoseThroughWhichItWasBegun() {
        let swept = Swept()
        let first = swept.begin(ttl: 5_000)
        let second = swept.begin(ttl: 5_000, through: first)
        let third = swept.begin(ttl: 60_000, through: second)
        let other = swept.begin(ttl: 60_000)
        for _ in 0..<5 {
            swept.pass(4_000)
            third.touch()
            other.touch()
        }
        #expect(swept.registry.all.map(\.id) == [first.id, second.id, third.id, other.id])
        // That of the first is not that of the others.
        swept.pass(4_000)
        first.touch()
        swept.pass(4_000)
        #expect(swept.registry.all.map(\.id) == [first.id, third.id, other.id])
        if case .alive? = swept.registry.find(first.id) { return }
        Issue.record("it has ended")
    }
}
