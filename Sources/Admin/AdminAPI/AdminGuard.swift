import HTTPTransport
import Matching
import MockEngine
import StubModel

/// Keeps those out who must not drive the daemon: pages of other origins, hosts that a page's name was rebound to, and
/// callers without the credentials that were asked for.
struct AdminGuard: Sendable {
    private let options: AdminOptions
    private let credentials: [[UInt8]]

    init(_ options: AdminOptions) {
        self.options = options
        var credentials: [[UInt8]] = []
        if let basic = options.basicAuth {
            let pair = Base64.encode(Array("\(basic.username):\(basic.password)".utf8))
            credentials.append(Array("basic \(pair)".utf8))
        }
        if let token = options.token { credentials.append(Array("bearer \(token)".utf8)) }
        self.credentials = credentials
    }

    /// The answer that turns the request away, whatever credentials it has; nil lets it in.
    func refusal(_ request: Request) -> PlainResponse? {
        (hostProblem(request) ?? originProblem(request)).map { PlainResponse(status: 403, text: $0 + "\n") }
    }

    // MARK: Host

    /// A name that is neither loopback nor configured may be a page's own, pointed at this machine.
    private func hostProblem(_ request: Request) -> String? {
        if request.localPort == 0 || options.hosts.contains("*") { return nil }
        guard let authority = Authority(of: request) else { return nil }
        let host = String(decoding: authority.bareHost, as: UTF8.self).lowercased()
        if Self.isLoopback(host) || options.hosts.contains(where: { $0.lowercased() == host }) { return nil }
        return "The admin API does not answer for the host `\(host)`. Allow it with --admin-host \(host)."
    }

    private static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    // MARK: Origin

    private func originProblem(_ request: Request) -> String? {
        guard let origin = CORS.origin(request), !isOwn(origin, request), !isAllowed(origin) else { return nil }
        return "The admin API does not answer pages of `\(origin)`. Allow them with --admin-cors \(origin)."
    }

    private func isAllowed(_ origin: String) -> Bool {
        options.origins.contains("*") || options.origins.contains { $0.lowercased() == origin.lowercased() }
    }

    /// A page that the daemon itself served.
    private func isOwn(_ origin: String, _ request: Request) -> Bool {
        guard let host = request.header(hostName) else { return false }
        let scheme = request.isSecure ? "https://" : "http://"
        return origin.lowercased() == (scheme + String(decoding: host, as: UTF8.self)).lowercased()
    }

    // MARK: Credentials

    /// Whether the request has the credentials that were asked for. A preflight never has any.
    func isAuthorized(_ request: Request) -> Bool {
        guard !credentials.isEmpty else { return true }
        guard let given = request.header(authorization) else { return false }
        // The scheme's name has no case (RFC 9110 section 11.1), what follows has.
        let scheme = given.prefix { $0 != UInt8(ascii: " ") }.map { $0 | 0x20 }
        let presented = scheme + given.dropFirst(scheme.count)
        return credentials.contains { Self.areEqual($0, presented) }
    }

    /// Takes the same time wherever they differ.
    private static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for (a, b) in zip(left, right) { difference |= a ^ b }
        return difference == 0
    }
}

private let hostName = Array("host".utf8)
private let authorization = Array("authorization".utf8)
