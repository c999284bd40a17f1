import SDHTTPMessages
import SDHTTPTransport
import SDMatching
import SDMockEngine
import SDStubModel

/// Keeps out callers that must not control the daemon: pages of other origins, hosts whose name was rebound to this
/// machine, and callers without the required credentials.
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

    /// The answer that refuses the request, whatever its credentials; nil if it is allowed.
    func refusal(_ request: Request) -> PlainResponse? {
        (hostProblem(request) ?? originProblem(request)).map { PlainResponse(status: 403, text: $0 + "\n") }
    }

    /// The answer that refuses a call over plain HTTP if that is not wanted, in WireMock's words; nil if it is allowed.
    /// The connection decides, not what the request says of itself or of a server in front.
    func refusalOfPlain(_ request: Request) -> PlainResponse? {
        guard options.requiresHTTPS, !request.isEncrypted else { return nil }
        return .json(
            ErrorDocument(code: 40, title: "HTTPS is required for accessing the admin API").json, status: 403)
    }

    // MARK: Host

    /// The reason to refuse a host: a name that is neither loopback nor configured may be a page's own, rebound to this
    /// machine.
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

    /// Whether the origin is the daemon's own.
    private func isOwn(_ origin: String, _ request: Request) -> Bool {
        // In HTTP/2 the authority stands for the header.
        guard let host = request.header(hostName) ?? request.authority else { return false }
        let scheme = request.isEncrypted ? "https://" : "http://"
        return origin.lowercased() == (scheme + String(decoding: host, as: UTF8.self)).lowercased()
    }

    // MARK: Credentials

    /// Whether the request has the required credentials. A preflight never has any.
    func isAuthorized(_ request: Request) -> Bool {
        guard !credentials.isEmpty else { return true }
        guard let given = request.header(authorization) else { return false }
        // The scheme's name is not case-sensitive (RFC 9110, section 11.1), the rest is.
        let scheme = given.prefix { $0 != UInt8(ascii: " ") }.map { $0 | 0x20 }
        let presented = scheme + given.dropFirst(scheme.count)
        return credentials.contains { Self.areEqual($0, presented) }
    }

    /// Compares in the same time wherever the bytes differ.
    private static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for (a, b) in zip(left, right) { difference |= a ^ b }
        return difference == 0
    }
}

private let hostName = Array("host".utf8)
private let authorization = Array("authorization".utf8)
