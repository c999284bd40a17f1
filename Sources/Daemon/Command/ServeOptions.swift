public import SDStubModel
internal import SDWireValues

/// The options of `stuntdouble serve` as plain values with their defaults. The option table writes to it; help and
/// manual read the defaults from here.
public struct ServeOptions: Sendable, Equatable {
    /// The folder with the stubs.
    public var root = StubRoot.fallback

    /// The TCP port; 0 lets the system choose one.
    public var port = 8080
    /// Whether `port` has a listener; HTTPS has a listener of its own.
    public var http = true
    /// Which protocols `port` accepts.
    public var portSecurity = PortSecurity.off
    /// The HTTPS port; 0 lets the system choose one, nil for none.
    public var httpsPort: Int?
    /// The file with the HTTPS certificate and key; nil for certificates of the local authority.
    public var keyStore: String?
    /// The format of `keyStore`; nil to detect it.
    public var keyStoreType: StoreType?
    public var keyStorePassword: String?
    /// The password of the key; nil for that of the store.
    public var keyPassword: String?
    /// The file with the authorities of client certificates; nil to ask for none.
    public var trustStore: String?
    public var trustStoreType: StoreType?
    public var trustStorePassword: String?
    /// Whether clients without a certificate are rejected.
    public var requiresClientCertificate = false
    /// Whether HTTP/2 is served without TLS.
    public var plainHTTP2 = true
    /// Whether HTTP/2 is offered over TLS.
    public var securedHTTP2 = true
    /// IP addresses as text, without brackets. Each has its own listener on `port`.
    public var bindAddresses = ["127.0.0.1"]
    /// The path of an additional Unix socket to listen on.
    public var unixSocket: String?
    /// The number of event loops, each with its own thread.
    public var workers = 1
    /// The maximum number of open connections; 0 for no limit of the daemon's own.
    public var maxConnections = 0

    /// Whether valid stubs are served if others are invalid.
    public var keepsGoing = false
    /// Whether warnings about stub files are fatal, like errors.
    public var isStrict = false
    /// Whether changes of stub files are applied without a restart.
    public var watch = true
    /// The seed of random delays and values; nil takes a seed from the system.
    public var seed: Int?
    /// The factor for every delay.
    public var timeScale = 1.0
    /// The template for the names of saved stubs; nil is WireMock's default.
    public var filenameTemplate: String?
    /// Whether templates are rendered.
    public var templating = true
    /// Whether every response is a template.
    public var globalTemplating = false
    /// Regular expressions for the environment variables that templates may read; empty for WireMock's default.
    public var permittedSystemKeys: [String] = []
    public var gzip = true
    public var stubCORS = false

    /// The source of bodies for OpenAPI documents.
    public var openAPIAnswers = OpenAPIAnswer.Source.examples
    /// What happens to requests that violate an OpenAPI document.
    public var openAPIValidation = OpenAPISettings.Check.off
    /// Whether URLs are read to which OpenAPI documents refer.
    public var readsRemoteDocuments = false
    /// Whether OpenAPI documents only validate, and answer nothing.
    public var checksContractsOnly = false
    /// Whether responses follow Prism's rules.
    public var followsPrism = false
    /// Whether, under Prism's rules, invalid requests get an error response.
    public var failsOnViolations = false

    /// The URL to which a request is proxied unless a stub of a higher priority matches; nil for none.
    public var proxyAll: String?
    /// The URL to which unmatched requests are proxied, unless the session says otherwise; nil for none.
    public var passThrough: String?
    /// Whether the daemon is a forward proxy that intercepts only the hosts that stubs name.
    public var forwardProxy = false
    /// Whether the daemon is a forward proxy that intercepts all tunnels, like WireMock.
    public var browserProxying = false
    /// Whether unmatched requests of forward-proxy clients are sent to their servers.
    public var proxyPassThrough = true
    /// The file of the certificate authority for other hosts; nil for the local one.
    public var authorityStore: String?
    public var authorityStoreType: StoreType?
    public var authorityStorePassword: String?
    /// Whether proxied exchanges are saved as stub files.
    public var recordsMappings = false
    /// The request headers that the saved stubs match.
    public var matchedHeaders: [String] = []
    public var preservesHost = false
    public var preservesUserAgent = false
    /// The codings of `Accept-Encoding` that are forwarded; empty for all.
    public var proxyEncodings: [String] = []
    /// The upstream proxy, `HOST[:PORT]` or `USER:PASSWORD@HOST[:PORT]`; nil for none.
    public var proxyVia: String?
    public var proxyTimeout = Duration.seconds(300)
    public var allowedProxyTargets: [String] = []
    public var deniedProxyTargets: [String] = []
    public var maxUpstreamConnections = 1000
    public var reusesUpstreamConnections = true
    public var trustsAllTargets = false
    public var trustedTargets: [String] = []
    /// The servers that are called over HTTP/2.
    public var http2Targets: [String] = []
    /// Whether calls to other servers are allowed.
    public var callsOthers = true
    public var chunkedEncoding = ChunkedEncoding.always

