import SDBasics

/// The proxy in front of other servers, as `--proxy-via` names it.
struct ForwardingProxy: Sendable {
    let host: TargetHost
    let port: Int
    var user: String?
    var password: String?

    /// `host:port`, or with `user:password@` in front; a port that is missing is 80, as in WireMock.
    /// - Returns: nil if it is neither.
    init?(_ text: String) {
        var place = Array(text.utf8)[...]
        if let at = place.lastIndex(of: 0x40) {
            let pair = place[..<at].split(separator: 0x3A, maxSplits: 1, omittingEmptySubsequences: false)
            user = pair.first.map { String(decoding: $0, as: UTF8.self) }
            password = pair.count > 1 ? String(decoding: pair[1], as: UTF8.self) : ""
            place = place[(at + 1)...]
        }
        guard let (host, port) = UpstreamTarget.hostAndPort(place) else { return nil }
        self.host = host
        self.port = port ?? 80
    }

    var place: String { host.place(port) }

    /// The field with its user; nil if it has none.
    var credentials: (name: String, value: String)? {
        user.map { ("Proxy-Authorization", "Basic " + base64("\($0):\(password ?? "")".utf8)) }
    }

    /// A text in which its words may stand without what it was told of its user, which it may have said back. Shorter passwords than
    /// four bytes stay, as any text may have them.
    func concealing(_ text: String) -> String {
        let pair = credentials.map { String($0.value.dropFirst("Basic ".count)) }
        return [pair, password].reduce(text) { text, secret in
            guard let secret, secret.utf8.count >= 4 else { return text }
            var shown = ""
            var rest = text[...]
            while let range = rest.firstRange(ofText: secret) {
                shown += rest[..<range.lowerBound] + "…"
                rest = rest[range.upperBound...]
            }
            return shown + rest
        }
    }

    /// What asks it for a way to a server.
    func way(to target: UpstreamTarget) -> [UInt8] {
        var lines = FieldLines()
        lines.append(line: "CONNECT \(target.place) HTTP/1.1\r\n")
        lines.add("Host", target.place)
        if let credentials { lines.add(credentials.name, credentials.value) }
        lines.endLine()
        return lines.bytes
    }
}
