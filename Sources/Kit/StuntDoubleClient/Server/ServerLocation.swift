#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The parts of a server's URL.
struct ServerLocation {
    let host: String
    let port: Int
    /// The path without a slash at the end: empty, or a session's.
    let path: String
    /// Scheme, host and port, without user information.
    let baseText: String
    /// The `Authorization` header for the URL's user and password; nil without them.
    let authorization: String?
    let url: URL
    /// Why the URL cannot be a server's; nil if it can.
    private let problem: MockServerError?
    private let hostField: String

    init(_ url: URL) {
        let scheme = url.scheme?.lowercased() ?? ""
        var host = url.host() ?? ""
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        self.host = host
        port = url.port ?? (scheme == "https" ? 443 : 80)
        hostField = (host.contains(":") ? "[\(host)]" : host) + ":\(port)"
        var path = url.path(percentEncoded: true)
        while path.hasSuffix("/") { path.removeLast() }
        self.path = path
        baseText = "\(scheme)://\(hostField)"
        self.url = URL(string: baseText + path) ?? url
        authorization = url.user(percentEncoded: false).map { user in
            AdminCredentials.basic("\(user):\(url.password(percentEncoded: false) ?? "")")
        }
        switch (scheme, host.isEmpty) {
        case ("http", false): problem = nil
        case ("https", false) where Self.usesURLSession: problem = nil
        default:
            problem = MockServerError(
                "\(url.absoluteString) is no URL of a server; expected one such as http://127.0.0.1:8080")
        }
    }

    /// The id in `/__session/<id>`; nil if the path names no session.
    var sessionID: String? {
        let parts = path.split(separator: "/")
        guard let index = parts.lastIndex(of: "__session"), index + 1 < parts.count else { return nil }
        return String(parts[index + 1])
    }

    func transport() -> any ServerTransport {
        if let problem { return NoTransport(problem: problem) }
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS) || STUNTDOUBLE_URLSESSION
            return URLSessionTransport(base: baseText)
        #else
            return SocketTransport(host: host, port: port, hostField: hostField)
        #endif
    }

    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS) || STUNTDOUBLE_URLSESSION
        private static let usesURLSession = true
    #else
        private static let usesURLSession = false
    #endif
}

/// Fails each call, because the URL is invalid.
private struct NoTransport: ServerTransport {
    let problem: MockServerError

    func send(_ request: ServerRequest) async throws -> ServerAnswer { throw problem }

    func close() {}
}
