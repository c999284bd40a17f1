import SDCReactor

/// A loop's calls to other servers, with its connection pool.
///
/// Used on the loop's thread only, or after the loop has ended.
package final class LoopCaller: Sendable {
    package let loop: Loop
    // Nil after `close()`.
    private nonisolated(unsafe) var raw: OpaquePointer?

    /// - Returns: nil if memory is short.
    package init?(_ loop: Loop, _ quota: CallQuota) {
        var hooks = cr_call_hooks(
            may_connect: nil,
            informational: { context, answer in
                if let answer { OutgoingCall.at(context).observer?.callInforms(CallAnswer(answer.pointee)) }
            },
            head: { context, answer in
                if let answer { OutgoingCall.at(context).observer?.callAnswers(CallAnswer(answer.pointee)) }
            },
            body_data: { context, bytes, length in
                OutgoingCall.at(context).observer?.callSends(UnsafeBufferPointer(start: bytes, count: length))
            },
            input_ended: { context in OutgoingCall.at(context).observer?.callInputEnds() },
            writable: { context in OutgoingCall.at(context).observer?.callWants() },
            ended: { context, end in
                guard let end else { return }
                OutgoingCall.take(context).ended(CallEnd(end))
            })
        guard let raw = cr_caller_new(loop.raw, quota.raw, &hooks) else { return nil }
        self.loop = loop
        self.raw = raw
    }

    deinit {
        close()
    }

    /// Ends all calls, notifies their observers and closes the connections. Must not be called from a hook.
    package func close() {
        if let raw = raw.take() { cr_caller_free(raw) }
    }

    /// Starts a call. The observer is never called before this returns.
    /// - Returns: nil if memory is short, or the loop has ended.
    package func start(_ request: CallRequest, _ observer: any CallObserver) -> OutgoingCall? {
        guard let raw else { return nil }
        let call = OutgoingCall(request.body, observer)
        let context = Unmanaged.passRetained(call)
        let begun = request.withRaw(call.bytes) { request in
            request.context = context.toOpaque()
            return cr_call_start(raw, &request)
        }
        guard let begun else {
            context.release()
            return nil
        }
        call.raw = begun
        return call
    }
}

/// The observer of a call. Called on the loop's thread, never from within a function of `OutgoingCall`; may call any of
/// them.
package protocol CallObserver: AnyObject, Sendable {
    /// Called with each informational answer except 100.
    func callInforms(_ head: CallAnswer)
    /// Called with the final head.
    func callAnswers(_ head: CallAnswer)
    /// Called with bytes of the body, or of the protocol after a 101. They are valid until this returns.
    func callSends(_ bytes: UnsafeBufferPointer<UInt8>)
    /// Called after a 101 when the server has finished sending. Our side is still open.
    func callInputEnds()
    /// Called when more of a streamed body, or of the protocol after a 101, may be sent, until `send` returns false.
    func callWants()
    /// Called once, as the last callback; not after a cancel.
    func callEnds(_ end: CallEnd)
}

extension CallObserver {
    package func callWants() {}
    package func callInputEnds() {}
}

/// A call in progress. Used on the loop's thread only; after its end or a cancel, its functions do nothing.
package final class OutgoingCall: Sendable {
    fileprivate(set) nonisolated(unsafe) var raw: OpaquePointer?
    fileprivate nonisolated(unsafe) var observer: (any CallObserver)?
    /// A copy of the body: C reads it until the call ends.
    fileprivate nonisolated(unsafe) let bytes: UnsafeBufferPointer<UInt8>

    fileprivate init(_ body: CallRequest.Body, _ observer: any CallObserver) {
        self.observer = observer
        guard case .bytes(let body) = body, !body.isEmpty else {
            bytes = UnsafeBufferPointer(start: nil, count: 0)
            return
        }
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: body.count)
        _ = copy.initialize(from: body)
        bytes = UnsafeBufferPointer(copy)
    }

    deinit {
        bytes.deallocate()
    }

    /// Resumes or pauses reading of the answer. While paused, the kernel buffers what the server sends.
    package func setReading(_ reads: Bool) {
        if let raw { cr_call_set_reading(raw, reads) }
    }

    /// Sends bytes of a streamed body, or of the protocol after a 101; unsent bytes are copied. Only after `callWants`
    /// or a 101.
    /// - Returns: whether more may be sent at once; if not, `callWants` is called later.
    package func send(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let raw, let start = bytes.baseAddress else { return raw != nil }
        return cr_call_send(raw, start, bytes.count)
    }

    /// Ends a streamed body, or our side after a 101.
    /// - Parameter trailers: the field lines after a chunked body, each with its line end.
    package func finish(trailers: [UInt8] = []) {
        if let raw { trailers.withUnsafeBufferPointer { cr_call_finish(raw, $0.baseAddress, $0.count) } }
    }

    /// Detaches the observer from a call that now belongs to another owner.
    func letGo() {
        (raw, observer) = (nil, nil)
        Unmanaged.passUnretained(self).release()
    }

    /// Ends the call and its connection. The observer is not called again.
    package func cancel() {
        observer = nil
        guard let raw = raw.take() else { return }
        cr_call_cancel(raw)
        Unmanaged.passUnretained(self).release()
    }

    fileprivate func ended(_ end: CallEnd) {
        raw = nil
        observer.take()?.callEnds(end)
    }

    fileprivate static func at(_ context: UnsafeMutableRawPointer?) -> OutgoingCall {
        guard let context else { preconditionFailure("a call without its object") }
        return Unmanaged<OutgoingCall>.fromOpaque(context).takeUnretainedValue()
    }

    /// Takes over the reference that C held, once C is done with it.
    fileprivate static func take(_ context: UnsafeMutableRawPointer?) -> OutgoingCall {
        guard let context else { preconditionFailure("a call without its object") }
        return Unmanaged<OutgoingCall>.fromOpaque(context).takeRetainedValue()
    }
}
