import SDBasics

/// The parts of a call's URL.
package struct UpstreamTarget: Sendable {
    let isSecure: Bool
    let host: TargetHost
    let port: Int
    /// The host and port as in the URL; a non-ASCII name in ASCII.
    let authority: String
    /// The path and query as sent.
    private(set) var path: String

    /// Host and port, for messages.
    let place: String

    /// Parses an absolute URL.
    package init(_ url: String) throws(UpstreamProblem) {
        func refuse(_ reason: String) -> UpstreamProblem {
            UpstreamProblem(.badURL, "the URL \(url.withoutUser) cannot be called: \(reason)")
        }
        let text = Array(url.utf8)
        guard let scheme = Self.scheme(text) else { throw refuse("it begins with neither http:// nor https://") }
        isSecure = scheme == 8
        let rest = text[scheme...]
        let end = rest.firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? rest.endIndex
        // Userinfo before the @ is dropped; a request may have a field for it.
        var authority = rest[..<end]
        if let at = authority.lastIndex(of: 0x40) { authority = authority[(at + 1)...] }
        guard let (host, port) = Self.hostAndPort(authority) else { throw refuse("it has no host, or no valid port") }
        self.host = host
        self.port = port ?? (isSecure ? 443 : 80)
        place = host.place(self.port)
        let isPlain = authority.allSatisfy { $0 < 0x80 }
        self.authority =
            isPlain ? String(decoding: authority, as: UTF8.self) : host.text + (port.map { ":\($0)" } ?? "")
        path = Self.path(rest[end...])
    }

    /// The target with another path.
    /// - Parameter rest: the part of a URL after the host.
    package func with(path rest: some Sequence<UInt8>) -> UpstreamTarget {
        var target = self
        target.path = Self.path(Array(rest)[...])
        return target
    }

    /// The length of the scheme with its slashes.
    private static func scheme(_ text: [UInt8]) -> Int? {
        ["http://", "https://"].map { Array($0.utf8) }.first { scheme in
            text.count >= scheme.count && zip(text, scheme).allSatisfy { $0 == $1 || $0 | 0x20 == $1 }
        }?.count
    }

    /// A host (a name or an address, in brackets if it has colons) with an optional port; nil for anything else.
    static func hostAndPort(_ authority: ArraySlice<UInt8>) -> (host: TargetHost, port: Int?)? {
        var host = authority
        var port: Int?
        let colon = authority.lastIndex(of: 0x3A)
        if let colon, authority[colon...].firstIndex(of: 0x5D) == nil {
            host = authority[..<colon]
            let digits = authority[(colon + 1)...]
            if !digits.isEmpty {
                guard digits.count <= 5, digits.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
                port = digits.reduce(0) { 10 * $0 + Int($1 - 0x30) }
                guard let port, (1...65_535).contains(port) else { return nil }
            }
        }
        guard let target = TargetHost(host) else { return nil }
        return (target, port)
    }

    /// The part of a URL after its host as sent: without a fragment, and with characters escaped that would end the
    /// request line.
    private static func path(_ text: ArraySlice<UInt8>) -> String {
        var bytes = text.prefix { $0 != 0x23 }
        if bytes.first != 0x2F { bytes = [0x2F] + bytes }
        guard bytes.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else { return String(decoding: bytes, as: UTF8.self) }
        let digits = Array("0123456789ABCDEF".utf8)
        let escaped = bytes.flatMap { byte in
            byte <= 0x20 || byte == 0x7F ? [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]] : [byte]
        }
        return String(decoding: escaped, as: UTF8.self)
    }
}
