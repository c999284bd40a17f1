/// Path patterns of requests to leave out of a report.
public enum IgnoredPath {
    /// The description of a pattern in messages.
    public static let expected = "a pattern of paths such as /favicon.ico or /assets/**"

    /// The pattern that was probably meant by a text that cannot match a path: a route key, a regular expression, a URL
    /// or a path with a query; nil for a valid pattern.
    public static func meant(by text: String) -> String? {
        var rest = text[...]
        // The word before a space is a method, unless the space belongs to the path.
        let words = rest.split(maxSplits: 1) { $0 == " " || $0 == "\t" }
        if words.count > 1, !words[0].contains("/") { rest = words[1] }
        while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
        while let first = rest.first, first == " " || first == "\t" { rest.removeFirst() }
        if rest.hasPrefix("^") { rest.removeFirst() }
        if rest.hasSuffix("$") { rest.removeLast() }
        if rest.hasPrefix("http://") || rest.hasPrefix("https://") {
            let host = rest.firstIndex(of: "/").map { rest[$0...].dropFirst(2) } ?? rest
            rest = host.firstIndex(of: "/").map { host[$0...] } ?? "/"
        }
        // `?` matches one character, unless a query follows.
        if let mark = rest.firstIndex(of: "?"), rest[mark...].contains(where: { $0 == "=" }) { rest = rest[..<mark] }
        if rest.hasSuffix("/.*") || rest.hasSuffix("/.+") { rest = rest.dropLast(2) + "**" }
        return rest == text ? nil : rest.isEmpty ? "/**" : String(rest)
    }
}