    /// The maximum size of a request's head in bytes; 431 beyond.
    public var maxHeadSize = ServerLimits().head
    /// The maximum size of a request's target in bytes; 414 beyond.
    public var maxTargetSize = ServerLimits().target
    /// The maximum size of a request's body in bytes; 413 beyond.
    public var maxBodySize = ServerLimits().body
    public var headTimeout = Duration.milliseconds(ServerLimits().headTimeout)
    public var bodyTimeout = Duration.milliseconds(ServerLimits().bodyTimeout)
    /// The time credit of a request body: its bytes earn time up to this, so it also is the longest silence.
    public var bodyIdleTimeout = Duration.milliseconds(ServerLimits().bodyIdleTimeout)
    /// The maximum silence on a WebSocket; zero for no limit.
    public var webSocketIdleTimeout = Duration.milliseconds(300_000)
    /// The maximum size of a WebSocket message in bytes; 0 for no limit.
    public var webSocketTextLimit = 10 << 20
    public var webSocketBinaryLimit = 10 << 20
    public var idleTimeout = Duration.milliseconds(ServerLimits().idleTimeout)
    /// The maximum size of journals, cached bodies and buffers together, in bytes; nil for the usual limit.
    public var maxMemory: Int?
    /// The maximum number of sessions besides the default one; 503 beyond.
    public var maxSessions = 10_000
    /// The processor time that matching one request may take, in milliseconds; 500 beyond.
    public var matchBudget = 250
    /// How long a stopping daemon waits for responses in flight.
    public var drainTimeout = Duration.seconds(5)

    /// The port of the admin API alone; nil if it answers on every port.
    public var adminPort: Int?
    public var adminRequiresHTTPS = false
    public var adminBasicAuth: BasicCredentials?
    public var adminToken: String?
    /// The server that connects replicas; nil for a single daemon.
    public var shared: String?
    /// The name that the replicas share.
    public var sharedName = ServeOptions.usualSharedName
    /// The name used if none was given.
    public static let usualSharedName = "default"
    /// Whether agent tools (MCP) are served at `/__admin/mcp`.
    public var servesAgents = false
    /// The origins whose pages may call the admin API; `*` for any.
    public var adminOrigins: [String] = []
    /// The `Host` names, beside the loopback ones, under which the admin API answers; in lower case.
    public var adminHosts: [String] = []

    public var journal = true
    public var maxJournalEntries = 10_000
    /// The maximum size of the journal in bytes.
    public var maxJournalSize = 64 << 20
    /// The maximum number of contexts, properties and records in a session's state.
    public var maxStateEntries = 10_000
    public var maxStateSize = 16 << 20
    /// The maximum number of request body bytes kept per event.
    public var journalBodyLimit = 1 << 20
    /// The maximum number of response body bytes shown per event; nil for all.
    public var loggedResponseBodyLimit: Int?
    public var redacts = false
    /// Headers and query parameters to redact in addition to those that always are; any of them implies `redacts`.
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
    /// Whether the daemon exits together with its parent process.
    public var exitWithParent = false
    /// Whether SIGHUP always reloads the stub files.
    public var reloadsOnHangUp = false

    /// Lines for accepted options without effect and for probably misspelt variables.
    public var notices: [String] = []

    public init() {}

    /// Whether a line is logged for each request.
    public var logsRequests: Bool { verbose && requestLogging }

    /// Whether the daemon is a forward proxy.
    public var isForwardProxy: Bool { forwardProxy || browserProxying }

    /// Whether any listener uses TLS.
    public var servesHTTPS: Bool { httpsPort != nil || portSecurity == .auto }
}

/// Which protocols `--port` accepts.
public enum PortSecurity: String, Sendable, Hashable, CaseIterable {
    /// Plain HTTP only.
    case off
    /// Plain HTTP or TLS, by the first byte.
    case auto
}

/// The formats of files with certificates and keys.
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
        /// Stubs are only in `mappings/`. For an unnamed working folder, whose other files are not stubs.
        case mappingsOnly
        /// Stubs are only in `mappings/`. The folder, `mappings/` and `__files/` are created if missing, as with
        /// WireMock's `--root-dir`.
        case wireMock
        /// This file of the folder has all the stubs.
        case file(String)
    }

    public var path: String
    public var layout: Layout

    public init(path: String, layout: Layout) {
        self.path = path
        self.layout = layout
    }

    /// The root for a single stub file.
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

    /// Whether a file name is that of a stub file.
    static func isStubFile(_ path: String) -> Bool {
        let name = path.lowercased()
        return [".json", ".yaml", ".yml"].contains { name.hasSuffix($0) }
    }

    /// The usual stub folder of a project, used if it exists and none was named.
    public static let usual = StubRoot(path: "mocks", layout: .free)
    /// WireMock's default: the working folder with `mappings/` and `__files/`.
    public static let fallback = StubRoot(path: ".", layout: .mappingsOnly)
}

/// When responses have `Transfer-Encoding: chunked`, as in WireMock's `--use-chunked-encoding`.
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
