internal import Dispatch
import SDBasics

/// Threads that produce answers independently of Swift's own pool. That pool has only one thread per core, and code
/// under test that waits for an answer on a semaphore blocks one of them; a test may block them all.
///
/// A job starts immediately on an idle or a new thread, because jobs may block as well. Idle threads end after some
/// seconds.
package final class KitThreads: Sendable {
    package static let shared = KitThreads()

    private struct State {
        /// The jobs without a thread, in order.
        var jobs: [@Sendable () -> Void] = []
        /// The number of threads waiting for a job.
        var idle = 0
        var count = 0
    }

    /// The maximum number of threads; further jobs wait for one.
    private static let most = 256
    private static let patience = DispatchTimeInterval.seconds(5)

    private let state = Lock(State())
    private let wakeUp = DispatchSemaphore(value: 0)

    /// Runs a job asynchronously.
    func run(_ job: @escaping @Sendable () -> Void) {
        let (wakes, starts) = state.withLock { state in
            state.jobs.append(job)
            if state.jobs.count <= state.idle { return (true, false) }
            guard state.count < Self.most else { return (false, false) }
            state.count += 1
            return (false, true)
        }
        if wakes { wakeUp.signal() }
        guard starts, !SocketCalls.startThread({ self.work() }) else { return }
        // No thread could be created. An existing thread takes the job, or else the system's queue.
        let orphan = state.withLock { state in
            state.count -= 1
            return state.count == 0 ? state.jobs.popLast() : nil
        }
        if let orphan { DispatchQueue.global().async(execute: orphan) }
    }

    /// Returns after that time. Unlike `Task.sleep`, it needs no thread of Swift's pool.
    static func pause(milliseconds: Int) async {
        await wait {
            await withCheckedContinuation { continuation in
                _ = SocketThread.shared.after(.milliseconds(milliseconds)) { continuation.resume() }
            }
        }
    }

    /// Calls `body`, which must not block, after that time unless the alarm is cancelled.
    package static func after(_ time: Duration, _ body: @escaping @Sendable () -> Void) -> Alarm {
        Alarm(alarm: SocketThread.shared.after(time, body))
    }

    /// A scheduled call that can be cancelled.
    package struct Alarm: Sendable {
        fileprivate let alarm: SocketThread.Alarm

        package func cancel() { alarm.cancel() }
    }

    // MARK: A thread

    private func work() {
        while let job = next() { job() }
    }

    /// Waits for the next job; nil if none came for a while, so that the thread ends.
    private func next() -> (@Sendable () -> Void)? {
        let first = state.withLock { state -> (@Sendable () -> Void)? in
            if state.jobs.isEmpty {
                state.idle += 1
                return nil
            }
            return state.jobs.removeFirst()
        }
        if let first { return first }
        while true {
            let isLate = wakeUp.wait(timeout: .now() + Self.patience) == .timedOut
            let (job, isOver) = state.withLock { state -> ((@Sendable () -> Void)?, Bool) in
                guard isLate || !state.jobs.isEmpty else { return (nil, false) }
                state.idle -= 1
                if !state.jobs.isEmpty { return (state.jobs.removeFirst(), true) }
                state.count -= 1
                return (nil, true)
            }
            if isOver { return job }
        }
    }
}

// MARK: Tasks

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension KitThreads: TaskExecutor {
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        run { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}

/// Runs each job inline, on the thread that resumes it.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class InPlace: TaskExecutor {
    static let shared = InPlace()

    func enqueue(_ job: consuming ExecutorJob) {
        UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
    }
}

extension KitThreads {
    /// Runs the steps of one call on these threads, so that it never waits for Swift's pool in between. Older systems
    /// have no task executors and use Swift's pool.
    package static func run<Result: Sendable>(
        _ steps: @Sendable @concurrent () async throws -> Result
    ) async throws -> Result {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return try await steps() }
        return try await withTaskExecutorPreference(shared) { try await steps() }
    }

    /// Waits for an event that a thread of the kit produces, and resumes on the caller's executor.
    ///
    /// Normally a waiting task is resumed on a thread of Swift's pool, even if it belongs to an actor such as the main
    /// one. Here it goes directly from the thread that ends the wait to that actor. Therefore that thread must hold no
    /// lock, and must not be handling a cancellation.
    package static func wait<Result: Sendable, Failure: Error>(
        _ wait: @Sendable @concurrent () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return try await wait() }
        return try await withTaskExecutorPreference(InPlace.shared) { () async throws(Failure) in try await wait() }
    }

    /// Starts a task on these threads that inherits the caller's task-local values.
    package static func task(_ body: @escaping @Sendable @concurrent () async -> Void) -> Task<Void, Never> {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return Task(operation: body) }
        return Task(executorPreference: shared, operation: body)
    }

    /// Starts a detached task on these threads.
    package static func detached(_ body: @escaping @Sendable @concurrent () async -> Void) -> Task<Void, Never> {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else {
            return Task.detached(operation: body)
        }
        return Task.detached(executorPreference: shared, operation: body)
    }
}
