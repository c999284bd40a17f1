import SDHTTPTransport
import SDPlatform

/// The settings of all calls to other servers, from the daemon's options.
package struct UpstreamSettings: Sendable {
    /// Whether every call is rejected: `--no-upstream`.
    package var isForbidden = false
    /// The timeout from the start of a call to its last byte, or between two bytes of a streamed body, in milliseconds:
    /// `--proxy-timeout`.
    package var timeout = 300_000
    /// A practically unlimited timeout in milliseconds, for `--proxy-timeout 0` as in WireMock.
    package static let noTimeout = Int(Int32.max)
    /// The allowed and denied targets: `--allow-proxy-targets`, `--deny-proxy-targets`. Names with `*`, addresses,
    /// ranges of addresses, networks. An empty list allows everything; denying takes precedence.
    package var allowedTargets: [String] = []
    package var deniedTargets: [String] = []
    /// The upstream proxy, `host:port` or `user:password@host:port`; nil for none: `--proxy-via`.
    package var via: String?
    /// Whether certificates are never verified: `--trust-all-proxy-targets`.
    package var trustsAll = false
    /// The servers whose certificates are not verified: `--trust-proxy-target`.
    package var trustedServers = ServerNames()
    /// The servers called over HTTP/2: `--proxy-http2`.
    package var http2Servers = ServerNames()
    /// A hint about calling a server despite its certificate, as a clause in which `HOST` stands for its name.
    package var trustAdvice =
        "--trust-proxy-target HOST trusts it all the same, --https-truststore names authorities to trust"
    /// A PEM file with trusted authorities; nil for the system's.
    package var trustedAuthorities: String?
    /// The maximum number of connections to other servers: `--max-http-client-connections`.
    package var connections = 1000
    /// Whether each connection serves one call only: `--disable-connection-reuse`.
    package var closesConnections = false
    /// The process's id, by which calls that come back to it are recognised.
    package var identity = ""

    package init() {}

    /// Whether a text is a valid rule for `allowedTargets` or `deniedTargets`.
    package static func isTargetRule(_ text: String) -> Bool { TargetRule(text) != nil }

    /// The limits of connections. After two idle minutes the server has probably closed a connection.
    var limits: CallLimits {
        var limits = CallLimits()
        limits.connections = max(connections, 1)
        limits.idle = closesConnections ? 0 : min(max(connections, 1), 256)
        limits.idleTime = 118_000
        return limits
    }

    /// Whether a server's certificate is not verified.
    func trusts(_ target: UpstreamTarget) -> Bool { trustsAll || trustedServers.contains(target) }

    /// Whether all calls to a server use HTTP/2.
    package func speaksHTTP2(to target: UpstreamTarget) -> Bool { http2Servers.contains(target) }

    /// Whether a call uses HTTP/2.
    func speaksHTTP2(_ request: UpstreamRequest, to target: UpstreamTarget) -> Bool {
        request.speaksHTTP2 || speaksHTTP2(to: target)
    }

    /// Whether any rule is about addresses.
    package var hasAddressRules: Bool { TargetRules(allowed: allowedTargets, denied: deniedTargets).needAddresses }
}
