public import SDHTTPTransport
import SDMatching

/// Requests to this server as a forward proxy.
extension Request {
    /// Whether the target server is this one; such a request is answered like any other.
    public var isForItself: Bool {
        guard let authority = Authority(of: self) else { return true }
        let port = authority.port ?? (isSecure ? 443 : 80)
        return port == Int(localPort) && Self.isLocal(authority.bareHost)
    }

    /// Whether a host name always resolves to this machine.
    private static func isLocal(_ host: ArraySlice<UInt8>) -> Bool {
        let host = String(decoding: host, as: UTF8.self).lowercased()
        return host == "localhost" || host.hasSuffix(".localhost") || host.hasPrefix("127.") || host == "::1"
    }
}
