import SDBasics

/// An absolute HTTP URL, as far as a request needs it.
struct WebAddress {
    let scheme: String
    /// The host and port, in lower case; the default port is left out.
    let authority: String
    /// The path and query for a request line: without the fragment, invalid characters percent-encoded.
    let target: String

    /// Nil for a text without an HTTP scheme or without a host.
    init?(_ url: String) {
        guard let mark = url.firstRange(ofText: "://"), let target = url.pathOfURL else { return nil }
        scheme = url[..<mark.lowerBound].lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        let rest = url[mark.upperBound...].prefix { !"/?#".contains($0) }
        let host = (rest.lastIndex(of: "@").map { rest[rest.index(after: $0)...] } ?? rest).lowercased()
        guard !host.isEmpty else { return nil }
        let usual = scheme == "http" ? ":80" : ":443"
        authority = host.hasSuffix(usual) ? String(host.dropLast(usual.count)) : host
        self.target = Self.encoded(target)
    }

    var text: String { scheme + "://" + authority + target }

    /// Whether one of these hosts is meant: a host with any port, a host with this port, or a domain after `*.`.
    func isOf(_ hosts: [String]) -> Bool {
        let name = authority.last == "]" ? authority[...] : authority.prefix { $0 != ":" }
        return hosts.contains { host in
            let host = host.lowercased()
            if host.hasPrefix("*.") { return name.hasSuffix(host.dropFirst()) }
            return host == authority || host == name
        }
    }

    /// The scheme of any URL, in lower case; nil for a text without one.
    static func scheme(of url: String) -> String? {
        guard let colon = url.firstIndex(of: ":") else { return nil }
        let scheme = url[..<colon].lowercased()
        let isScheme = scheme.utf8.allSatisfy {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                || "+-.".utf8.contains($0)
        }
        return scheme.isEmpty || !isScheme ? nil : scheme
    }

    /// Percent-encodes characters that are not allowed in a request line: controls, spaces, quotes, angle brackets and
    /// bytes beyond ASCII.
    private static func encoded(_ target: String) -> String {
        percentEncoded(target) { $0 > 0x20 && $0 < 0x7F && !"\"<>".utf8.contains($0) }
    }

    /// The text with all bytes but the plain ones as `%XX`.
    static func percentEncoded(_ text: String, except isPlain: (UInt8) -> Bool) -> String {
        var encoded = ""
        for byte in text.utf8 {
            if isPlain(byte) {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += digits.utf8.count == 1 ? "%0" + digits : "%" + digits
            }
        }
        return encoded
    }
}
