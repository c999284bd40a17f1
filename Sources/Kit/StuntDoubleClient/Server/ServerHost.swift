import SDBasics

/// A running server, shared by all of its sessions: how it is reached, and who ends it.
final class ServerHost: Sendable {
    /// The longest time that a call takes which waits for nothing.
    static let patience = Duration.seconds(30)

    /// The base URL: scheme, host and port, without a slash at the end.
    let baseText: String
    /// The base URL for HTTPS; nil if it is not known, or none is served.
    let httpsText: String?
    let transport: any ServerTransport
    /// The value of the header `Authorization` of each call; nil for none.
    let authorization: String?
    /// The owner, who ends the server; nil if it was started elsewhere.
    let owner: (any ServerOwner)?
    /// What answers there, once it has been asked.
    let identity = Promise<ServerIdentity>()
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

/// The owner of a server, who started it and ends it: the launched process, or the server in this one.
package protocol ServerOwner: Sendable {
    /// Ends the server and returns when it has ended. A server that has ended already is no error.
    func stop() async
    /// The last lines of its log, for failures.
    var log: String { get }
    /// How its process ended, in words such as `killed by SIGKILL`, if it has ended or does so within that time; nil while
    /// it runs, and for a server in this process.
    func end(within time: Duration) async -> String?
}
