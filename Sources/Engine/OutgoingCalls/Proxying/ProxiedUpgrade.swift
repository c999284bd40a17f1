import SDHTTPTransport
import SDPlatform
import SDUpstream

/// Upgrades to other protocols (RFC 9110, 7.8), such as WebSocket: they are forwarded, and after a 101, client and
/// server continue in the other protocol.
enum ProxiedUpgrade {
    /// The protocols that a request asks for, as an `Upgrade` value. Nil for none, or if an upgrade is impossible: the
    /// body is not complete, or it asks for HTTP/2, which is not forwarded.
    /// - Parameter removed: the fields that are not forwarded, in lower case.
    static func asked(by request: Request, removed: Set<String>) -> String? {
        // Over HTTP/2, only WebSocket can be asked for, by a method of its own (RFC 8441).
        if request.version == .http2, request.wantsWebSocket { return removed.contains("upgrade") ? nil : "websocket" }
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
