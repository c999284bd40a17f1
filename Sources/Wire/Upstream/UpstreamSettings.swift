import SDHTTPTransport
import SDPlatform

/// How all calls to other servers are made: the daemon's options.
package struct UpstreamSettings: Sendable {
    /// Whether every call is refused: `--no-upstream`.
    package var isForbidden = false
    /// The time from the beginning of a call to its last byte, or between two bytes of a body that is streamed, in
    /// milliseconds: `--proxy-timeout`.
    package var timeout = 300_000
    /// A time that is as good as none, in milliseconds: for `--proxy-timeout 0`, as WireMock has it.
    package static let noTimeout = Int(Int32.max)
    /// The addresses that may be called, and those that may not: `--allow-proxy-targets`, `--deny-proxy-targets`. Names
    /// with `*`, addresses, ranges of addresses, networks. Nothing allowed is everything; what is denied is denied even if it is
    /// allowed.
    package var allowedTargets: [String] = []
    package var deniedTargets: [String] = []
    /// The proxy in front of other servers, `host:port` or `user:password@host:port`; nil for none: `--proxy-via`.
    package var via: String?
    /// Whether certificates are not looked at in calls that ask for trust: `--trust-all-proxy-targets`.
    package var trustsAll = false
    /// The servers whose certificates are not looked at: `--trust-proxy-target`.
    package var trustedServers = ServerNames()
    /// The servers that are spoken to in HTTP/2: `--proxy-http2`.
    package var http2Servers = ServerNames()
    /// How a server is called though its certificate is not good, as a clause in which `HOST` stands for its name.
    package var trustAdvice =
        "--trust-proxy-target HOST trusts it all the same, --https-truststore names authorities to trust"
    /// The file with the certificates of those who may sign others, PEM; nil for those that the system trusts.
    package var trustedAuthorities: String?
    /// The most connections to other servers at a time: `--max-http-client-connections`.
    package var connections = 1000
    /// Whether connections serve one call only: `--disable-connection-reuse`.
    package var closesConnections = false
    /// Names this process to itself, so that calls that come back to it are noticed.
    package var identity = ""

    package init() {}

    /// Whether a text is a rule of `allowedTargets` or `deniedTargets`, which some server could meet.
    package static func isTargetRule(_ text: String) -> Bool { TargetRule(text) != nil }

    /// The limits of connections. One that was not used for two minutes is likely to be closed by its server.
    var limits: CallLimits {
        var limits = CallLimits()
        limits.connections = max(connections, 1)
        limits.idle = closesConnections ? 0 : min(max(connections, 1), 256)
        limits.idleTime = 118_000
        return limits
    }

    /// Whether the certificate of a server is not looked at.
    func trusts(_ target: UpstreamTarget) -> Bool { trustsAll || trustedServers.contains(target) }

    /// Whether all calls to a server are made in HTTP/2.
    package func speaksHTTP2(to target: UpstreamTarget) -> Bool { http2Servers.contains(target) }

    /// Whether a call is made in HTTP/2.
    func speaksHTTP2(_ request: UpstreamRequest, to target: UpstreamTarget) -> Bool {
        request.speaksHTTP2 || speaksHTTP2(to: target)
    }

    /// Whether rules are about addresses.
    package var hasAddressRules: Bool { TargetRules(allowed: allowedTargets, denied: deniedTargets).needAddresses }
}
