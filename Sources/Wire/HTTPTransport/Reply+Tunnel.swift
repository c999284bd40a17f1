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
    ///   - onEnd: called once, on the loop's thread.
    /// - Returns: false if the connection cannot do that: it speaks HTTP/2.
    public borrowing func tunnel(
        to server: consuming FileDescriptor, idle: Int,
        onEnd: @escaping @Sendable (TunnelEnd) -> Void
    ) -> Bool {
        let context = Unmanaged.passRetained(TunnelObserver(onEnd)).toOpaque()
        let begun = cr_stream_tunnel(
            stream, server.number, UInt32(clamping: max(idle, 1)),
            { context, end in
                guard let context, let end else { return }
                Unmanaged<TunnelObserver>.fromOpaque(context).takeRetainedValue().onEnd(TunnelEnd(end.pointee))
            }, context)
        if begun {
            _ = server.release()
        } else {
            Unmanaged<TunnelObserver>.fromOpaque(context).release()
        }
        return begun
    }
}

/// The end of a tunnel.
public struct TunnelEnd: Sendable {
    /// The number of bytes from the client, and to it.
    public let up, down: UInt64
    /// Whether it has ended since neither side has sent anything for too long.
    public let hasRested: Bool

    init(_ raw: cr_tunnel_end) {
        (up, down, hasRested) = (raw.up, raw.down, raw.rested)
    }

    /// What the log says, behind what has ended.
    /// - Parameter limit: the option that limits the rest.
    public func words(limit: String) -> String {
        let numbers = "has ended: \(up) bytes sent, \(down) received"
        return hasRested ? "\(numbers), and then nothing for as long as \(limit) allows" : numbers
    }
}

private final class TunnelObserver: Sendable {
    let onEnd: @Sendable (TunnelEnd) -> Void

    init(_ onEnd: @escaping @Sendable (TunnelEnd) -> Void) {
        self.onEnd = onEnd
    }
}
