public import SDHTTPTransport
import SDMatching

/// Requests to this server as a proxy.
extension Request {
    /// Whether the server that the client means is this one: it is asked as usual.
    public var isForItself: Bool {
        guard let authority = Authority(of: self) else { return true }
        let port = authority.port ?? (isSecure ? 443 : 80)
        return port == Int(localPort) && Self.isLocal(authority.bareHost)
    }

    /// Whether a name always means this machine.
    private static func isLocal(_ host: ArraySlice<UInt8>) -> Bool {
        let host = String(decoding: host, as: UTF8.self).lowercased()
        return host == "localhost" || host.hasSuffix(".localhost") || host.hasPrefix("127.") || host == "::1"
    }
}
