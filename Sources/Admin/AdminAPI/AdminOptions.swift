public import SDHTTPTransport
public import SDMockEngine
public import SDReports

/// The options of the admin API.
public struct AdminOptions: Sendable {
    /// Origins whose pages may use it, such as `http://localhost:3000`; `*` allows all. None by default.
    public var origins: [String] = []
    /// Public names under which the daemon may be reached; `*.name` allows all below one, `*` all (``AdmittedHosts``).
    public var hosts: [String] = []
    /// Whether it answers on a port of its own alone.
    public var hasOwnPort = false
    /// Whether calls over plain HTTP are refused.
    public var requiresHTTPS = false
    /// Whether a port of the daemon serves HTTPS.
    public var servesHTTPS = false
    /// `--admin-api-basic-auth`.
    public var basicAuth: (username: String, password: String)?
    /// `--admin-token`: a bearer token.
    public var token: String?
    /// The most bytes of a decompressed body.
    public var largestBody = 100 << 20
    /// Whether the valid stubs of a folder's file with errors are served.
    public var keepsGoing = false
    /// Whether tools for agents are served at `/__admin/mcp`.
    public var servesAgents = false
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
    /// The milliseconds since the daemon started.
    var uptimeMilliseconds: Int { get }
    /// The connections of clients that are open, and those that were accepted so far.
    var clients: (open: Int, accepted: UInt64) { get }
    /// Opens a session's own ports at the daemon's addresses, on the thread of the worker's loop.
    /// - Parameter tag: the number that requests to them carry.
    /// - Throws: the reason why one cannot be opened.
    func openEndpoint(_ ports: SessionPorts, tag: UInt64, worker: Int) throws(EndpointProblem) -> any SessionEndpoint
    /// The base addresses at which the daemon listens, such as `https://127.0.0.1:8443`.
    var listeningAt: [String] { get }
    /// The base addresses at which the admin API answers: `listeningAt` where it has no port of its own.
    var adminAt: [String] { get }
    /// The certificate of the authority that issues the daemon's certificates, in PEM; nil if there is none.
    var authorityCertificate: [UInt8]? { get }
    /// The folder that the files of stubs are relative to, as messages name it; nil if there is none.
    var stubFolder: String? { get }
    /// What could not be loaded of the stub files, as they are now.
    var fileProblems: [Report.FileProblem] { get }
    /// The folder of the stubs' files, and whether stubs can be saved in it; nil if there is none.
    var folderAccess: FolderAccess? { get }
    /// Whether changes of the folder's files are noticed.
    var isWatching: Bool { get }
    /// The replicas that this daemon is one of; nil for a daemon that is alone.
    var replicas: (any ReplicaControl)? { get }
}

extension DaemonControl {
    public var replicas: (any ReplicaControl)? { nil }
}

/// A folder of stub files as somebody sees it who wants to save stubs.
public struct FolderAccess: Sendable {
    /// The folder as messages name it.
    public let path: String
    /// The reason why stubs cannot be saved in it; nil if they can.
    public let obstacle: String?

    public init(path: String, obstacle: String?) {
        self.path = path
        self.obstacle = obstacle
    }
}

/// The ports that a session asks for; 0 is a free one, nil none.
public struct SessionPorts: Sendable {
    public var http: UInt16?
    public var https: UInt16?

    public init(http: UInt16?, https: UInt16?) {
        self.http = http
        self.https = https
    }
}

/// The reason why a port could not be opened.
public struct EndpointProblem: Error, Sendable {
    /// Whether it is the port for HTTPS.
    public var isOfHTTPS = false
    /// Whether another process listens on it.
    public let isTaken: Bool
    public let message: String

    public init(isTaken: Bool, message: String) {
        self.isTaken = isTaken
        self.message = message
    }
}
