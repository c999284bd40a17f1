internal import Synchronization

/// Work that is done beside the threads that give it: one piece after another, in the order in which it was given. Its
/// thread lives as long as there is work.
public final class WorkQueue: Sendable {
    private struct State {
        var jobs: [@Sendable () -> Void] = []
        var isRunning = false
    }

    private let name: String
    private let state = Mutex(State())

    /// - Parameter name: the thread's, where the system shows names.
    public init(name: String) {
        self.name = name
    }

    /// Puts work behind the work that was given before.
    public func add(_ job: @escaping @Sendable () -> Void) {
        if append(job) { start() }
    }

    /// As `add`, in two steps for those who hold a lock: starting a thread takes time.
    /// - Returns: true where `start` must be called before anything is done.
    public func append(_ job: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            state.jobs.append(job)
            defer { state.isRunning = true }
            return !state.isRunning
        }
    }

    /// Starts the thread. Where the system has none to give, the calling thread does the work.
    public func start() {
        do throws(SystemError) {
            try SystemThread(name: name) { [self] in run() }.detach()
        } catch {
            run()
        }
    }

    private func run() {
        while let jobs = takeAll() {
            for job in jobs { job() }
        }
    }

    /// Nil where there is no more: the thread ends.
    private func takeAll() -> [@Sendable () -> Void]? {
        state.withLock { state in
            if state.jobs.isEmpty {
                state.isRunning = false
                return nil
            }
            defer { state.jobs = [] }
            return state.jobs
        }
    }
}
