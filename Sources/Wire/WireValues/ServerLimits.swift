package import SDCReactor

/// The limits of a server. Sizes are in bytes, times in milliseconds.
public struct ServerLimits: Sendable, Equatable {
    /// The limit for the request line and header fields together; 431 beyond.
    public var head: Int
    /// The limit for the request target; 414 beyond.
    public var target: Int
    /// The limit for the decoded request body; 413 beyond, unless it is streamed.
    public var body: Int
    /// The size of a body beyond which the handler is asked whether it streams it.
    public var streamedBody: Int
    /// The maximum number of open connections per loop; further clients replace idle ones, or wait in the kernel's
    /// backlog.
    public var connections: Int
    /// The first descriptor reserved for the process's own files; clients that would get it wait. 0 reserves none.
    public var descriptors: Int
    /// The timeout of a TLS handshake, from when the connection was accepted.
    public var handshakeTimeout: Int
    /// The time from a head's first byte to its last; 408 beyond.
    public var headTimeout: Int
    /// The time for a body, plus one second for each KiB received; 408 beyond.
    public var bodyTimeout: Int
    /// The maximum of those seconds that a body may save up, and so its longest silence once `bodyTimeout` is over.
    public var bodyIdleTimeout: Int
    /// The idle timeout: between two requests, and for a client that does not read.
    public var idleTimeout: Int
    /// How long a closing connection is still read, so that the last answer is not lost to a reset.
    public var lingerTimeout: Int
    /// Whether clients may speak HTTP/2 without TLS.
    public var plainHTTP2: Bool
    /// Whether HTTP/2 clients are offered WebSocket streams (RFC 8441).
    public var http2Channels: Bool
    /// The maximum number of open streams per HTTP/2 connection.
    public var streams: Int

    /// The project's defaults.
    public init() {
        let config = cr_config_default()
        head = Int(config.head.length)
        target = Int(config.head.target)
        body = Int(config.body_limit)
        streamedBody = Int(config.stream_threshold)
        connections = Int(config.connection_limit)
        descriptors = Int(config.descriptor_limit)
        handshakeTimeout = Int(config.handshake_timeout_ms)
        headTimeout = Int(config.head_timeout_ms)
        bodyTimeout = Int(config.body_timeout_ms)
        bodyIdleTimeout = Int(config.body_idle_timeout_ms)
        idleTimeout = Int(config.idle_timeout_ms)
        lingerTimeout = Int(config.linger_timeout_ms)
        plainHTTP2 = config.plain_http2
        http2Channels = config.http2_extended_connect
        streams = Int(config.stream_limit)
    }

    /// The maximum limit for a head: its offsets have 32 bits, and more than 16 MiB is never intended.
    private static let largestHead = 16 * 1024 * 1024

    package var raw: cr_config {
        var config = cr_config_default()
        config.head.length = UInt32(min(max(head, 64), Self.largestHead))
        config.head.target = UInt32(min(max(target, 1), Self.largestHead))
        config.body_limit = UInt64(max(body, 0))
        config.stream_threshold = UInt64(max(streamedBody, 0))
        config.connection_limit = UInt32(clamping: max(connections, 1))
        config.descriptor_limit = UInt32(clamping: max(descriptors, 0))
        config.handshake_timeout_ms = UInt32(clamping: max(handshakeTimeout, 1))
        config.head_timeout_ms = UInt32(clamping: max(headTimeout, 1))
        config.body_timeout_ms = UInt32(clamping: max(bodyTimeout, 1))
        config.body_idle_timeout_ms = UInt32(clamping: max(bodyIdleTimeout, 1))
        config.idle_timeout_ms = UInt32(clamping: max(idleTimeout, 1))
        config.linger_timeout_ms = UInt32(clamping: max(lingerTimeout, 1))
        config.plain_http2 = plainHTTP2
        config.http2_extended_connect = http2Channels
        config.stream_limit = UInt32(clamping: max(streams, 1))
        return config
    }
}
