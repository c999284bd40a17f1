import SDCReactor

/// Work that a server does later, unless it is cancelled. Dropping the object changes nothing.
public final class ScheduledWork: Sendable {
    /// The mailbox of the loop; nil for work that is never done.
    private let mailbox: Mailbox?
    // Both are accessed only on the loop's thread, and by `init`.
    private nonisolated(unsafe) var body: (() -> Void)?
    private nonisolated(unsafe) var timer: OpaquePointer?

    /// Work of a server that has ended.
    public static let dropped = ScheduledWork()

    private init() {
        mailbox = nil
    }

    init(_ mailbox: Mailbox, _ body: @escaping @Sendable () -> Void) {
        self.mailbox = mailbox
        self.body = body
    }

    /// Cancels the work and frees it soon, unless it has begun. Callable on any thread, at any time.
    public func cancel() {
        mailbox?.post(Work { [self] in cancelNow() })
    }

    /// Starts the timer. Called on the thread of `loop`, which is the mailbox's.
    func start(on loop: OpaquePointer, nanoseconds: UInt64) {
        guard body != nil else { return }
        let argument = Unmanaged.passRetained(self).toOpaque()
        timer = cr_timer_start(loop, nanoseconds, fire, drop, argument)
        if timer == nil { fatalError("out of memory for a timer") }
    }

    private func cancelNow() {
        let dropped = body.take()
        if let timer = timer.take() {
            cr_timer_cancel(timer)
            // Releases the timer's own reference; the caller has another.
            Unmanaged.passUnretained(self).release()
        }
        withExtendedLifetime(dropped) {}
    }

    fileprivate func fireNow() {
        timer = nil
        body.take()?()
    }

    fileprivate func dropNow() {
        timer = nil
        body = nil
    }
}

private func fire(_ argument: UnsafeMutableRawPointer?) {
    guard let argument else { return }
    Unmanaged<ScheduledWork>.fromOpaque(argument).takeRetainedValue().fireNow()
}

private func drop(_ argument: UnsafeMutableRawPointer?) {
    guard let argument else { return }
    Unmanaged<ScheduledWork>.fromOpaque(argument).takeRetainedValue().dropNow()
}

extension Server {
    /// Calls `work` on the thread of that worker's loop, `nanoseconds` from now; never if the loop ends first. Callable
    /// on any thread.
    @discardableResult
    public func after(
        nanoseconds: UInt64, worker: Int = 0, _ work: @escaping @Sendable () -> Void
    ) -> ScheduledWork {
        let loop = loop(of: worker)
        let scheduled = ScheduledWork(mailboxes[worker], work)
        if cr_loop_is_current(loop) {
            scheduled.start(on: loop, nanoseconds: nanoseconds)
        } else {
            mailboxes[worker].post(Work { scheduled.start(on: loop, nanoseconds: nanoseconds) })
        }
        return scheduled
    }
}
