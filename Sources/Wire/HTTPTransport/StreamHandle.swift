/// A handle on a slow answer: cancels it, or releases the holds of its script.
///
/// Dropping the handle changes nothing.
public final class StreamHandle: Sendable {
    private let control: ObservedStream

    fileprivate init(_ control: ObservedStream) {
        self.control = control
    }

    /// Ends the answer and its connection soon: with a reset if part of the answer was sent, so that it does not look
    /// complete; otherwise in order (FIN). The observer receives `.cancelled` on the loop's thread, never inside this
    /// call. Does nothing after the end. Callable on any thread, at any time.
    public func cancel() {
        control.loop.post(Work { [control] in control.cancelNow() })
    }

    /// Lets the answer continue past its hold of that name. If the script has not reached the hold yet, it will not
    /// wait there, once per call. Does nothing after the end. Callable on any thread, at any time.
    public func release(_ name: String = "") {
        control.loop.post(Work { [control] in control.release(name) })
    }
}

extension Reply {
    /// Sends a slow answer like `send`, and returns a handle that can end it early. Costs two small allocations, so
    /// check `WireScript.isTimed` first.
    public consuming func sendCancellable(_ script: WireScript, observer: any StreamObserver) -> StreamHandle {
        let control = ObservedStream(loop, observer)
        let handle = StreamHandle(control)
        answer(script, control)
        return handle
    }
}

/// A stream control that forwards to an observer.
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
