import SDCReactor
public import SDPlatform

/// How tunnels are opened whose clients go on in TLS; shared by all loops.
public final class TunnelSecurity: Sendable {
    // Immutable but for its count of references, which is atomic.
    fileprivate nonisolated(unsafe) let listeners: SecuredListeners

    /// - Throws: that TLS cannot be used in this process, or what is wrong with the settings.
    public init(_ settings: TLSSettings) throws(TransportError) {
        listeners = try SecuredListeners(settings, at: "tunnels")
    }
}

extension Reply {
    /// Goes on with the client, once the answer has come to its end, as if it had connected to the host for which it asked:
    /// in TLS, or in the clear if it begins so. Must be called on the loop's thread, before the answer.
    /// - Returns: false if the connection cannot do that: it speaks HTTP/2, or is in TLS already.
    public borrowing func openTunnel(to host: String, _ security: TunnelSecurity) -> Bool {
        security.listeners.withRaw { cr_stream_open_tunnel(stream, $0, host) }
    }

    /// Passes on what comes between the client and another server, once the answer has come to its end: each direction until
    /// it ends. Must be called on the loop's thread, before the answer.
    /// - Parameters:
    ///   - server: a connected socket that does not block.
    ///   - idle: the longest time in which nothing comes from either side, in milliseconds.
    ///   - onEnd: called once, on the loop's thread, with the number of bytes from and to the client.
    /// - Returns: false if the connection cannot do that: it speaks HTTP/2.
    public borrowing func tunnel(
        to server: consuming FileDescriptor, idle: Int,
        onEnd: @escaping @Sendable (_ up: UInt64, _ down: UInt64) -> Void
    ) -> Bool {
        let context = Unmanaged.passRetained(TunnelEnd(onEnd)).toOpaque()
        let begun = cr_stream_tunnel(
            stream, server.number, UInt32(clamping: max(idle, 1)),
            { context, up, down in
                guard let context else { return }
                Unmanaged<TunnelEnd>.fromOpaque(context).takeRetainedValue().onEnd(up, down)
            }, context)
        if begun {
            _ = server.release()
        } else {
            Unmanaged<TunnelEnd>.fromOpaque(context).release()
        }
        return begun
    }
}

private final class TunnelEnd: Sendable {
    let onEnd: @Sendable (UInt64, UInt64) -> Void

    init(_ onEnd: @escaping @Sendable (UInt64, UInt64) -> Void) {
        self.onEnd = onEnd
    }
}
