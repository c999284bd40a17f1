public import SDHTTPTransport

/// What connections to a server have in common.
public struct RedisSettings: Sendable {
    /// The file with the authorities that may sign the server's certificate, PEM; nil for those of the system. Over TLS alone.
    public var authorities: String?
    /// Whether the certificate must be good, and its name the server's.
    public var checksCertificate = true
    /// What is shown to a server that asks for a certificate.
    public var credentials: TLSCredentials?
    /// The time for connecting, with the handshake, the log-in and the first commands, in milliseconds.
    public var connectTime = 2_000
    /// The time in which a server that owes replies has to send something, in milliseconds, unless a command may take longer. It is
    /// taken for dead then: a connection through which nothing comes may be half open.
    public var silence = 2_000
    /// The most bytes of one reply, and of what it takes in memory.
    public var maxReplyBytes = 64 << 20
    /// The most bytes of commands that have no reply yet.
    public var maxWaitingBytes = 64 << 20
    /// The name that the server lists the connection under (CLIENT SETNAME), without spaces; nil for none.
    public var name: String?

    public init() {}
}
