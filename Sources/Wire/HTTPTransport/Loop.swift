import SDCReactor

/// Work to be done once on a loop's thread.
class Job {
    func run() {}
}

/// A job that is a closure.
final class Work: Job {
    private let body: () -> Void

    init(_ body: @escaping () -> Void) {
        self.body = body
    }

    override func run() {
        body()
    }
}

/// Sends work to a loop's thread, for objects that may outlive the loop.
final class Mailbox: Sendable {
    // Thread-safe, because the C side has its own lock.
    private nonisolated(unsafe) let raw: OpaquePointer

    /// Makes the mailbox of a loop that has not been freed.
    init(of loop: OpaquePointer) {
        guard let raw = cr_loop_mailbox(loop) else { preconditionFailure("a loop without a mailbox") }
        self.raw = raw
    }

    deinit {
        cr_mailbox_release(raw)
    }

    /// Runs `job` on the loop's thread after all earlier ones; never before this returns. Any thread.
    /// - Returns: false if the loop has ended, so that the job will not run.
    @discardableResult
    func post(_ job: Job) -> Bool {
        let argument = Unmanaged.passRetained(job)
        switch cr_mailbox_post(raw, runJob, argument.toOpaque()) {
        case CR_POSTED:
            return true
        case CR_POST_ENDED:
            argument.release()
            return false
        default:
            fatalError("out of memory for a job")
        }
    }
}

/// Runs the job passed to a C callback, and releases it.
func runJob(_ argument: UnsafeMutableRawPointer?) {
    guard let argument else { return }
    Unmanaged<Job>.fromOpaque(argument).takeRetainedValue().run()
}
