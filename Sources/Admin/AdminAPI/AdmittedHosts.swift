import SDBasics
import SDHTTPTransport
import SDMatching

/// The hosts for which the admin API answers. A page calls it under a name of its own that was rebound to this machine,
/// which is a public one. So a host that cannot be a public name is always accepted, others if they are configured.
struct AdmittedHosts: Sendable {
    /// What no public name ends in: `localhost`, `test` (RFC 6761), `local` (RFC 6762), `internal` (reserved by ICANN), and
    /// `svc`, by which a pod names the services of its cluster.
    private static let localEndings: Set<Substring> = ["localhost", "test", "local", "internal", "svc"]

    private let admitsAll: Bool
    private let names: Set<String>
    /// The names below which all are accepted, with the dot before them.
    private let domains: [String]

    /// - Parameter configured: names, `*.name` for all names below one, or `*`.
    init(_ configured: [String]) {
        let configured = configured.map { Self.canonical($0) }
        admitsAll = configured.contains("*")
        names = Set(configured.filter { !$0.hasPrefix("*") })
        domains = configured.filter { $0.hasPrefix("*.") }.map { String($0.dropFirst()) }
    }

    /// Whether a call is accepted by its host. One without a host was not made by a browser, nor was one over a Unix socket.
    func admit(_ request: Request) -> Bool {
        if admitsAll || request.localPort == 0 { return true }
        guard let host = Self.host(of: request) else { return true }
        if Self.cannotBePublic(host) || names.contains(host) { return true }
        return domains.contains { host.hasSuffix($0) && host.utf8.count > $0.utf8.count }
    }

    /// The host of a request, in lower case and without the root's dot; an IPv6 address keeps its brackets.
    static func host(of request: Request) -> String? {
        Authority(of: request).map { canonical(String(decoding: $0.host, as: UTF8.self)) }
    }

    private static func canonical(_ name: String) -> String {
        let name = name.lowercased()
        return name.hasSuffix(".") ? String(name.dropLast()) : name
    }

    /// Whether the host is by its spelling an address, a name without a dot, or one of a local domain.
    private static func cannotBePublic(_ host: String) -> Bool {
        if host.hasPrefix("[") { return host.hasSuffix("]") && isIPv6(host.dropFirst().dropLast()) }
        if isIPv4(host) { return true }
        guard isName(host) else { return false }
        let labels = host.split(separator: ".")
        return labels.count == 1 || labels.last.map(localEndings.contains) == true
    }

    /// Whether a text is a name that a resolver may know.
    static func isName(_ text: String) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy(isLabel)
    }

    /// Whether a text is a part of a name. Compose allows the underscore.
    private static func isLabel(_ text: Substring) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy {
                (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d || $0 == 0x5f
            }
    }
}
