import SDStubModel

/// The options in the form in which runs compare them, to find a daemon started with the same ones.
///
/// Each option that affects a daemon's behaviour is listed by hand. Only this file makes the texts, so that they stay
/// the same when a type changes.
extension ServeOptions {
    /// Equal for options with the same effect, and different for all others.
    public var identity: String {
        Self.compared.map { part in
            let text = part.text(self)
            // With its length, since the text may contain anything.
            return "\(part.name) \(text.utf8.count) \(text)\n"
        }.joined()
    }

    /// Equal for options with which daemons answer and keep journals alike, whatever their addresses, ports and
    /// secrets: what replicas should have in common.
    public var ofReplicas: String {
        let own: Set = [
            "keepsGoing", "isStrict", "watch", "filenameTemplate", "recordsMappings", "proxyVia",
            "maxUpstreamConnections",
            "maxMemory", "drainTimeout",
        ]
        let parts = Self.stubs + Self.upstream + Self.limits + Self.journals
        return parts.filter { !own.contains($0.name) }.map { "\($0.name) \($0.text(self))\n" }.joined()
    }

    /// The options that are not compared, with the reasons.
    static let notCompared = [
        "notices": "lines about the command line; each run tells its own"
    ]

    struct Part: Sendable {
        let name: String
        let text: @Sendable (ServeOptions) -> String

        init(_ name: String, _ value: @escaping @Sendable (ServeOptions) -> some IdentityText) {
            self.name = name
            text = { value($0).identityText }
        }

        /// A list in which order and repetition have no meaning.
        init(set name: String, _ value: @escaping @Sendable (ServeOptions) -> [String]) {
            self.init(name) { Set(value($0)).sorted() }
        }
    }

    static let compared: [Part] =
        ports + secrets + stubs + upstream + limits + admin + journals + logs

    private static let ports = [
        Part("root") { [$0.root.path, $0.root.layout.identityText] },
        Part("port") { $0.port }, Part("http") { $0.http }, Part("portSecurity") { $0.portSecurity },
        Part("httpsPort") { $0.httpsPort }, Part("plainHTTP2") { $0.plainHTTP2 },
        Part("securedHTTP2") { $0.securedHTTP2 }, Part("unixSocket") { $0.unixSocket },
        // In order: the first address appears in the daemon's URLs.
        Part("bindAddresses") { $0.bindAddresses },
        Part("workers") { $0.workers }, Part("maxConnections") { $0.maxConnections },
    ]

    private static let secrets = [
        Part("keyStore") { $0.keyStore }, Part("keyStoreType") { $0.keyStoreType },
        Part("keyStorePassword") { $0.keyStorePassword }, Part("keyPassword") { $0.keyPassword },
        Part("trustStore") { $0.trustStore }, Part("trustStoreType") { $0.trustStoreType },
        Part("trustStorePassword") { $0.trustStorePassword },
        Part("requiresClientCertificate") { $0.requiresClientCertificate },
        Part("authorityStore") { $0.authorityStore }, Part("authorityStoreType") { $0.authorityStoreType },
        Part("authorityStorePassword") { $0.authorityStorePassword }, Part("stateFolder") { $0.stateFolder },
    ]

    private static let stubs = [
        Part("keepsGoing") { $0.keepsGoing }, Part("isStrict") { $0.isStrict }, Part("watch") { $0.watch },
        Part("seed") { $0.seed },
        Part("timeScale") { $0.timeScale }, Part("filenameTemplate") { $0.filenameTemplate },
        Part("templating") { $0.templating }, Part("globalTemplating") { $0.globalTemplating },
        Part(set: "permittedSystemKeys") { $0.permittedSystemKeys }, Part("gzip") { $0.gzip },
        Part("stubCORS") { $0.stubCORS }, Part("chunkedEncoding") { $0.chunkedEncoding },
        Part("maxStateEntries") { $0.maxStateEntries }, Part("maxStateSize") { $0.maxStateSize },
        Part("openAPIAnswers") { $0.openAPIAnswers }, Part("openAPIValidation") { $0.openAPIValidation },
        Part("readsRemoteDocuments") { $0.readsRemoteDocuments },
        Part("checksContractsOnly") { $0.checksContractsOnly }, Part("followsPrism") { $0.followsPrism },
        Part("failsOnViolations") { $0.failsOnViolations },
    ]

