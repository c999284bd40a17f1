extension String {
    /// The same as of other texts; most have no user, which is seen at a glance.
    public var withoutUser: String { utf8.contains(UInt8(ascii: "@")) ? self[...].withoutUser : self }

    /// A user's text as messages quote it: a URL, or what may be meant as one, has `…` for its user and password. A name with
    /// an `@`, such as `node@20` or `ada@example.com`, stays, and so do XPaths and JSONPaths.
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
    /// A URL without the user and the password in it, which are nobody's business in messages: `http://host/` of
    /// `http://ada:secret@host/`. One that is none, as its scheme, its slashes or its port are wrong or a blank is in it, loses
    /// them too.
    public var withoutUser: String {
        user.map { String(self[..<$0.lowerBound]) + self[$0.upperBound...] } ?? String(self)
    }

    /// The user and the password, with the `@` behind them; nil if there is none.
    fileprivate var user: Range<Index>? {
        let start = startOfAuthority
        let rest = self[start...]
        let authority = rest.prefix { !"/?# ".contains($0) }
        let port = authority.drop { $0 != ":" }.dropFirst()
        // A port with a blank or a fragment right behind it may be the first half of a password.
        let isCut = !port.isEmpty && "# ".contains(rest[authority.endIndex...].first ?? "/")
        let isPort = !isCut && port.allSatisfy(\.isNumber)
        let isWhole = authority.contains("@") || authority.hasPrefix("[") || isPort
        return (isWhole ? authority : rest).lastIndex(of: "@").map { start..<index(after: $0) }
    }

    /// Where the authority begins in a URL, or in what was meant as one: behind `://`, `//`, `scheme:/`, `scheme//`, and
    /// whatever else of that kind stands there.
    private var startOfAuthority: Index {
        guard let scheme = firstRange(ofText: "://") else { return endOfScheme(from: startIndex) ?? startIndex }
        let start = utf8[scheme.upperBound...].prefix(while: Self.isMark).endIndex
        // One was put before another.
        guard self[start...].prefix(4).lowercased() == "http" else { return start }
        return endOfScheme(from: start, among: ["http", "https"]) ?? start
    }

    /// Where something like a scheme with its marks ends.
    /// - Parameter names: the only schemes; any if there are none.
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

    /// Whether a byte may stand between a scheme and a host, as it should or by mistake.
    private static func isMark(_ byte: UInt8) -> Bool { ":;/\\ ".utf8.contains(byte) }
}
