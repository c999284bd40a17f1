import CReactor

/// Something to be done on a loop's thread, once.
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

/// The way to a loop's thread for those who may outlive the loop.
final class Mailbox: Sendable {
    // The C side has a lock of its own.
    private nonisolated(unsafe) let raw: OpaquePointer

    /// Of a loop that has not been freed.
    init(of loop: OpaquePointer) {
        guard let raw = cr_loop_mailbox(loop) else { preconditionFailure("a loop without a mailbox") }
        self.raw = raw
    }

    deinit {
        cr_mailbox_release(raw)
    }

    /// Runs `job` on the loop's thread, behind those that were posted before; never at once. Any thread.
    /// - Returns: false where the loop has ended: the job will not run.
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

/// Runs the job that a C callback carries, and lets it go.
func runJob(_ argument: UnsafeMutableRawPointer?) {
    guard let argument else { return }
    Unmanaged<Job>.fromOpaque(argument).takeRetainedValue().run()
}