    private static let upstream = [
        Part("proxyAll") { $0.proxyAll }, Part("passThrough") { $0.passThrough },
        Part("forwardProxy") { $0.forwardProxy }, Part("browserProxying") { $0.browserProxying },
        Part("proxyPassThrough") { $0.proxyPassThrough }, Part("recordsMappings") { $0.recordsMappings },
        Part(set: "matchedHeaders") { $0.matchedHeaders }, Part("preservesHost") { $0.preservesHost },
        Part("preservesUserAgent") { $0.preservesUserAgent }, Part(set: "proxyEncodings") { $0.proxyEncodings },
        Part("proxyVia") { $0.proxyVia }, Part("proxyTimeout") { $0.proxyTimeout },
        Part(set: "allowedProxyTargets") { $0.allowedProxyTargets },
        Part(set: "deniedProxyTargets") { $0.deniedProxyTargets },
        Part("maxUpstreamConnections") { $0.maxUpstreamConnections },
        Part("reusesUpstreamConnections") { $0.reusesUpstreamConnections },
        Part("trustsAllTargets") { $0.trustsAllTargets }, Part(set: "trustedTargets") { $0.trustedTargets },
        Part(set: "http2Targets") { $0.http2Targets },
        Part("callsOthers") { $0.callsOthers },
    ]

    private static let limits = [
        Part("maxHeadSize") { $0.maxHeadSize }, Part("maxTargetSize") { $0.maxTargetSize },
        Part("maxBodySize") { $0.maxBodySize }, Part("headTimeout") { $0.headTimeout },
        Part("bodyTimeout") { $0.bodyTimeout }, Part("bodyIdleTimeout") { $0.bodyIdleTimeout },
        Part("webSocketIdleTimeout") { $0.webSocketIdleTimeout }, Part("webSocketTextLimit") { $0.webSocketTextLimit },
        Part("webSocketBinaryLimit") { $0.webSocketBinaryLimit },
        Part("idleTimeout") { $0.idleTimeout }, Part("maxMemory") { $0.maxMemory },
        Part("maxSessions") { $0.maxSessions }, Part("matchBudget") { $0.matchBudget },
        Part("drainTimeout") { $0.drainTimeout },
    ]

    private static let admin = [
        Part("adminPort") { $0.adminPort }, Part("adminRequiresHTTPS") { $0.adminRequiresHTTPS },
        Part("adminBasicAuth") { options in options.adminBasicAuth.map { [$0.username, $0.password] } },
        Part("adminToken") { $0.adminToken }, Part(set: "adminOrigins") { $0.adminOrigins },
        Part(set: "adminHosts") { $0.adminHosts }, Part("servesAgents") { $0.servesAgents },
        Part("shared") { $0.shared }, Part("sharedName") { $0.sharedName },
    ]

    private static let journals = [
        Part("journal") { $0.journal }, Part("maxJournalEntries") { $0.maxJournalEntries },
        Part("maxJournalSize") { $0.maxJournalSize }, Part("journalBodyLimit") { $0.journalBodyLimit },
        Part("loggedResponseBodyLimit") { $0.loggedResponseBodyLimit }, Part("redacts") { $0.redacts },
        Part(set: "redactedNames") { $0.redactedNames },
    ]

    private static let logs = [
        Part("logFormat") { $0.logFormat }, Part("verbose") { $0.verbose },
        Part("requestLogging") { $0.requestLogging }, Part("printsTraffic") { $0.printsTraffic },
        Part("portFile") { $0.portFile }, Part("exitWithParent") { $0.exitWithParent },
        Part("reloadsOnHangUp") { $0.reloadsOnHangUp },
    ]
}

extension StubRoot.Layout {
    fileprivate var identityText: String {
        switch self {
        case .free: "free"
        case .mappingsOnly: "mappingsOnly"
        case .wireMock: "wireMock"
        case .file(let name): "file " + name
        }
    }
}

// MARK: Values

/// An option's value as text that differs for each value.
protocol IdentityText: SendableMetatype {
    var identityText: String { get }
}

extension Int: IdentityText {
    var identityText: String { description }
}

extension Double: IdentityText {
    var identityText: String { description }
}

extension Bool: IdentityText {
    var identityText: String { description }
}

extension String: IdentityText {
    var identityText: String { self }
}

extension Duration: IdentityText {
    var identityText: String { "\(components.seconds) \(components.attoseconds)" }
}

extension Optional: IdentityText where Wrapped: IdentityText {
    var identityText: String { map { "some " + $0.identityText } ?? "none" }
}

extension Array: IdentityText where Element == String {
    var identityText: String { map { "\($0.utf8.count) \($0) " }.joined() }
}

extension PortSecurity: IdentityText {}
extension StoreType: IdentityText {}
extension ChunkedEncoding: IdentityText {}
extension LogFormat: IdentityText {}
extension OpenAPIAnswer.Source: IdentityText {}
extension OpenAPISettings.Check: IdentityText {}

extension IdentityText where Self: RawRepresentable<String> {
    var identityText: String { rawValue }
}
