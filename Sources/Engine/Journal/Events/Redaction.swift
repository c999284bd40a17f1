import SDPlatform

/// The values that are hidden where people and other programs may read them: in the log, and in all answers of the
/// admin API that are not WireMock's. Headers, cookies and parameters are hidden by name, and user information of URLs
/// always; bodies are shown unchanged.
///
/// WireMock's answers show requests as they were received, because tests compare them. Everything else that shows a
/// request asks a `Redaction?`: for a text of the request, or for the request or evaluation as a whole.
public struct Redaction: Sendable, Equatable {
    /// The text in place of a hidden value.
    public static let mark = "(redacted)"

    private let names: Set<String>

    /// Makes a redaction, which always includes `Authorization`, `Proxy-Authorization`, `Cookie` and `Set-Cookie`.
    /// - Parameter names: names of headers and parameters, in any letter case.
    public init(_ names: [String] = []) {
        let always = ["authorization", "proxy-authorization", "cookie", "set-cookie"]
        self.names = Set(always + names.map { $0.lowercased() })
    }

    public func hides(_ name: String) -> Bool {
        names.contains(name.lowercased())
    }

    /// Whether the value of a parameter is hidden, whose name may be escaped more than once and have members, such as
    /// `api_key[0]` or `login[password]`.
    func hidesParameter(_ name: some StringProtocol) -> Bool {
        let name = Self.decoded(String(name))
        if hides(name) { return true }
        return name.split { "[].".contains($0) || Self.parts.contains($0) }.contains { hides(String($0)) }
    }

    /// A URL, request target or any value that may hold one, without user information and without the values of hidden
    /// parameters: in the query, the fragment and the path, and in what is escaped in any of them.
    public func url(_ text: String) -> String {
        guard text.utf8.contains(where: { Self.signs.contains($0) }) else { return text }
        return url(text, depth: 0)
    }

    /// What a text has that holds something to hide.
    private static let signs = Set("=@%".utf8)
    /// How often a text is decoded.
    private static let maxEscapes = 5

    private func url(_ text: String, depth: Int) -> String {
        var shown = ""
        var rest = text[...]
        while !rest.isEmpty {
            let part = rest.prefix { !Self.parts.contains($0) }
            rest = rest[part.endIndex...]
            if rest.first == "=", hidesParameter(part) {
                shown += part + "=" + Self.mark
                rest = Self.afterValue(rest.dropFirst())
            } else if holdsHidden(part, depth) {
                shown += Self.mark
                rest = Self.afterValue(rest)
            } else {
                shown += part
            }
            guard let sign = rest.popFirst() else { break }
            let isHost = sign == "/" && shown.last == "/"
            shown.append(sign)
            guard isHost, let at = rest.prefix(while: { !"/?# \"<>".contains($0) }).lastIndex(of: "@") else { continue }
            shown += Self.mark
            rest = rest[at...]
        }
        return shown
    }

    /// What parts names and values from each other.
    private static let parts: Set<Character> = ["?", "&", ";", "#", "=", "/", " ", "\"", "'", "<", ">", ",", "\t"]

    /// The text from the end of a value on. A semicolon ends it where another parameter follows: otherwise it may be a
    /// part of it.
    private static func afterValue(_ text: Substring) -> Substring {
        if let quote = text.first, quote == "\"" || quote == "'" {
            return text.dropFirst().drop { $0 != quote }.dropFirst()
        }
        var place = text.startIndex
        while place < text.endIndex {
            let rest = text[place...]
            switch text[place] {
            case "&", "#", "\"", "<", ">": return rest
            case ";" where rest.dropFirst().prefix { !"&;#".contains($0) }.contains("="): return rest
            default: place = text.index(after: place)
            }
        }
        return text[text.endIndex...]
    }

    /// Whether a text is something to hide once it is decoded.
    private func holdsHidden(_ part: Substring, _ depth: Int) -> Bool {
        guard depth < Self.maxEscapes, part.utf8.contains(UInt8(ascii: "%")) else { return false }
        let decoded = Self.decodedOnce(String(part))
        return decoded != part && url(decoded, depth: depth + 1) != decoded
    }

    /// The text with its escapes decoded, and what is escaped in it.
    private static func decoded(_ text: String) -> String {
        var text = text
        for _ in 0..<maxEscapes {
            let next = decodedOnce(text)
            if next == text { break }
            text = next
        }
        return text
    }

    private static func decodedOnce(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else { return text }
        let spaced = text.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return String(decoding: PercentEncoding.decodeLeniently(spaced[...]), as: UTF8.self)
    }
}

extension Redaction? {
    /// The value of a header or parameter, or the mark in its place. A value that holds a URL loses what `shownURL` hides.
    public func shown(_ name: String, _ value: String) -> String {
        guard let self else { return value }
        return self.hidesParameter(name) ? Redaction.mark : self.url(value)
    }

    /// The URL without the values to hide.
    public func shownURL(_ url: String) -> String {
        self?.url(url) ?? url
    }
}
