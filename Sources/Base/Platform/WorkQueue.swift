internal import Synchronization

/// Runs jobs on background threads in FIFO order: one at a time, or up to `threads` at once. The threads end when there
/// is no work.
public final class WorkQueue: Sendable {
    private struct State {
        /// The jobs that have not started, the next one at `first`.
        var jobs: [(@Sendable () -> Void)?] = []
        var first = 0
        var threads = 0

        mutating func take() -> (@Sendable () -> Void)? {
            guard first < jobs.count else { return nil }
            let job = jobs[first]
            jobs[first] = nil
            first += 1
            if first == jobs.count || first > 64 && first > jobs.count / 2 {
                jobs.removeFirst(first)
                first = 0
            }
            return job
        }
    }

    private let name: String
    private let maxThreads: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - name: the name of the threads in system tools.
    ///   - threads: the maximum number of concurrent jobs.
    public init(name: String, threads: Int = 1) {
        self.name = name
        maxThreads = max(threads, 1)
    }

    /// Appends a job.
    public func add(_ job: @escaping @Sendable () -> Void) {
        if append(job) { start() }
    }

    /// Appends a job like `add`, for callers that hold a lock, because starting a thread takes time.
    /// - Returns: whether the caller must call `start`: no thread would run the job otherwise, or another thread may be
    ///   added.
    public func append(_ job: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            state.jobs.append(job)
            guard state.threads < maxThreads else { return false }
            state.threads += 1
            return true
        }
    }

    /// Starts a thread. If the system cannot create one and none is running, the calling thread does the work.
    public func start() {
        do throws(SystemError) {
            try SystemThread(name: name) { [self] in run() }.detach()
        } catch {
            let isLeftToOthers = state.withLock { state in
                guard state.threads > 1 else { return false }
                state.threads -= 1
                return true
            }
            if !isLeftToOthers { run() }
        }
    }

    private func run() {
        while let job = next() { job() }
    }

    /// The next job; nil if there is none, which ends the thread.
    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            let job = state.take()
            if job == nil { state.threads -= 1 }
            return job
        }
    }
}
