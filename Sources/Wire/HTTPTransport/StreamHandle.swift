/// The hold on an answer that takes its time: ends it before its end, and lets it go on where its script waits.
///
/// Dropping the handle changes nothing.
public final class StreamHandle: Sendable {
    private let control: ObservedStream

    fileprivate init(_ control: ObservedStream) {
        self.control = control
    }

    /// Ends the answer and its connection soon: with a reset where bytes of it are out, so that half an answer does not
    /// look whole, and in order (FIN) otherwise. The observer hears `.cancelled`, on the loop's thread and never from
    /// inside this call. An answer that has ended stays as it is. Any thread, any time.
    public func cancel() {
        control.mailbox.post(Work { [control] in control.cancelNow() })
    }

    /// Lets the answer go on behind its hold of that name. Where it has not come there yet, it will not wait there: once for
    /// each call of this. An answer that has ended stays as it is. Any thread, any time.
    public func release(_ name: String = "") {
        control.mailbox.post(Work { [control] in control.release(name) })
    }
}

extension Reply {
    /// As `send`, for an answer that takes its time: the handle ends it before its end. Costs two small objects more, so it
    /// is worth asking `WireScript.isTimed` first.
    public consuming func sendCancellable(_ script: WireScript, observer: any StreamObserver) -> StreamHandle {
        let control = ObservedStream(mailbox, observer)
        let handle = StreamHandle(control)
        answer(script, control)
        return handle
    }
}

/// The hold on a stream that tells somebody else of its end.
private final class ObservedStream: StreamControl, @unchecked Sendable {
    // As all of `StreamControl`.
    private var observer: (any StreamObserver)?

    init(_ mailbox: Mailbox, _ observer: any StreamObserver) {
        self.observer = observer
        super.init(mailbox)
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
