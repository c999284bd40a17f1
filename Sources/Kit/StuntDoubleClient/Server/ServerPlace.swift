#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The parts of a server's URL.
struct ServerPlace {
    let host: String
    let port: Int
    /// The path without a slash at the end: empty, or the one that names a session.
    let path: String
    /// Scheme, host and port, without a user.
    let baseText: String
    /// The header `Authorization` for the user and the password of the URL; nil without them.
    let authorization: String?
    let url: URL
    /// The reason why the URL leads to no server; nil if it may.
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

/// Refuses each call, as there is no server.
private struct NoTransport: ServerTransport {
    let problem: MockServerError

    func send(_ request: ServerRequest) async throws -> ServerAnswer { throw problem }

    func close() {}
}
