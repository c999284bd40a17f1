internal import Synchronization

/// A queue of work on a thread of its own: one job after another, in the order in which they were added. The thread
/// lives as long as there is work.
public final class WorkQueue: Sendable {
    private struct State {
        var jobs: [@Sendable () -> Void] = []
        var isRunning = false
    }

    private let name: String
    private let state = Mutex(State())

    /// Makes a queue.
    /// - Parameter name: the name of the thread, where the system shows names.
    public init(name: String) {
        self.name = name
    }

    /// Adds work after all earlier work.
    public func add(_ job: @escaping @Sendable () -> Void) {
        if append(job) { start() }
    }

    /// Adds work like `add`, in two steps, for callers that hold a lock: starting a thread takes time.
    /// - Returns: whether `start` must be called before anything is done.
    public func append(_ job: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            state.jobs.append(job)
            defer { state.isRunning = true }
            return !state.isRunning
        }
    }

    /// Starts the thread. If the system cannot start one, the calling thread does the work.
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

    /// The jobs to do next; nil if there are none, so that the thread ends.
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
