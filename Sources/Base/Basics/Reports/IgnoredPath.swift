/// The patterns of the paths of requests that do not count in a report.
public enum IgnoredPath {
    /// What a pattern is, for messages.
    public static let expected = "a pattern of paths such as /favicon.ico or /assets/**"

    /// The pattern that was probably meant by a text that matches no path: a route's key, a regular expression, a URL or a path
    /// with a query; nil for a pattern that may match.
    public static func meant(by text: String) -> String? {
        var rest = text[...]
        // Before the blank, a method, unless the blank is one of the path's own.
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
        // A question mark stands for a character, unless a query follows.
        if let mark = rest.firstIndex(of: "?"), rest[mark...].contains(where: { $0 == "=" }) { rest = rest[..<mark] }
        if rest.hasSuffix("/.*") || rest.hasSuffix("/.+") { rest = rest.dropLast(2) + "**" }
        return rest == text ? nil : rest.isEmpty ? "/**" : String(rest)
    }
}
