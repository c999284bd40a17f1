import SDBasics

/// The address of a running daemon: `http://127.0.0.1:8080`, optionally with a path before `/__admin`, such as that of
/// a session.
public struct ServerURL: Sendable, Hashable {
    /// The host without the brackets of an IPv6 address.
    public let host: String
    public let port: Int
    /// The path without a slash at its end; empty if there is none.
    public let path: String

    /// Parses a URL; nil if it is invalid. The scheme may be omitted, and the port (80 by default); a port alone means
    /// this machine. A trailing path of the admin API is dropped.
    public init?(_ text: String) {
        var rest = decimal(text[...]) != nil ? "127.0.0.1:\(text)"[...] : text[...]
        if let scheme = rest.firstRange(ofText: "://") {
            guard rest[..<scheme.lowerBound].lowercased() == "http" else { return nil }
            rest = rest[scheme.upperBound...]
        }
        let authority = rest.prefix { $0 != "/" }
        var path = rest[authority.endIndex...]
        while path.hasSuffix("/") { path.removeLast() }
        if path.hasSuffix(Self.adminPath) { path.removeLast(Self.adminPath.count) }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }), !path.contains("?"), !path.contains("#") else {
            return nil
        }
        self.path = String(path)
        var port: Substring?
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            host = String(authority[..<end].dropFirst())
            let behind = authority[end...].dropFirst()
            guard behind.isEmpty || behind.hasPrefix(":"), isIPv6(host) else { return nil }
            port = behind.isEmpty ? nil : behind.dropFirst()
        } else {
            let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
            guard let first = parts.first, !first.isEmpty, parts.count <= 2, first.utf8.allSatisfy(Self.isOfHost) else {
                return nil
            }
            host = String(first)
            port = parts.count == 2 ? parts[1] : nil
        }
        if let port {
            guard let number = decimal(port), (1...65_535).contains(number) else { return nil }
            self.port = number
        } else {
            self.port = 80
        }
    }

    private static let adminPath = "/__admin"

    /// Whether a byte is allowed in a host name or an IPv4 address.
    private static func isOfHost(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte & 0xdf) || "-._".utf8.contains(byte)
    }

    /// The value of the header `Host`.
    public var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == 80 ? name : "\(name):\(port)"
    }

    public var text: String { "http://\(authority)\(path)" }
}
