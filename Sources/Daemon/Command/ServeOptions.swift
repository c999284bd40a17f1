public import SDStubModel
internal import SDWireValues

/// The options of `stuntdouble serve` as plain values with their defaults. The option table writes to it; help and
/// manual read the defaults from here.
public struct ServeOptions: Sendable, Equatable {
    /// The folder of stubs.
    public var root = StubRoot.fallback

    /// The TCP port; 0 lets the system choose one.
    public var port = 8080
    /// Whether there is a listener on `port`; HTTPS has one of its own.
    public var http = true
    /// What connections to `port` may begin with.
    public var portSecurity = PortSecurity.off
    /// The port for HTTPS; 0 lets the system choose one, nil is none.
    public var httpsPort: Int?
    /// The file of the certificate and key for HTTPS; nil for certificates of the local authority.
    public var keyStore: String?
    /// The form of `keyStore`; nil for what it looks like.
    public var keyStoreType: StoreType?
    public var keyStorePassword: String?
    /// The password of the key itself; nil for that of the store.
    public var keyPassword: String?
    /// The file of the authorities of clients' certificates; nil asks for none.
    public var trustStore: String?
    public var trustStoreType: StoreType?
    public var trustStorePassword: String?
    /// Whether clients without a certificate are refused.
    public var requiresClientCertificate = false
    /// Whether HTTP/2 is spoken without TLS.
    public var plainHTTP2 = true
    /// Whether HTTP/2 is offered over TLS.
    public var securedHTTP2 = true
    /// IP addresses as text, without brackets. Each has its own listener on `port`.
    public var bindAddresses = ["127.0.0.1"]
    /// The path of an additional Unix socket to listen on.
    public var unixSocket: String?
    /// The number of event loops, each with its own thread.
    public var workers = 1
    /// The most open connections at the same time; 0 for no limit of the daemon's own.
    public var maxConnections = 0

    /// Whether stubs are served although others are invalid.
    public var keepsGoing = false
    /// Whether warnings about stub files are fatal, as errors are.
    public var isStrict = false
    /// Whether a changed stub file becomes live without a restart.
    public var watch = true
    /// The seed of random delays and values; nil takes a seed from the system.
    public var seed: Int?
    /// The part of each wait that is waited.
    public var timeScale = 1.0
    /// The template for the names of saved stubs; nil is WireMock's default.
    public var filenameTemplate: String?
    /// Whether templates are rendered.
    public var templating = true
    /// Whether they are rendered in every response.
    public var globalTemplating = false
    /// The names of environment variables that templates may read, as regular expressions; empty for WireMock's.
    public var permittedSystemKeys: [String] = []
    public var gzip = true
    public var stubCORS = false

    /// Where the bodies of OpenAPI documents come from.
    public var openAPIAnswers = OpenAPIAnswer.Source.examples
    /// What happens to requests that an OpenAPI document does not allow.
    public var openAPIValidation = OpenAPISettings.Check.off
    /// Whether documents of URLs are read to which OpenAPI documents refer.
    public var readsRemoteDocuments = false
    /// Whether OpenAPI documents answer nothing, and others are only held against them.
    public var checksContractsOnly = false
    /// Whether answers follow the rules of Prism.
    public var followsPrism = false
    /// Whether, by these, requests that are not valid get an error of the server's.
    public var failsOnViolations = false

    /// The URL that every request goes on to that no stub of a higher priority answers; nil for none.
    public var proxyAll: String?
    /// The URL that requests go on to which no stub answers, in sessions that do not say otherwise; nil for none.
    public var passThrough: String?
    /// Whether it is a proxy for its clients, and opens tunnels to the hosts that stubs name.
    public var forwardProxy = false
    /// Whether it is one, and opens all tunnels, as WireMock does.
    public var browserProxying = false
    /// Whether requests to it as a proxy that nothing answers go on to their servers.
    public var proxyPassThrough = true
    /// The file of the certificate authority that issues certificates for other hosts; nil for the local one.
    public var authorityStore: String?
    public var authorityStoreType: StoreType?
    public var authorityStorePassword: String?
    /// Whether what is sent on is kept as files of stubs, as it passes.
    public var recordsMappings = false
    /// The request headers that these stubs match.
    public var matchedHeaders: [String] = []
    public var preservesHost = false
    public var preservesUserAgent = false
    /// The codings of `Accept-Encoding` that are sent on; empty for all.
    public var proxyEncodings: [String] = []
    /// The proxy in front of other servers, `HOST[:PORT]` or `USER:PASSWORD@HOST[:PORT]`; nil for none.
    public var proxyVia: String?
    public var proxyTimeout = Duration.seconds(300)
    public var allowedProxyTargets: [String] = []
    public var deniedProxyTargets: [String] = []
    public var maxUpstreamConnections = 1000
    public var reusesUpstreamConnections = true
    public var trustsAllTargets = false
    public var trustedTargets: [String] = []
    /// The servers that are called in HTTP/2.
    public var http2Targets: [String] = []
    /// Whether other servers may be called at all.
    public var callsOthers = true
    public var chunkedEncoding = ChunkedEncoding.always

    /// The most bytes of a request's head; more lead to a 431.
    public var maxHeadSize = ServerLimits().head
    /// The most bytes of a request's target; more lead to a 414.
    public var maxTargetSize = ServerLimits().target
    /// The most bytes of a request's body; more lead to a 413.
    public var maxBodySize = ServerLimits().body
    public var headTimeout = Duration.milliseconds(ServerLimits().headTimeout)
    public var bodyTimeout = Duration.milliseconds(ServerLimits().bodyTimeout)
    /// The most time that a request body may have left by what has come, and so its longest silence.
    public var bodyIdleTimeout = Duration.milliseconds(ServerLimits().bodyIdleTimeout)
    public var idleTimeout = Duration.milliseconds(ServerLimits().idleTimeout)
    /// The most bytes of journals, cached bodies and buffers together; nil takes the usual limit.
    public var maxMemory: Int?
    /// The most sessions at a time beside the first one; more lead to a 503.
    public var maxSessions = 10_000
    /// The processor time in milliseconds that the matchers of one request may take; more leads to a 500.
    public var matchBudget = 250
    /// The time for which a stopping daemon waits for responses in flight.
    public var drainTimeout = Duration.seconds(5)

