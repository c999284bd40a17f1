public import HTTPTransport
public import MockEngine

/// Who may use the admin API.
public struct AdminOptions: Sendable {
    /// Origins whose pages may use it, such as `http://localhost:3000`; `*` allows all. None by default.
    public var origins: [String] = []
    /// Names under which the daemon may be reached besides loopback; `*` allows all.
    public var hosts: [String] = []
    /// `--admin-api-basic-auth`.
    public var basicAuth: (username: String, password: String)?
    /// `--admin-token`: a bearer token.
    public var token: String?
    /// The most bytes that a compressed body may hold.
    public var largestBody = 100 << 20
    /// The version that `version` and `health` tell.
    public var version = "0.0.0"

    public init() {}
}

/// What the admin API asks of the daemon around it.
public protocol DaemonControl: AnyObject, Sendable {
    /// Reads all stub files again; a file with errors keeps its last good stubs.
    func reloadFiles()
    /// Ends the daemon once the answer to this call is out.
    func shutDown()
    /// Calls `work` on a loop's thread, `nanoseconds` from now, unless it is cancelled first.
    @discardableResult
    func after(nanoseconds: UInt64, _ work: @escaping @Sendable () -> Void) -> ScheduledWork
    /// Seconds since it was ready.
    var uptimeSeconds: Int { get }
    /// Listens on a port of a session's own, at the addresses of the daemon's. On the thread of the worker's loop.
    /// - Parameters:
    ///   - port: 0 takes a free one.
    ///   - tag: the number that requests to it carry.
    /// - Throws: why it cannot, in words.
    func openDoor(port: UInt16, tag: UInt64, worker: Int) throws(DoorProblem) -> any SessionDoor
}

/// Why a port could not be opened.
public struct DoorProblem: Error, Sendable {
    /// Somebody else listens there.
    public let isTaken: Bool
    public let message: String

    public init(isTaken: Bool, message: String) {
        self.isTaken = isTaken
        self.message = message
    }
}
