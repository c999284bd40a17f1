public import SDHTTPTransport
public import SDMockEngine

/// The options of the admin API.
public struct AdminOptions: Sendable {
    /// Origins whose pages may use it, such as `http://localhost:3000`; `*` allows all. None by default.
    public var origins: [String] = []
    /// Names beside the loopback ones under which the daemon may be reached; `*` allows all.
    public var hosts: [String] = []
    /// `--admin-api-basic-auth`.
    public var basicAuth: (username: String, password: String)?
    /// `--admin-token`: a bearer token.
    public var token: String?
    /// The most bytes of a decompressed body.
    public var largestBody = 100 << 20
    /// The version shown by `version` and `health`.
    public var version = "0.0.0"

    public init() {}
}

/// The parts of the daemon that the admin API needs.
public protocol DaemonControl: AnyObject, Sendable {
    /// Reads all stub files again; a file with errors keeps its last good stubs. Not on a loop.
    func reloadFiles()
    /// Ends the daemon after the answer to this call has been sent.
    func shutDown()
    /// Calls `work` on a loop's thread, `nanoseconds` from now, unless it is cancelled first.
    @discardableResult
    func after(nanoseconds: UInt64, _ work: @escaping @Sendable () -> Void) -> ScheduledWork
    /// The seconds since the daemon started.
    var uptimeSeconds: Int { get }
    /// Opens a session's own port at the daemon's addresses, on the thread of the worker's loop.
    /// - Parameters:
    ///   - port: the port; 0 takes a free one.
    ///   - tag: the number that requests to it carry.
    /// - Throws: the reason why it cannot be opened.
    func openEndpoint(port: UInt16, tag: UInt64, worker: Int) throws(EndpointProblem) -> any SessionEndpoint
}

/// The reason why a port could not be opened.
public struct EndpointProblem: Error, Sendable {
    /// Whether another process listens on it.
    public let isTaken: Bool
    public let message: String

    public init(isTaken: Bool, message: String) {
        self.isTaken = isTaken
        self.message = message
    }
}
