import SDBasics
import Testing

@testable import StuntDoubleClient

@Suite struct ConnectionPoolTests {
    /// More than may begin at once: each place is free as soon as the answer is there, whoever takes it.
    @Test func callsWhoseCallersGetNoThreadKeepNoOthersAway() async throws {
        try await withSession { mock in
            let callers = HeldCallers()
            let calls = (0..<100).map { _ in Task(executorPreference: callers) { try await mock.scenarios.count } }
            callers.runOnce()
            let scenarios = try await mock.scenarios
            #expect(scenarios.isEmpty)
            callers.runAll()
            for call in calls {
                let count = try await call.value
                #expect(count == 0)
            }
        }
    }

    @Test func aCallThatIsCancelledWhileItWaitsForAPlaceEnds() async throws {
        let pool = ConnectionPool(host: "127.0.0.1", port: 1)
        let entered = Promise<Void>()
        for _ in 0..<32 { pool.enter { entered.fulfil(()) } }
        let call = Task { try await pool.call(PooledCall.Request(bytes: [])) }
        await entered.value
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        for _ in 0..<32 { pool.leave() }
        // The place that it waited for is free.
        let others = Lock(0)
        for _ in 0..<32 { pool.enter { others.withLock { $0 += 1 } } }
        #expect(others.withLock { $0 } == 32)
    }
}

/// Tasks whose threads are all busy: each runs when the test says so.
private final class HeldCallers: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var isFree = false
    }

    private let state = Lock(State())

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isFree = state.withLock { state in
            if !state.isFree { state.jobs.append(job) }
            return state.isFree
        }
        if isFree { run(job) }
    }

    /// Runs each task until it waits.
    func runOnce() {
        let jobs = state.withLock { state in
            defer { state.jobs = [] }
            return state.jobs
        }
        for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// Runs them to their ends.
    func runAll() {
        state.withLock { $0.isFree = true }
        let jobs = state.withLock { state in
            defer { state.jobs = [] }
            return state.jobs
        }
        for job in jobs { run(job) }
    }

    private func run(_ job: UnownedJob) {
        KitThreads.shared.run { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
