import SDPlatform

/// A request's destination and source, as WireMock determines them: from the Host header, not from the socket.
package struct RequestOrigin {
    /// The host without its port; an IPv6 address keeps its brackets. The letter case is kept, because WireMock
    /// compares it.
    package let host: ArraySlice<UInt8>
    package let port: Int
    /// The whole text of `X-Forwarded-For` if present and not empty, or else the client's address.
    package let client: ArraySlice<UInt8>
    /// `http` or `https`.
    package let scheme: [UInt8]

    init(_ request: some MatchableRequest) {
        scheme = request.isSecure ? Self.secure : Self.plain
        let forwarded = request.firstHeader(Self.forwardedFor).map(HeaderText.utf8) ?? []
        client = forwarded.isEmpty ? Array(request.peer.utf8)[...] : forwarded
        if let named = Authority(of: request), !named.isEmpty {
            host = named.host
            port = named.port ?? (request.isSecure ? 443 : 80)
        } else {
            // HTTP/1.0 need not name a host: use this end's address, which for a local client equals the client's.
            host = Array(request.peer.utf8)[...]
            port = Int(request.localPort)
        }
    }

    private static let plain = Array("http".utf8)
    private static let secure = Array("https".utf8)
    private static let forwardedFor = Array("x-forwarded-for".utf8)
}
