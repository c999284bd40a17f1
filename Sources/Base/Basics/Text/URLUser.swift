extension String {
    /// Fast path of `withoutUser`: most texts have no `@`.
    public var withoutUser: String { utf8.contains(UInt8(ascii: "@")) ? self[...].withoutUser : self }

    /// The text for messages: user and password of a URL, or of a malformed one, become `…`. A name with an `@`, such
    /// as `node@20` or `ada@example.com`, stays, and so do XPaths and JSONPaths.
    public var withoutPassword: String {
        guard let at = utf8.lastIndex(of: UInt8(ascii: "@")),
            utf8[..<at].contains(where: { ":/\\".utf8.contains($0) }), let user = self[...].user
        else { return self }
        let scheme = self[..<user.lowerBound]
        let hasScheme = scheme.contains { $0.isLetter || ":;".contains($0) }
        let named = self[user].dropLast()
        guard hasScheme || named.contains(":") && !named.hasSuffix("/") && !named.contains(where: "[](){}'".contains)
        else { return self }
        return String(self[..<user.lowerBound]) + "…@" + self[user.upperBound...]
    }
}

extension StringProtocol {
    /// A URL without its user and password, which must not appear in messages: `http://host/` for
    /// `http://ada:secret@host/`. A malformed URL, with a wrong scheme, slashes or port or with a space, loses them
    /// too.
    public var withoutUser: String {
        user.map { String(self[..<$0.lowerBound]) + self[$0.upperBound...] } ?? String(self)
    }

    /// The user and password with the `@` after them; nil if there is none.
    fileprivate var user: Range<Index>? {
        let start = startOfAuthority
        let rest = self[start...]
        let authority = rest.prefix { !"/?# ".contains($0) }
        let port = authority.drop { $0 != ":" }.dropFirst()
        // A port followed directly by a space or a fragment may be the first half of a password.
        let isCut = !port.isEmpty && "# ".contains(rest[authority.endIndex...].first ?? "/")
        let isPort = !isCut && port.allSatisfy(\.isNumber)
        let isWhole = authority.contains("@") || authority.hasPrefix("[") || isPort
        return (isWhole ? authority : rest).lastIndex(of: "@").map { start..<index(after: $0) }
    }

    /// The start of the authority in a URL or a malformed one: after `://`, `//`, `scheme:/`, `scheme//` and similar
    /// marks.
    private var startOfAuthority: Index {
        guard let scheme = firstRange(ofText: "://") else { return endOfScheme(from: startIndex) ?? startIndex }
        let start = utf8[scheme.upperBound...].prefix(while: Self.isMark).endIndex
        // One scheme was put before another.
        guard self[start...].prefix(4).lowercased() == "http" else { return start }
        return endOfScheme(from: start, among: ["http", "https"]) ?? start
    }

    /// The end of something like a scheme and its marks.
    /// - Parameter names: the accepted schemes; empty for any.
    private func endOfScheme(from start: Index, among names: [String] = []) -> Index? {
        let quote = UInt8(ascii: "\"")
        let scheme = utf8[start...].drop { $0 == quote }.prefix {
            (0x30...0x39).contains($0) || (0x41...0x5a).contains($0 & 0xdf) || "+-.".utf8.contains($0)
        }
        guard names.isEmpty || names.contains(self[scheme.startIndex..<scheme.endIndex].lowercased()) else {
            return nil
        }
        let marks = utf8[scheme.endIndex...].prefix(while: Self.isMark)
        guard let slash = marks.firstIndex(where: { "/\\".utf8.contains($0) }) else { return nil }
        let hasColon = marks[..<slash].contains { ":;".utf8.contains($0) }
        return hasColon || marks[slash...].count > 1 ? marks.endIndex : nil
    }

    /// Whether a byte may stand between a scheme and a host, in valid or malformed URLs.
    private static func isMark(_ byte: UInt8) -> Bool { ":;/\\ ".utf8.contains(byte) }
}
