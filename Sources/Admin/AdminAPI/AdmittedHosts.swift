import SDBasics
import SDHTTPTransport
import SDMatching

/// The hosts for which the admin API answers. A page can call it under the page's own public name, rebound to this
/// machine. So hosts that cannot be public names are always accepted, and others if configured.
struct AdmittedHosts: Sendable {
    /// Endings of names that are never public: `localhost`, `test` (RFC 6761), `local` (RFC 6762), `internal` (reserved
    /// by ICANN), and `svc`, used by pods for services of their cluster.
    private static let localEndings: Set<Substring> = ["localhost", "test", "local", "internal", "svc"]

    private let admitsAll: Bool
    private let names: Set<String>
    /// The domains below which all names are accepted, with the leading dot.
    private let domains: [String]

    /// - Parameter configured: names, `*.name` for all names below one, or `*`.
    init(_ configured: [String]) {
        let configured = configured.map { Self.canonical($0) }
        admitsAll = configured.contains("*")
        names = Set(configured.filter { !$0.hasPrefix("*") })
        domains = configured.filter { $0.hasPrefix("*.") }.map { String($0.dropFirst()) }
    }

    /// Whether a call's host is accepted. A call without a host, or over a Unix socket, is not from a browser.
    func admit(_ request: Request) -> Bool {
        if admitsAll || request.localPort == 0 { return true }
        guard let host = Self.host(of: request) else { return true }
        if Self.cannotBePublic(host) || names.contains(host) { return true }
        return domains.contains { host.hasSuffix($0) && host.utf8.count > $0.utf8.count }
    }

    /// A request's host, in lower case and without a trailing dot; IPv6 addresses keep their brackets.
    static func host(of request: Request) -> String? {
        Authority(of: request).map { canonical(String(decoding: $0.host, as: UTF8.self)) }
    }

    private static func canonical(_ name: String) -> String {
        let name = name.lowercased()
        return name.hasSuffix(".") ? String(name.dropLast()) : name
    }

    /// Whether the host is an address, a name without a dot, or in a local domain.
    private static func cannotBePublic(_ host: String) -> Bool {
        if host.hasPrefix("[") { return host.hasSuffix("]") && isIPv6(host.dropFirst().dropLast()) }
        if isIPv4(host) { return true }
        guard isName(host) else { return false }
        let labels = host.split(separator: ".")
        return labels.count == 1 || labels.last.map(localEndings.contains) == true
    }

    /// Whether a text is a valid DNS name.
    static func isName(_ text: String) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy(isLabel)
    }

    /// Whether a text is a valid label. Underscores are allowed, as in Compose.
    private static func isLabel(_ text: Substring) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy {
                (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d || $0 == 0x5f
            }
    }
}
