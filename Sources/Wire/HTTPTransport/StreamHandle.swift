/// A handle on a slow answer: cancels it before its end, and lets it continue where its script waits.
///
/// Dropping the handle changes nothing.
public final class StreamHandle: Sendable {
    private let control: ObservedStream

    fileprivate init(_ control: ObservedStream) {
        self.control = control
    }

    /// Ends the answer and its connection soon: with a reset if bytes of it were sent, so that a partial answer does
    /// not look complete, and otherwise in order (FIN). The observer is told `.cancelled`, on the loop's thread and
    /// never inside this call. An answer that has ended is not affected. Callable on any thread, at any time.
    public func cancel() {
        control.loop.post(Work { [control] in control.cancelNow() })
    }

    /// Lets the answer continue after its hold of that name. If it has not reached the hold yet, it will not wait
    /// there: once for each call. An answer that has ended is not affected. Callable on any thread, at any time.
    public func release(_ name: String = "") {
        control.loop.post(Work { [control] in control.release(name) })
    }
}

extension Reply {
    /// Sends like `send`, for a slow answer, which the handle can end early. This costs two small objects more, so
    /// callers check `WireScript.isTimed` first.
    public consuming func sendCancellable(_ script: WireScript, observer: any StreamObserver) -> StreamHandle {
        let control = ObservedStream(loop, observer)
        let handle = StreamHandle(control)
        answer(script, control)
        return handle
    }
}

/// The control of a stream with an observer of its own.
private final class ObservedStream: StreamControl, @unchecked Sendable {
    // Accessed like the state of `StreamControl`.
    private var observer: (any StreamObserver)?

    init(_ loop: Loop, _ observer: any StreamObserver) {
        self.observer = observer
        super.init(loop)
    }

    override func streamHeld(at name: String) {
        super.streamHeld(at: name)
        observer?.streamHeld(at: name)
    }

    override func streamEnded(_ end: StreamEnd) {
        super.streamEnded(end)
        observer.take()?.streamEnded(end)
    }
}
