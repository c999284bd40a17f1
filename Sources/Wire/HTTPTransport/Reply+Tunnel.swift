import SDCReactor
public import SDPlatform

/// TLS interception of CONNECT tunnels; shared by all loops.
public final class TunnelInterception: Sendable {
    // Immutable except for its reference count, which is atomic.
    fileprivate nonisolated(unsafe) let listeners: SecuredListeners

    /// - Throws: that TLS is unavailable, or that the settings are invalid.
    public init(_ settings: TLSSettings) throws(TransportError) {
        listeners = try SecuredListeners(settings, at: "tunnels")
    }
}

extension Reply {
    /// After the answer, serves the client of a CONNECT here, as if it had connected to the requested host: in TLS, or
    /// in the clear if its first byte says so. Must be called on the loop's thread, before the answer.
    /// - Returns: false if the connection speaks HTTP/2, or is in TLS already.
    public borrowing func openTunnel(to host: String, _ security: TunnelInterception) -> Bool {
        security.listeners.withRaw { cr_stream_intercept_tunnel(stream, $0, host) }
    }

    /// After the answer, relays bytes between the client and another server, in each direction until it ends. Must be
    /// called on the loop's thread, before the answer.
    /// - Parameters:
    ///   - server: a connected, non-blocking socket.
    ///   - idle: the maximum time without a byte from either side, in milliseconds.
    ///   - onEnd: called once, on the loop's thread.
    /// - Returns: false if the connection speaks HTTP/2.
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
    /// The number of bytes from the client, and to the client.
    public let up, down: UInt64
    /// Whether the idle timeout ended the tunnel.
    public let isIdleTimeout: Bool

    init(_ raw: cr_tunnel_end) {
        (up, down, isIdleTimeout) = (raw.up, raw.down, raw.timed_out)
    }

    /// The text for the log, appended to the subject of the sentence.
    /// - Parameter limit: the option that sets the idle timeout.
    public func words(limit: String) -> String {
        let numbers = "has ended: \(up) bytes sent, \(down) received"
        return isIdleTimeout ? "\(numbers), and then nothing for as long as \(limit) allows" : numbers
    }
}

private final class TunnelObserver: Sendable {
    let onEnd: @Sendable (TunnelEnd) -> Void

    init(_ onEnd: @escaping @Sendable (TunnelEnd) -> Void) {
        self.onEnd = onEnd
    }
}
