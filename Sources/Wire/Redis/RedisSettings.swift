public import SDHTTPTransport

/// Settings shared by connections to a server.
public struct RedisSettings: Sendable {
    /// A PEM file with the authorities for the server's certificate; nil for the system's. For TLS only.
    public var authorities: String?
    /// Whether to verify the server's certificate and name.
    public var checksCertificate = true
    /// The client certificate, if the server asks for one.
    public var credentials: TLSCredentials?
    /// The timeout for connecting, including the handshake, the login and the first commands, in milliseconds.
    public var connectTime = 2_000
    /// The maximum silence of a server that owes replies, in milliseconds, unless a command may take longer. It then
    /// counts as dead: the connection may be half open.
    public var silence = 2_000
    /// The maximum size of a reply in bytes, also in memory.
    public var maxReplyBytes = 64 << 20
    /// The maximum size of all commands without a reply, in bytes.
    public var maxWaitingBytes = 64 << 20
    /// The connection's name on the server (CLIENT SETNAME), without spaces; nil for none.
    public var name: String?

    public init() {}
}
