internal import Dispatch
import SDBasics

/// Threads of the kit's own for all that an answer needs. Swift's own threads are as few as the processor's cores, and
/// code under test that waits for an answer with a semaphore takes one of them; a test of it may take them all.
///
/// A job gets a thread at once: an idle one, or else a new one, as a job may block, too. Idle threads end after some
/// seconds.
package final class KitThreads: Sendable {
    package static let shared = KitThreads()

    private struct State {
        /// The jobs that no thread has taken, the first to run first.
        var jobs: [@Sendable () -> Void] = []
        /// The number of threads that wait for a job.
        var idle = 0
        var count = 0
    }

    /// The most threads; with as many jobs that block, others wait.
    private static let most = 256
    private static let patience = DispatchTimeInterval.seconds(5)

    private let state = Lock(State())
    private let wakeUp = DispatchSemaphore(value: 0)

    /// Runs a job, soon.
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
        // There can be no more threads. Those that there are take it, or else the system's.
        let orphan = state.withLock { state in
            state.count -= 1
            return state.count == 0 ? state.jobs.popLast() : nil
        }
        if let orphan { DispatchQueue.global().async(execute: orphan) }
    }

    /// Returns after that time. Unlike `Task.sleep`, which is woken on a thread of Swift's, it needs none of these.
    static func pause(milliseconds: Int) async {
        await wait {
            await withCheckedContinuation { continuation in
                _ = SocketThread.shared.after(.milliseconds(milliseconds)) { continuation.resume() }
            }
        }
    }

    /// Calls `body`, which must not block, after that time, unless what is returned is cancelled.
    package static func after(_ time: Duration, _ body: @escaping @Sendable () -> Void) -> Alarm {
        Alarm(alarm: SocketThread.shared.after(time, body))
    }

    /// A call that is still to come.
    package struct Alarm: Sendable {
        fileprivate let alarm: SocketThread.Alarm

        package func cancel() { alarm.cancel() }
    }

    // MARK: A thread

    private func work() {
        while let job = next() { job() }
    }

    /// The next job; nil if there has been none for a while, and the thread is to end.
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

/// Runs each job at once, on the thread that has made it ready.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class InPlace: TaskExecutor {
    static let shared = InPlace()

    func enqueue(_ job: consuming ExecutorJob) {
        UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
    }
}

extension KitThreads {
    /// Runs the steps of one call on these threads, whatever thread it was made on: between its beginning and its end it
    /// waits for nobody else's. Older systems know no threads but Swift's own for it.
    package static func run<Result: Sendable>(
        _ steps: @Sendable @concurrent () async throws -> Result
    ) async throws -> Result {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return try await steps() }
        return try await withTaskExecutorPreference(shared) { try await steps() }
    }

    /// Waits for one thing that a thread of the kit brings about, and goes on on that of the caller.
    ///
    /// A task that has waited first gets a thread of Swift's pool, even if it belongs to an actor such as the main one, whose
    /// thread is free. Here it goes from the thread that ends the wait to that actor, without another in between. So what
    /// ends it must hold no lock, and must not be a cancellation itself.
    package static func wait<Result: Sendable, Failure: Error>(
        _ wait: @Sendable @concurrent () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return try await wait() }
        return try await withTaskExecutorPreference(InPlace.shared) { () async throws(Failure) in try await wait() }
    }

    /// Starts a task on these threads, with the values of the task that starts it.
    package static func task(_ body: @escaping @Sendable @concurrent () async -> Void) -> Task<Void, Never> {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return Task(operation: body) }
        return Task(executorPreference: shared, operation: body)
    }

    /// Starts a task on these threads that takes nothing from the one that starts it.
    package static func detached(_ body: @escaping @Sendable @concurrent () async -> Void) -> Task<Void, Never> {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else {
            return Task.detached(operation: body)
        }
        return Task.detached(executorPreference: shared, operation: body)
    }
}
