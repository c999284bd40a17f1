/// The call to another server for a proxied request.
public struct ProxiedNote: Sendable, Equatable {
    /// The URL that was called.
    public let url: String
    /// Whether the client named that server itself, as a browser does with its proxy; otherwise a stub did.
    public let isBrowserProxy: Bool
    /// Whether no stub chose it: the request matched none, and the session passes unmatched requests through.
    public let isPassedThrough: Bool
    /// The time from the start of the call to the head of the answer, in nanoseconds; nil until then.
    public var latency: UInt64?

    /// Why the call failed, as a clause; nil unless it has.
    public var problem: String?

    package init(url: String, isBrowserProxy: Bool = false, isPassedThrough: Bool = false, latency: UInt64? = nil) {
        self.url = url
        self.isBrowserProxy = isBrowserProxy
        self.isPassedThrough = isPassedThrough
        self.latency = latency
    }

    package var byteCount: Int { 64 + url.utf8.count }
}
