public import HTTPTransport

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
    /// The folder of body files; by default there is none.
    var bodyFiles: any BodyFileStore { get }
}

extension DaemonControl {
    public var bodyFiles: any BodyFileStore { NoBodyFileStore() }
}
