import SDBasics

/// A running server, shared by all of its sessions: its address, credentials and owner.
final class ServerHost: Sendable {
    /// The timeout of calls that do not wait for an event.
    static let patience = Duration.seconds(30)

    /// The base URL: scheme, host and port, without a slash at the end.
    let baseText: String
    /// The base URL for HTTPS; nil if unknown or not served.
    let httpsText: String?
    let transport: any ServerTransport
    /// The `Authorization` header of each call; nil for none.
    let authorization: String?
    /// The owner, who stops the server; nil if it was started elsewhere.
    let owner: (any ServerOwner)?
    /// The kind of server, once it was probed.
    let identity = Promise<ServerKind>()
    let askedIdentity = Lock(false)

    init(
        baseText: String, httpsText: String?, transport: any ServerTransport, authorization: String?,
        owner: (any ServerOwner)?
    ) {
        self.baseText = baseText
        self.httpsText = httpsText
        self.transport = transport
        self.authorization = authorization
        self.owner = owner
    }
}

/// Owns a server started by this process: a launched daemon, or the embedded server.
package protocol ServerOwner: Sendable {
    /// Stops the server and returns when it has ended. A server that has already ended is no error.
    func stop() async
    /// The last lines of its log, for failure messages.
    var log: String { get }
    /// How its process ended, such as `killed by SIGKILL`, if it has ended or ends within that time; nil while it runs,
    /// and for an embedded server.
    func end(within time: Duration) async -> String?
}
