import SDAdminAPI
import SDAnswering
import SDChannels
package import SDCommand
import SDExplanations
package import SDHTTPTransport
import SDJournal
package import SDMockEngine
import SDOutgoingCalls
import SDPlatform
import SDRecords
import SDRegularExpressions
import SDRequestTemplates
import SDStubModel
import SDUpstream

/// Converts command-line options for the engine and the server.
extension SessionOptions {
    package init(_ options: ServeOptions) {
        self.init()
        keepsJournal = options.journal
        maxSessions = options.maxSessions
        journalEvents = options.maxJournalEntries
        journalBytes = options.maxJournalSize
        channels.idleTimeout = Int(options.webSocketIdleTimeout.milliseconds)
        channels.textLimit = options.webSocketTextLimit
        channels.binaryLimit = options.webSocketBinaryLimit
        journalBodyLimit = options.journalBodyLimit
        stateLimits.entries = options.maxStateEntries
        stateLimits.bytes = options.maxStateSize
        loggedResponseBodyLimit = options.loggedResponseBodyLimit ?? .max
        redactions = RedactionSetting(Redaction(options))
        response.gzip = options.gzip
        response.chunkedEncoding = ChunkedEncodingPolicy(options.chunkedEncoding)
        response.templating = !options.templating ? .off : options.globalTemplating ? .global : .local
        templates.environmentVariable = SystemCalls.environmentVariable
        templates.hostName = SystemCalls.hostName()
        if !options.permittedSystemKeys.isEmpty {
            templates.permittedKeys = options.permittedSystemKeys.compactMap { try? JavaRegex($0, .ignoringCase) }
        }
        stubCORS = options.stubCORS
        response.contracts = ContractOptions(options)
        let hasPage = options.adminPort == nil
        unmatchedReporter = { NearMissReport($0, in: $1, &$2, hasPage: hasPage) }
        messageReporter = { MessageNearMiss.reported($0, on: $1, in: $2) }
        warnsOfPages = hasPage && options.adminToken == nil && options.adminBasicAuth == nil
        response.proxying = ProxyOptions(options)
        upstream = UpstreamSettings(options)
        isForwardProxy = options.isForwardProxy
        passThrough = options.passThrough.map { ProxyDefinition(to: $0) }
        matchBudget = UInt64(options.matchBudget) * 1_000_000
        seed = options.seed.map { UInt64(bitPattern: Int64($0)) } ?? UInt64.random(in: .min ... .max)
        timeScale = options.timeScale
        workers = options.workers
    }
}

extension ContractOptions {
    init(_ options: ServeOptions) {
        self.init()
        answers = options.openAPIAnswers
        validate = options.openAPIValidation
        isCheckOnly = options.checksContractsOnly
        if options.followsPrism { door = .prism(failsOnErrors: options.failsOnViolations) }
    }
}

extension ProxyOptions {
    init(_ options: ServeOptions) {
        self.init()
        preservesHost = options.preservesHost
        preservesUserAgent = options.preservesUserAgent
        encodings = options.proxyEncodings.isEmpty ? nil : options.proxyEncodings.map { $0.lowercased() }
        dropsCORS = options.stubCORS
    }
}

extension UpstreamSettings {
    init(_ options: ServeOptions) {
        self.init()
        isForbidden = !options.callsOthers
        timeout = options.upstreamTimeout
        allowedTargets = options.allowedProxyTargets
        deniedTargets = options.deniedProxyTargets
        via = options.proxyVia
        trustsAll = options.trustsAllTargets
        trustedServers = ServerNames(options.trustedTargets)
        http2Servers = ServerNames(options.http2Targets)
        connections = options.maxUpstreamConnections
        closesConnections = !options.reusesUpstreamConnections
        identity = String(UInt64.random(in: .min ... .max), radix: 16)
    }
}

extension ChunkedEncodingPolicy {
    init(_ option: ChunkedEncoding) {
        self =
            switch option {
            case .always: .always
            case .never: .never
            case .bodyFile: .bodyFile
            }
    }
}

extension Redaction {
    /// Makes the redaction; nil if nothing needs it.
    init?(_ options: ServeOptions) {
        guard options.redacts || !options.redactedNames.isEmpty else { return nil }
        self.init(options.redactedNames)
    }
}

extension ServerLimits {
    /// - Parameter memory: the memory limit in bytes, which also bounds bodies.
    init(_ options: ServeOptions, memory: Int) {
        self.init()
        head = options.maxHeadSize
        target = options.maxTargetSize
        body = min(options.maxBodySize, memory)
        if options.maxConnections > 0 { connections = options.maxConnections }
        if let limit = SystemCalls.descriptorLimit {
            descriptors = limit - min(Self.ownDescriptors(options), limit / 4)
        }
        headTimeout = options.headTimeout.milliseconds
        bodyTimeout = options.bodyTimeout.milliseconds
        bodyIdleTimeout = options.bodyIdleTimeout.milliseconds
        idleTimeout = options.idleTimeout.milliseconds
        plainHTTP2 = options.plainHTTP2
        http2Channels = true
    }
}

extension ServerLimits {
    /// The number of descriptors that the daemon itself needs: for reading files, and two per loop.
    private static func ownDescriptors(_ options: ServeOptions) -> Int { 32 + 2 * options.workers }

    /// A warning that connections may use up all descriptors, so that files cannot be read; nil if there are enough.
    package static func descriptorShortage(_ options: ServeOptions) -> String? {
        let needed = 4 * ownDescriptors(options)
        guard let limit = SystemCalls.descriptorLimit, limit < needed else { return nil }
        return
            "only \(limit) files and connections can be open at a time, so reading stub and body files may fail; "
            + "raise the limit to at least \(needed) (ulimit -n \(needed))"
    }
}

extension AdminOptions {
    init(_ options: ServeOptions) {
        self.init()
        hasOwnPort = options.adminPort != nil
        requiresHTTPS = options.adminRequiresHTTPS
        servesHTTPS = options.httpsPort != nil || options.portSecurity == .auto
        origins = options.adminOrigins
        hosts = options.adminHosts
        basicAuth = options.adminBasicAuth.map { ($0.username, $0.password) }
        token = options.adminToken
        servesAgents = options.servesAgents
        largestBody = options.maxBodySize
        keepsGoing = options.keepsGoing
        version = Manual.version
    }
}

extension Duration {
    /// The duration in whole milliseconds, at least 0.
    package var milliseconds: Int {
        let (seconds, attoseconds) = components
        return max(0, Int(clamping: seconds) &* 1_000 &+ Int(attoseconds / 1_000_000_000_000_000))
    }
}

extension ServeOptions {
    /// The timeout of a call to another server, in milliseconds.
    var upstreamTimeout: Int {
        let limit = proxyTimeout.milliseconds
        return limit == 0 ? UpstreamSettings.noTimeout : limit
    }
}
