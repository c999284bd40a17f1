/// Searches for a text in another one, byte by byte. Those of `_StringProcessing` would link Swift's engine for regular
/// expressions into the daemon.
extension StringProtocol {
    /// Whether a text occurs anywhere. An empty one always does.
    @inlinable
    public func contains(text: some StringProtocol) -> Bool {
        firstRange(ofText: text) != nil
    }

    /// The first place of a text, before which it does not occur; nil if it does not occur. An empty one occurs at the
    /// start.
    @inlinable
    public func firstRange(ofText text: some StringProtocol) -> Range<Index>? {
        let needle = text.utf8
        guard let first = needle.first else { return startIndex..<startIndex }
        var rest = utf8[...]
        while let place = rest.firstIndex(of: first) {
            rest = rest[place...]
            if rest.starts(with: needle) { return place..<rest.index(place, offsetBy: needle.count) }
            rest = rest.dropFirst()
        }
        return nil
    }
}

extension String {
    /// The same as of other texts; most have no user, which is seen at a glance.
    public var withoutUser: String { utf8.contains(UInt8(ascii: "@")) ? self[...].withoutUser : self }
}

extension StringProtocol {
    /// A URL without the user and the password in it, which are nobody's business in messages: `http://host/` of
    /// `http://ada:secret@host/`. One that is none, as its scheme, its slashes or its port are wrong or a blank is in it, loses
    /// them too.
    public var withoutUser: String {
        let start = startOfAuthority
        let rest = self[start...].prefix { !"\"\r\n".contains($0) }
        let authority = rest.prefix { !"/?# ".contains($0) }
        let port = authority.drop { $0 != ":" }.dropFirst()
        // A port with a blank or a fragment right behind it may be the first half of a password.
        let isCut = !port.isEmpty && "# ".contains(rest[authority.endIndex...].first ?? "/")
        let isPort = !isCut && port.allSatisfy(\.isNumber)
        let isWhole = authority.contains("@") || authority.hasPrefix("[") || isPort
        guard let at = (isWhole ? authority : rest).lastIndex(of: "@") else { return String(self) }
        return String(self[..<start]) + self[index(after: at)...]
    }

    /// Where the authority begins in a URL, or in what was meant as one: behind `://`, a `//` in front, or `scheme:/`.
    private var startOfAuthority: Index {
        if let scheme = firstRange(ofText: "://") { return scheme.upperBound }
        if hasPrefix("//") { return index(startIndex, offsetBy: 2) }
        guard let scheme = firstRange(ofText: ":/") else { return startIndex }
        return self[..<scheme.lowerBound].allSatisfy { $0.isLetter || $0.isNumber } ? scheme.upperBound : startIndex
    }

    /// The path and query of an absolute URL; nil for any other text.
    public var pathOfURL: String? {
        guard let scheme = firstRange(ofText: "://"), !self[..<scheme.lowerBound].contains(where: { "/?".contains($0) })
        else { return nil }
        let rest = self[scheme.upperBound...].prefix { $0 != "#" }
        let path = rest.firstIndex { $0 == "/" || $0 == "?" }.map { String(rest[$0...]) } ?? ""
        return path.hasPrefix("/") ? path : "/" + path
    }
}
