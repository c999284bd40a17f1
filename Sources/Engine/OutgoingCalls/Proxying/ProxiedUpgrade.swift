import SDHTTPTransport
import SDPlatform
import SDUpstream

/// Upgrades to other protocols that clients ask for (RFC 9110, 7.8), such as WebSocket: they are asked of the other server, and where
/// that agrees by a 101, the two go on in the other protocol with each other.
enum ProxiedUpgrade {
    /// The protocols that a request asks for, as `Upgrade` has them. Nil for none, or if nothing can come of it: its body is still on
    /// its way, or it asks for HTTP/2, which is spoken here.
    /// - Parameter removed: the fields that are not sent on, in lower case.
    static func asked(by request: Request, removed: Set<String>) -> String? {
        guard request.header(upgrade) != nil, request.version == .http11 else { return nil }
        guard request.bodyStream == nil, !removed.contains("upgrade") else { return nil }
        guard names(in: request, connection).contains(where: { $0.lowercased() == "upgrade" }) else { return nil }
        let protocols = names(in: request, upgrade).filter { !["h2c", "h2"].contains($0.lowercased()) }
        return protocols.isEmpty ? nil : protocols.joined(separator: ", ")
    }

    /// The members of a list.
    private static func names(in request: Request, _ field: [UInt8]) -> [String] {
        var names: [String] = []
        request.forEachHeaderValue(field) { value in
            names += UpgradeField.members(of: HeaderText.verbatim(value))
            return true
        }
        return names
    }

    private static let connection = Array("connection".utf8)
    private static let upgrade = Array("upgrade".utf8)
}
