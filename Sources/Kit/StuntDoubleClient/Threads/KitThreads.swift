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
    /// Blocks for moments only, so that one thread does for all pauses.
    private static let clock = DispatchQueue(label: "stuntdouble.pauses")

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

    /// Returns after that time, without a thread that waits for it.
    static func pause(milliseconds: Int) async {
        await withCheckedContinuation { continuation in
            clock.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { continuation.resume() }
        }
    }

    /// Calls `body` after that time, unless what is returned is cancelled.
    package static func after(_ time: Duration, _ body: @escaping @Sendable () -> Void) -> Alarm {
        let item = DispatchWorkItem(block: body)
        let milliseconds =
            Int(clamping: time.components.seconds * 1_000)
            + Int(time.components.attoseconds / 1_000_000_000_000_000)
        clock.asyncAfter(deadline: .now() + .milliseconds(milliseconds), execute: item)
        return Alarm(item: item)
    }

    /// A call that is still to come.
    ///
    /// Sendable although a work item is not: that is only cancelled, which any thread may do.
    package struct Alarm: @unchecked Sendable {
        fileprivate let item: DispatchWorkItem

        package func cancel() { item.cancel() }
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

extension KitThreads {
    /// Whether the current task was started here, or is a child of one that was.
    @TaskLocal static var isCurrent = false

    /// Starts a task on these threads, with the values of the task that starts it. Older systems know no threads but
    /// Swift's own for it.
    package static func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        let marked: @Sendable () async -> Void = { await $isCurrent.withValue(true) { await body() } }
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return Task(operation: marked) }
        return Task(executorPreference: shared, operation: marked)
    }

    /// Starts a task on these threads that takes nothing from the one that starts it.
    package static func detached(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        let marked: @Sendable () async -> Void = { await $isCurrent.withValue(true) { await body() } }
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else {
            return Task.detached(operation: marked)
        }
        return Task.detached(executorPreference: shared, operation: marked)
    }
}
