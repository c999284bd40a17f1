import CReactor

/// The bounds of a server. Sizes in bytes, times in milliseconds.
public struct ServerLimits: Sendable, Equatable {
    /// Request line and header fields together; 431 beyond.
    public var head = 32 * 1024
    /// The request target; 414 beyond.
    public var target = 32 * 1024
    /// The decoded request body; 413 beyond.
    public var body = 100 * 1024 * 1024
    /// Open connections of one loop; further clients wait in the kernel's backlog.
    public var connections = 60_000
    /// From a head's first byte to its last; 408 beyond.
    public var headTimeout = 30_000
    /// For a body, plus one second for each KiB of it that came; 408 beyond.
    public var bodyTimeout = 30_000
    /// Between two requests, and for a client that takes no bytes.
    public var idleTimeout = 75_000
    /// How long an ending connection is still read, so that the last answer is not lost to a reset.
    public var lingerTimeout = 2_000

    public init() {}

    /// Offsets into a head have 32 bits; a head of more than 16 MiB is nobody's intention.
    private static let largestHead = 16 * 1024 * 1024

    var raw: cr_config {
        var config = cr_config_default()
        config.head_limit = UInt32(min(max(head, 64), Self.largestHead))
        config.target_limit = UInt32(min(max(target, 1), Self.largestHead))
        config.body_limit = UInt64(max(body, 0))
        config.connection_limit = UInt32(clamping: max(connections, 1))
        config.head_timeout_ms = UInt32(clamping: max(headTimeout, 1))
        config.body_timeout_ms = UInt32(clamping: max(bodyTimeout, 1))
        config.idle_timeout_ms = UInt32(clamping: max(idleTimeout, 1))
        config.linger_timeout_ms = UInt32(clamping: max(lingerTimeout, 1))
        return config
    }
}