    /// Whether the admin API answers only over HTTPS.
    /// The port that the admin API has for itself; nil if it answers on all.
    public var adminPort: Int?
    public var adminRequiresHTTPS = false
    public var adminBasicAuth: BasicCredentials?
    public var adminToken: String?
    /// The server by which several daemons are one; nil for a daemon that is alone.
    public var shared: String?
    /// The name that those have in common.
    public var sharedName: String? = "default"
    /// Whether tools for agents are served at `/__admin/mcp`.
    public var servesAgents = false
    /// The origins whose pages may call the admin API; `*` is any.
    public var adminOrigins: [String] = []
    /// The `Host` names, beside the loopback ones, under which the admin API answers; in lower case.
    public var adminHosts: [String] = []

    public var journal = true
    public var maxJournalEntries = 10_000
    /// The most bytes in the journal.
    public var maxJournalSize = 64 << 20
    /// The most contexts, properties and records in a session's state.
    public var maxStateEntries = 10_000
    public var maxStateSize = 16 << 20
    /// The most bytes of a request's body that the journal keeps.
    public var journalBodyLimit = 1 << 20
    /// The most bytes of a response's body that the journal shows; nil shows all.
    public var loggedResponseBodyLimit: Int?
    public var redacts = false
    /// Headers and query parameters to hide besides those that are always hidden; any of them implies `redacts`.
    public var redactedNames: [String] = []

    public var logFormat = LogFormat.text
    public var verbose = false
    /// Whether `verbose` logs a line per request.
    public var requestLogging = true
    /// Whether heads and bodies of requests and responses are logged.
    public var printsTraffic = false
    public var portFile: String?
    /// The folder of the local certificate authority; nil for the user's.
    public var stateFolder: String?
    /// Whether the daemon ends when the process that started it does.
    public var exitWithParent = false
    /// Whether SIGHUP always means to read the stub files again.
    public var reloadsOnHangUp = false

    /// A line for each accepted option without effect, and for each variable that looks like a misspelt one.
    public var notices: [String] = []

    public init() {}

    /// Whether a line is logged for each request.
    public var logsRequests: Bool { verbose && requestLogging }

    /// Whether it is a proxy for its clients.
    public var isForwardProxy: Bool { forwardProxy || browserProxying }

    /// Whether any listener is secured.
    public var servesHTTPS: Bool { httpsPort != nil || portSecurity == .auto }
}

/// What connections to `--port` may begin with.
public enum PortSecurity: String, Sendable, Hashable, CaseIterable {
    /// Plain HTTP only.
    case off
    /// Plain HTTP or TLS, as the first byte says.
    case auto
}

/// The forms of files with certificates and keys.
public enum StoreType: String, Sendable, Hashable, CaseIterable {
    case pem
    case pkcs12
    case jks
    case jceks
}

/// The place from which stubs are read.
public struct StubRoot: Sendable, Hashable {
    public enum Layout: Sendable, Hashable {
        /// Stubs are in `mappings/` if the folder has one, otherwise anywhere in the folder.
        case free
        /// Stubs are only in `mappings/`. This is for a working folder that the command line does not
        /// name, in which other files of a project are no stubs.
        case mappingsOnly
        /// Stubs are only in `mappings/`, which is made if it is missing, as are `__files/` and the folder itself, like
        /// WireMock's `--root-dir`.
        case wireMock
        /// Stubs are in this file of the folder only.
        case file(String)
    }

    public var path: String
    public var layout: Layout

    public init(path: String, layout: Layout) {
        self.path = path
        self.layout = layout
    }

    /// A stub file that stands alone.
    public init(file path: String) {
        let slash = path.lastIndex(of: "/")
        let name = String(path[(slash.map { path.index(after: $0) } ?? path.startIndex)...])
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        self.init(path: folder, layout: .file(name))
    }

    /// The path as the user named it.
    public var name: String {
        guard case .file(let name) = layout else { return path }
        return path == "." ? name : path.hasSuffix("/") ? path + name : "\(path)/\(name)"
    }

    /// Whether a file's name is one of stub files.
    static func isStubFile(_ path: String) -> Bool {
        let name = path.lowercased()
        return [".json", ".yaml", ".yml"].contains { name.hasSuffix($0) }
    }

    /// The usual folder for a project's stubs, used if it exists and no other was named.
    public static let usual = StubRoot(path: "mocks", layout: .free)
    /// WireMock's default: the working folder with `mappings/` and `__files/`.
    public static let fallback = StubRoot(path: ".", layout: .mappingsOnly)
}

/// The choice of responses with `Transfer-Encoding: chunked`, as in WireMock's `--use-chunked-encoding`.
public enum ChunkedEncoding: String, Sendable, Hashable, CaseIterable {
    case always
    case never
    case bodyFile = "body_file"
}

public enum LogFormat: String, Sendable, Hashable, CaseIterable {
    case text
    case json
}

/// A user name and password for HTTP Basic authentication. The user name contains no colon (RFC 7617, section 2).
public struct BasicCredentials: Sendable, Hashable {
    public var username: String
    public var password: String

    public init(username: String, password: String) {
        self.username = username
        self.password = password
    }
}
