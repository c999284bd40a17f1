import SDCReactor

/// The event loop of a worker, for code that runs beside the connections: a responder that waits for an outside event,
/// work after the end of an exchange, a library whose sockets and timers the loop drives.
///
/// The handle may outlive the loop. When the loop ends, its watches and timers are dropped without a call, and their
/// closures are freed on the loop's thread. Functions called after that do nothing.
public final class Loop: Sendable {
    // Thread-safe: the C side has its own lock.
    private nonisolated(unsafe) let mailbox: OpaquePointer
    // Used only where `mayBeTouched` holds.
    nonisolated(unsafe) let raw: OpaquePointer
    /// Measures the calls made on the loop; nil for none.
    private let watchdog: LoopWatchdog?

    /// Makes the handle on a loop that has not been freed.
    init(_ raw: OpaquePointer, _ watchdog: LoopWatchdog?) {
        self.watchdog = watchdog
        guard let mailbox = cr_loop_mailbox(raw) else { preconditionFailure("a loop without a mailbox") }
        self.mailbox = mailbox
        self.raw = raw
    }

    deinit {
        cr_mailbox_release(mailbox)
    }

    /// Whether this is the loop's own thread. Any thread.
    public var isCurrent: Bool { cr_mailbox_is_current(mailbox) }

    /// Whether the loop may be touched on this thread: it is the loop's own, or no thread runs the loop.
    var mayBeTouched: Bool { isCurrent || !cr_mailbox_is_running(mailbox) }

    /// Calls `work` on the loop's thread after all earlier work; never before this returns. Callable on any thread.
    /// - Returns: false if the loop has ended, so that the work will not be done.
    @discardableResult
    public func perform(
        file: StaticString = #fileID, line: UInt = #line, _ work: @escaping @Sendable () -> Void
    ) -> Bool {
        post(Work(work), file: file, line: line)
    }

    /// Calls `work` on the loop's thread, `nanoseconds` from now; never if the loop ends first. Callable on any thread.
    @discardableResult
    public func after(
        nanoseconds: UInt64, file: StaticString = #fileID, line: UInt = #line, _ work: @escaping @Sendable () -> Void
    ) -> ScheduledWork {
        let scheduled = ScheduledWork(self, watched(work, file, line))
        if isCurrent {
            scheduled.start(on: raw, nanoseconds: nanoseconds)
        } else if !post(Work { [raw] in scheduled.start(on: raw, nanoseconds: nanoseconds) }) {
            scheduled.dropNow()
        }
        return scheduled
    }

    /// Delays the end of a drain until the matching `letGo()`, at most for the drain's time limit.
    /// - Precondition: called on the loop's thread.
    public func hold() {
        precondition(mayBeTouched, "a loop is held on its thread")
        if !cr_mailbox_has_ended(mailbox) { cr_loop_hold(raw) }
    }

    /// - Precondition: called on the loop's thread, after `hold`.
    public func letGo() {
        precondition(mayBeTouched, "a loop is let go on its thread")
        if !cr_mailbox_has_ended(mailbox) { cr_loop_release(raw) }
    }

    /// Calls `ready` on the loop's thread whenever the descriptor is ready for something in `interest`. The descriptor
    /// still belongs to the caller, and must stay open until the watch is stopped or the loop has ended.
    /// - Throws: the system's error: EPERM for a descriptor that is always ready, such as a file's; ECANCELED if the
    ///   loop has ended.
    /// - Precondition: called on the loop's thread, where its requests are served, or before the server runs.
    public func watch(
        descriptor: Int32, for interest: Readiness, file: StaticString = #fileID, line: UInt = #line,
        _ ready: @escaping @Sendable (Readiness) -> Void
    ) throws(TransportError) -> DescriptorWatch {
        precondition(mayBeTouched, "a descriptor is watched on the thread of its loop")
        guard !cr_mailbox_has_ended(mailbox) else {
            throw TransportError(ended: "watch descriptor \(descriptor)")
        }
        let watched = watchdog.map { dog in
            { @Sendable (what: Readiness) in dog.watch("\(file):\(line)") { ready(what) } }
        }
        return try DescriptorWatch(self, raw, descriptor, interest, watched ?? ready)
    }

    /// Wraps work so that the watchdog can name it.
    func watched(
        _ work: @escaping @Sendable () -> Void, _ file: StaticString, _ line: UInt
    ) -> @Sendable () -> Void {
        guard let watchdog else { return work }
        return { watchdog.watch("\(file):\(line)", work) }
    }

    /// Runs `job` on the loop's thread after all earlier ones; never before this returns. Any thread.
    /// - Returns: false if the loop has ended, so that the job will not run.
    @discardableResult
    func post(_ job: Job, file: StaticString = #fileID, line: UInt = #line) -> Bool {
        let job = watchdog.map { WatchedJob(job, $0, "\(file):\(line)") } ?? job
        let argument = Unmanaged.passRetained(job)
        switch cr_mailbox_post(mailbox, runJob, argument.toOpaque()) {
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

extension Server {
    /// The loop of a worker.
    /// - Precondition: there is such a worker.
    public func loop(_ worker: Int = 0) -> Loop {
        precondition(handles.indices.contains(worker), "there is no worker \(worker) of \(handles.count)")
        return handles[worker]
    }
}

extension Reply {
    /// The loop of the connection on which the request came.
    public var loop: Loop { server.handles[worker] }
}

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

/// Runs the job passed to a C callback, and releases it.
func runJob(_ argument: UnsafeMutableRawPointer?) {
    guard let argument else { return }
    Unmanaged<Job>.fromOpaque(argument).takeRetainedValue().run()
}
