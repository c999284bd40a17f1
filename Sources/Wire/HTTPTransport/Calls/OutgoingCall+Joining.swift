import SDCReactor

extension OutgoingCall {
    /// Behind a 101: passes on what comes between the client of a stream and the server, once the answer to the client has come to
    /// its end (`end(.keepAlive)`): each direction until it ends. Only within `callAnswers`, for a stream of the same loop. The
    /// observer is told nothing more.
    /// - Parameter onEnd: called once, on the loop's thread; perhaps without a byte, as the answer ended otherwise.
    /// - Returns: false if the client's connection cannot do that: it speaks HTTP/2, or its stream has ended.
    package func join(
        _ stream: HeldStream, onEnd: @escaping @Sendable (TunnelEnd) -> Void
    ) -> Bool {
        guard let raw, let stream = stream.raw else { return false }
        // The body of the request stays with the call.
        let context = Unmanaged.passRetained(JoinEnd(self, onEnd)).toOpaque()
        let isJoined = cr_call_join(
            raw, stream,
            { context, end in
                guard let context, let end else { return }
                Unmanaged<JoinEnd>.fromOpaque(context).takeRetainedValue().onEnd(TunnelEnd(end.pointee))
            }, context)
        if isJoined { letGo() } else { Unmanaged<JoinEnd>.fromOpaque(context).release() }
        return isJoined
    }
}

private final class JoinEnd: Sendable {
    private let call: OutgoingCall
    let onEnd: @Sendable (TunnelEnd) -> Void

    init(_ call: OutgoingCall, _ onEnd: @escaping @Sendable (TunnelEnd) -> Void) {
        self.call = call
        self.onEnd = onEnd
    }
}
