import SDBasics

/// The upstream proxy of `--proxy-via`.
struct ForwardingProxy: Sendable {
    let host: TargetHost
    let port: Int
    var user: String?
    var password: String?

    /// `host:port`, optionally with `user:password@` in front; the default port is 80, as in WireMock.
    /// - Returns: nil for anything else.
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

    /// The field with its credentials; nil without any.
    var credentials: (name: String, value: String)? {
        user.map { ("Proxy-Authorization", "Basic " + base64("\($0):\(password ?? "")".utf8)) }
    }

    /// A text without the proxy's credentials, which its answer may have echoed. Passwords shorter than four bytes
    /// stay, because any text may contain them.
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

    /// The CONNECT request for a server.
    func way(to target: UpstreamTarget) -> [UInt8] {
        var lines = FieldLines()
        lines.append(line: "CONNECT \(target.place) HTTP/1.1\r\n")
        lines.add("Host", target.place)
        if let credentials { lines.add(credentials.name, credentials.value) }
        lines.endLine()
        return lines.bytes
    }
}
