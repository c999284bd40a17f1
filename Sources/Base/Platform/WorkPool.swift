internal import Synchronization

/// Work that is done beside the threads that give it, on several threads at once, begun in the order in which it was
/// given. The threads live as long as there is work.
public final class WorkPool: Sendable {
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
    private let mostThreads: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - name: the threads', where the system shows names.
    ///   - threads: the largest number of jobs that are done at once.
    public init(name: String, threads: Int) {
        self.name = name
        mostThreads = max(threads, 1)
    }

    /// Has a job done. Where the system gives no thread and none is at work, the calling thread does it.
    public func add(_ job: @escaping @Sendable () -> Void) {
        let isToStart = state.withLock { state in
            state.jobs.append(job)
            guard state.threads < mostThreads else { return false }
            state.threads += 1
            return true
        }
        guard isToStart else { return }
        do throws(SystemError) {
            try SystemThread(name: name) { [self] in run() }.detach()
        } catch {
            let isAlone = state.withLock { state in
                state.threads -= 1
                defer { if state.threads == 0 { state.threads = 1 } }
                return state.threads == 0
            }
            if isAlone { run() }
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
