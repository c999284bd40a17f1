/// The options of proxying for all stubs.
public struct ProxyOptions: Sendable, Equatable {
    /// Whether to send the client's `Host`: `--preserve-host-header`. Otherwise the target's is sent.
    public var preservesHost = false
    /// Whether to send the client's `User-Agent`: `--preserve-user-agent-proxy-header`.
    public var preservesUserAgent = false
    /// The codings of `Accept-Encoding` to send, in lower case: `--supported-proxy-encodings`; nil for all.
    public var encodings: [String]?
    /// Whether to remove the CORS headers of other servers, because the daemon adds its own: `--enable-stub-cors`.
    public var dropsCORS = false

    public init() {}
}
