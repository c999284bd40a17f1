import SDCReactor

/// The calls of a loop to other servers, and the connections that it keeps for them.
///
/// Everything is done on the loop's thread, or once the loop has ended.
package final class LoopCaller: Sendable {
    package let loop: Loop
    // Nil once it is closed.
    private nonisolated(unsafe) var raw: OpaquePointer?

    /// - Returns: nil if memory is short.
    package init?(_ loop: Loop, _ quota: CallQuota) {
        var hooks = cr_call_hooks(
            admits: nil,
            informs: { context, answer in
                if let answer { OutgoingCall.at(context).observer?.callInforms(CallAnswer(answer.pointee)) }
            },
            answers: { context, answer in
                if let answer { OutgoingCall.at(context).observer?.callAnswers(CallAnswer(answer.pointee)) }
            },
            body: { context, bytes, length in
                OutgoingCall.at(context).observer?.callSends(UnsafeBufferPointer(start: bytes, count: length))
            },
            input_ended: nil,
            wants: { context in OutgoingCall.at(context).observer?.callWants() },
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

    /// Ends all calls, whose observers are told, and closes the connections. Not from within a hook.
    package func close() {
        if let raw = raw.take() { cr_caller_free(raw) }
    }

    /// Begins a call. The observer is never told anything before this returns.
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

/// Is told what becomes of a call, on its loop's thread, and never within a function of calls. What it does there may call
/// each of them.
package protocol CallObserver: AnyObject, Sendable {
    /// Called with each informational answer; but 100, for which no request waits.
    func callInforms(_ head: CallAnswer)
    /// Called with the head of the answer.
    func callAnswers(_ head: CallAnswer)
    /// Called with bytes of the body, or of what follows a 101, which are good until this returns.
    func callSends(_ bytes: UnsafeBufferPointer<UInt8>)
    /// Called when more of a streamed body may be sent, until `send` returns false.
    func callWants()
    /// Called once and last, unless the call was cancelled.
    func callEnds(_ end: CallEnd)
}

extension CallObserver {
    package func callWants() {}
}

/// A call that is under way. Used on the loop's thread alone; once it has ended or was cancelled, nothing happens any more.
package final class OutgoingCall: Sendable {
    fileprivate(set) nonisolated(unsafe) var raw: OpaquePointer?
    fileprivate nonisolated(unsafe) var observer: (any CallObserver)?
    /// A copy of the body, since C reads it until the call ends.
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

    /// Begins or stops to read the answer: what the server sends meanwhile waits in the kernel.
    package func read(_ reads: Bool) {
        if let raw { cr_call_read(raw, reads) }
    }

    /// Sends bytes of a streamed body, or behind a 101; they are copied as far as the server does not take them. Only once
    /// `callWants` was called, or a 101 came.
    /// - Returns: whether more may follow at once; otherwise `callWants` is called later.
    package func send(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let raw, let start = bytes.baseAddress else { return raw != nil }
        return cr_call_send(raw, start, bytes.count)
    }

    /// Ends such a body, or our side behind a 101.
    /// - Parameter trailers: the lines of fields behind a body in chunks, each with its line end.
    package func finish(trailers: [UInt8] = []) {
        if let raw { trailers.withUnsafeBufferPointer { cr_call_finish(raw, $0.baseAddress, $0.count) } }
    }

    /// Lets go of a call that belongs to another: the observer is told nothing more.
    func letGo() {
        (raw, observer) = (nil, nil)
        Unmanaged.passUnretained(self).release()
    }

    /// Ends the call, and its connection with it; the observer is told nothing more.
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

    /// Takes it back from C, which is done with it.
    fileprivate static func take(_ context: UnsafeMutableRawPointer?) -> OutgoingCall {
        guard let context else { preconditionFailure("a call without its object") }
        return Unmanaged<OutgoingCall>.fromOpaque(context).takeRetainedValue()
    }
}
