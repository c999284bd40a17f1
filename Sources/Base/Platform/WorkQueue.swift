internal import Synchronization

/// Work that is done beside the threads that give it, begun in the order in which it was given: one piece after another
/// or, with several threads, so many at once. The threads live as long as there is work.
public final class WorkQueue: Sendable {
    private struct State {
        /// The jobs that have not begun, the next one at `first`.
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
    ///   - name: the threads' name, where the system shows such names.
    ///   - threads: the largest number of jobs that are done at once.
    public init(name: String, threads: Int = 1) {
        self.name = name
        maxThreads = max(threads, 1)
    }

    /// Appends a job.
    public func add(_ job: @escaping @Sendable () -> Void) {
        if append(job) { start() }
    }

    /// Appends a job like `add`, for callers that hold a lock, because starting a thread takes time.
    /// - Returns: whether `start` must be called, since no thread would do the job otherwise, or fewer than may be.
    public func append(_ job: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            state.jobs.append(job)
            guard state.threads < maxThreads else { return false }
            state.threads += 1
            return true
        }
    }

    /// Starts a thread. If the system cannot make one and none is at work, the calling thread does the work.
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

    /// The next job; nil if there is none, so that the thread ends.
    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            let job = state.take()
            if job == nil { state.threads -= 1 }
            return job
        }
    }
}
