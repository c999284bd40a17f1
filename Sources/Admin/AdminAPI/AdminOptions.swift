public import SDHTTPTransport
public import SDMockEngine
public import SDReports

/// The options of the admin API.
public struct AdminOptions: Sendable {
    /// Origins whose pages may call it, such as `http://localhost:3000`; `*` allows all. None by default.
    public var origins: [String] = []
    /// Public names of the daemon; `*.name` allows all below `name`, `*` all (``AdmittedHosts``).
    public var hosts: [String] = []
    /// Whether it answers on its own port only.
    public var hasOwnPort = false
    /// Whether calls over plain HTTP are rejected.
    public var requiresHTTPS = false
    /// Whether the daemon has an HTTPS listener.
    public var servesHTTPS = false
    /// `--admin-api-basic-auth`.
    public var basicAuth: (username: String, password: String)?
    /// `--admin-token`: a bearer token.
    public var token: String?
    /// The maximum size of a decompressed body in bytes.
    public var largestBody = 100 << 20
    /// Whether the valid stubs of a file with errors are served.
    public var keepsGoing = false
    /// Whether agent tools (MCP) are served at `/__admin/mcp`.
    public var servesAgents = false
    /// The version shown by `version` and `health`.
    public var version = "0.0.0"

    public init() {}
}

/// The parts of the daemon that the admin API needs.
public protocol DaemonControl: AnyObject, Sendable {
    /// Reloads all stub files; a file with errors keeps its last valid stubs. Not on a loop.
    func reloadFiles()
    /// Stops the daemon after the answer to this call has been sent.
    func shutDown()
    /// Calls `work` on a loop's thread, `nanoseconds` from now, unless cancelled before.
    @discardableResult
    func after(nanoseconds: UInt64, _ work: @escaping @Sendable () -> Void) -> ScheduledWork
    /// The milliseconds since the daemon started.
    var uptimeMilliseconds: Int { get }
    /// The number of open client connections, and of all accepted so far.
    var clients: (open: Int, accepted: UInt64) { get }
    /// Opens a session's own ports at the daemon's addresses, on the thread of the worker's loop.
    /// - Parameter tag: the number that their requests carry.
    /// - Throws: the reason why a port cannot be opened.
    func openEndpoint(_ ports: SessionPorts, tag: UInt64, worker: Int) throws(EndpointProblem) -> any SessionEndpoint
    /// The base URLs at which the daemon listens, such as `https://127.0.0.1:8443`.
    var listeningAt: [String] { get }
    /// The base URLs of the admin API; `listeningAt` if it has no port of its own.
    var adminAt: [String] { get }
    /// The certificate of the authority that issues the daemon's certificates, in PEM; nil if there is none.
    var authorityCertificate: [UInt8]? { get }
    /// The folder that stub file names are relative to, as in messages; nil if there is none.
    var stubFolder: String? { get }
    /// The current problems of the stub files.
    var fileProblems: [Report.FileProblem] { get }
    /// The stub folder, and whether stubs can be saved in it; nil if there is none.
    var folderAccess: FolderAccess? { get }
    /// Whether changes of the folder are detected.
    var isWatching: Bool { get }
    /// The replication; nil without `--shared`.
    var replicas: (any ReplicaControl)? { get }
}

extension DaemonControl {
    public var replicas: (any ReplicaControl)? { nil }
}

/// A stub folder, for clients that want to save stubs.
public struct FolderAccess: Sendable {
    /// The folder, as in messages.
    public let path: String
    /// Why stubs cannot be saved in it; nil if they can.
    public let obstacle: String?

    public init(path: String, obstacle: String?) {
        self.path = path
        self.obstacle = obstacle
    }
}

/// The ports requested for a session; 0 for a free one, nil for none.
public struct SessionPorts: Sendable {
    public var http: UInt16?
    public var https: UInt16?

    public init(http: UInt16?, https: UInt16?) {
        self.http = http
        self.https = https
    }
}

/// Why a port could not be opened.
public struct EndpointProblem: Error, Sendable {
    /// Whether it is the HTTPS port.
    public var isOfHTTPS = false
    /// Whether another process listens on it.
    public let isTaken: Bool
    public let message: String

    public init(isTaken: Bool, message: String) {
        self.isTaken = isTaken
        self.message = message
    }
}
