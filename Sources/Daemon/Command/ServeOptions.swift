internal import HTTPTransport

/// Everything that `stuntdouble serve` can be told, as plain values with their defaults. The option table fills it in;
/// the defaults shown in the help and the manual are read from here.
public struct ServeOptions: Sendable, Equatable {
    /// The folder of stubs.
    public var root = StubRoot.fallback

    /// The TCP port; 0 lets the system choose one.
    public var port = 8080
    /// IP addresses as text, without brackets. Every address gets its own listener on `port`.
    public var bindAddresses = ["127.0.0.1"]
    /// The path of a Unix socket to listen on as well.
    public var unixSocket: String?
    /// Event loops, each with a thread of its own.
    public var workers = 1
    /// Open connections at one time; 0 sets no limit of our own.
    public var maxConnections = 0

    /// Whether stubs are served although others are bad.
    public var keepsGoing = false
    /// Whether a changed stub file becomes live without a restart.
    public var watch = true
    /// Seeds the generators behind random delays; nil takes a seed from the system.
    public var seed: Int?
    /// How saved stubs are named; nil is WireMock's default.
    public var filenameTemplate: String?
    public var gzip = true
    public var stubCORS = false
    public var chunkedEncoding = ChunkedEncoding.always

    /// Bytes of a request's head; more is a 431.
    public var maxHeadSize = ServerLimits().head
    /// Bytes of a request's target; more is a 414.
    public var maxTargetSize = ServerLimits().target
    /// Bytes of a request's body; more is a 413.
    public var maxBodySize = ServerLimits().body
    public var headTimeout = Duration.milliseconds(ServerLimits().headTimeout)
    public var bodyTimeout = Duration.milliseconds(ServerLimits().bodyTimeout)
    public var idleTimeout = Duration.milliseconds(ServerLimits().idleTimeout)
    /// How long a stopping daemon waits for the responses in flight.
    public var drainTimeout = Duration.seconds(5)

    public var adminBasicAuth: BasicCredentials?
    public var adminToken: String?
    /// Origins whose pages may call the admin API; `*` is any.
    public var adminOrigins: [String] = []
    /// `Host` names, beside the loopback ones, under which the admin API answers; in lower case.
    public var adminHosts: [String] = []

    public var journal = true
    public var maxJournalEntries = 10_000
    /// Bytes the journal may hold.
    public var maxJournalSize = 64 << 20
    /// Bytes the journal keeps of a request's body.
    public var journalBodyLimit = 1 << 20
    /// Bytes the journal shows of a response's body; nil shows all.
    public var loggedResponseBodyLimit: Int?
    public var redacts = false
    /// Headers and query parameters to be hidden besides those that always are; some of them imply `redacts`.
    public var redactedNames: [String] = []

    public var logFormat = LogFormat.text
    public var verbose = false
    /// False keeps `verbose` from logging a line a request.
    public var requestLogging = true
    public var portFile: String?
    /// Whether the daemon ends when the process that began it does.
    public var exitWithParent = false

    /// One line for each accepted option that changes nothing here, and for each variable that looks like a misspelt one.
    public var notices: [String] = []

    public init() {}

    /// Whether a line is logged for each request.
    public var logsRequests: Bool { verbose && requestLogging }
}

/// Where stubs are read from.
public struct StubRoot: Sendable, Hashable {
    public enum Layout: Sendable, Hashable {
        /// Stubs stand in `mappings/` if the folder has one, else anywhere in the folder.
        case free
        /// Stubs stand in `mappings/` only. This is for a working folder that nobody named: other files of a project are
        /// no stubs.
        case mappingsOnly
        /// The same, and `mappings/`, `__files/` and the folder itself are made where they are missing, as WireMock does
        /// with its `--root-dir`.
        case wireMock
    }

    public var path: String
    public var layout: Layout

    public init(path: String, layout: Layout) {
        self.path = path
        self.layout = layout
    }

    /// The folder of examples that a project keeps its stubs in, taken when it exists and none was named.
    public static let usual = StubRoot(path: "mocks", layout: .free)
    /// WireMock's default: the working folder, with `mappings/` and `__files/` in it.
    public static let fallback = StubRoot(path: ".", layout: .mappingsOnly)
}

/// When a response goes out with `Transfer-Encoding: chunked`, as WireMock's `--use-chunked-encoding` has it.
public enum ChunkedEncoding: String, Sendable, Hashable, CaseIterable {
    case always
    case never
    case bodyFile = "body_file"
}

public enum LogFormat: String, Sendable, Hashable, CaseIterable {
    case text
    case json
}

/// A user name and a password, as HTTP Basic authentication has them. The user name holds no colon (RFC 7617 section 2).
public struct BasicCredentials: Sendable, Hashable {
    public var username: String
    public var password: String

    public init(username: String, password: String) {
        self.username = username
        self.password = password
    }
}
