import SDCReactor

/// Work that a loop does once, later, unless it is cancelled. Dropping the object changes nothing. See `Loop.after`.
public final class ScheduledWork: Sendable {
    /// The loop; nil for work that is never done.
    private let loop: Loop?
    // Both are accessed only on the loop's thread, and by `init`.
    private nonisolated(unsafe) var body: (() -> Void)?
    private nonisolated(unsafe) var timer: OpaquePointer?

    /// Stands for work scheduled on a server that has ended: it never runs.
    public static let dropped = ScheduledWork()

    private init() {
        loop = nil
    }

    init(_ loop: Loop, _ body: @escaping @Sendable () -> Void) {
        self.loop = loop
        self.body = body
    }

    /// Cancels the work and frees it, unless it has started. On the loop's thread this is immediate, so the work cannot
    /// start any more; elsewhere it happens soon. Callable on any thread, at any time.
    public func cancel() {
        guard let loop else { return }
        if loop.isCurrent { cancelNow() } else { loop.post(Work { [self] in cancelNow() }) }
    }

    /// Starts the timer. Called on the thread of its loop.
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
            // Releases the timer's reference; the caller holds another.
            Unmanaged.passUnretained(self).release()
        }
        withExtendedLifetime(dropped) {}
    }

    fileprivate func fireNow() {
        timer = nil
        body.take()?()
    }

    /// Frees the work. Called on the loop's thread, or when the work never reached the loop.
    func dropNow() {
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
