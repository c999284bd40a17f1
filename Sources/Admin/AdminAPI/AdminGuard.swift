import SDBasics
import SDHTTPMessages
import SDHTTPTransport
import SDMatching
import SDMockEngine
import SDRouting
import SDStubModel

/// Rejects callers that must not control the daemon: pages of other origins, hosts whose name was rebound to this
/// machine, and callers without the required credentials.
struct AdminGuard: Sendable {
    private let options: AdminOptions
    private let hosts: AdmittedHosts
    private let origins: [OriginPattern]
    private let refusedHosts = RefusedHosts()
    private let credentials: [[UInt8]]
    private let log: any ServerLog

    init(_ options: AdminOptions, log: any ServerLog) {
        self.options = options
        self.log = log
        hosts = AdmittedHosts(options.hosts)
        origins = options.origins.compactMap { OriginPattern($0) }
        var credentials: [[UInt8]] = []
        if let basic = options.basicAuth {
            let pair = Base64.encode(Array("\(basic.username):\(basic.password)".utf8))
            credentials.append(Array("basic \(pair)".utf8))
        }
        if let token = options.token { credentials.append(Array("bearer \(token)".utf8)) }
        self.credentials = credentials
    }

    /// The error for a call over plain HTTP if HTTPS is required, in WireMock's words; nil if allowed. The connection
    /// decides, not the request's headers.
    func refusalOfPlain(_ request: Request) -> PlainResponse? {
        guard options.requiresHTTPS, !request.isEncrypted else { return nil }
        return .json(
            ErrorDocument(code: 40, title: "HTTPS is required for accessing the admin API").json, status: 403)
    }

    // MARK: Host

    /// Whether the host of a call is allowed: another one may be a page's own name, rebound to this machine.
    func admitsHost(of request: Request) -> Bool { hosts.admit(request) }

    /// The error for a disallowed host. Logged once per host.
    func refusalOfHost(_ request: Request) -> PlainResponse {
        let host = AdmittedHosts.host(of: request) ?? ""
        let refusal = AdminRefusal(
            reason: "The admin API does not answer for the host `\(host)`",
            fix: AdmittedHosts.isName(host) ? "Allow it with --admin-host \(host)" : nil)
        if let warning = refusedHosts.warning(of: host, refusal) { log.trouble(warning) }
        return refusal.response(to: request)
    }

    // MARK: Origin

    /// The error for a disallowed page, whatever its credentials; nil if allowed.
    func refusalOfOrigin(_ request: Request) -> PlainResponse? {
        guard let origin = CORS.origin(request) else { return nil }
        guard !CORS.hasSeveralOrigins(request) else {
            return AdminRefusal(reason: "The admin API does not answer a request with several Origin headers", fix: nil)
                .response(to: request)
        }
        guard !isOwn(origin, request), !isAllowed(origin) else { return nil }
        return AdminRefusal(
            reason: "The admin API does not answer pages of `\(origin)`",
            fix: OriginPattern(origin) == nil ? nil : "Allow them with --admin-cors \(origin)"
        ).response(to: request)
    }

    private func isAllowed(_ origin: String) -> Bool {
        options.origins.contains("*") || origins.contains { $0.matches(origin) }
    }

    /// Whether the origin is the daemon's own.
    private func isOwn(_ origin: String, _ request: Request) -> Bool {
        // The target's authority takes precedence over `Host`, as for allowed hosts.
        guard let host = request.authority ?? request.header(hostName) else { return false }
        let scheme = request.isEncrypted ? "https://" : "http://"
        return origin.lowercased() == (scheme + String(decoding: host, as: UTF8.self)).lowercased()
    }

    // MARK: Credentials

    /// Whether the request has the required credentials. A preflight never has.
    func isAuthorized(_ request: Request) -> Bool {
        guard !credentials.isEmpty else { return true }
        guard let given = request.header(authorization) else { return false }
        // The scheme's name is not case-sensitive (RFC 9110, section 11.1); the rest is.
        let scheme = given.prefix { $0 != UInt8(ascii: " ") }.map { $0 | 0x20 }
        let presented = scheme + given.dropFirst(scheme.count)
        return credentials.contains { Self.areEqual($0, presented) }
    }

    /// Compares in constant time, wherever the bytes differ.
    private static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for (a, b) in zip(left, right) { difference |= a ^ b }
        return difference == 0
    }
}

private let hostName = Array("host".utf8)
private let authorization = Array("authorization".utf8)
