/// How requests are sent on to other servers, whatever their stubs say.
public struct ProxyOptions: Sendable, Equatable {
    /// Whether the client's `Host` is sent on: `--preserve-host-header`. Otherwise it is that of the target.
    public var preservesHost = false
    /// Whether the client's `User-Agent` is sent on: `--preserve-user-agent-proxy-header`.
    public var preservesUserAgent = false
    /// The codings of `Accept-Encoding` that are sent on, in lower case: `--supported-proxy-encodings`; nil for all.
    public var encodings: [String]?
    /// Whether the fields of other servers for pages of other origins are left out, since the daemon has its own:
    /// `--enable-stub-cors`.
    public var dropsCORS = false

    public init() {}
}
