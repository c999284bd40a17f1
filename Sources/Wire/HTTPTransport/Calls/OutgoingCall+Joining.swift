import SDCReactor

extension OutgoingCall {
    /// After a 101, relays bytes between a stream's client and the server, in each direction until it ends. The relay
    /// starts after the answer to the client has been sent (`end(.keepAlive)`). Only within `callAnswers`, for a stream
    /// of the same loop. The observer is not called again.
    /// - Parameter onEnd: called once, on the loop's thread; possibly without a byte relayed, if the answer ended
    ///   otherwise.
    /// - Returns: false if the client speaks HTTP/2, or its stream has ended.
    package func join(
        _ stream: StreamingReply, onEnd: @escaping @Sendable (TunnelEnd) -> Void
    ) -> Bool {
        guard let raw, let stream = stream.raw else { return false }
        // The call keeps the request's body alive.
        let context = Unmanaged.passRetained(JoinEnd(self, onEnd)).toOpaque()
        let isJoined = cr_call_tunnel(
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
