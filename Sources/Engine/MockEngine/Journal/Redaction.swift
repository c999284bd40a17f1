import SDBytes

/// The values that are hidden where people and other programs may read them: in the log, and in all answers of the
/// admin API that are not WireMock's. Headers, cookies and query parameters are hidden by name; bodies are shown
/// unchanged.
///
/// WireMock's answers show requests as they were received, because tests compare them. Everything else that shows a
/// request asks a `Redaction?`: for a text of the request, or for the request or evaluation as a whole.
public struct Redaction: Sendable, Equatable {
    /// The text in place of a hidden value.
    public static let mark = "(redacted)"

    private let names: Set<String>

    /// Makes a redaction, which always includes `Authorization`, `Cookie` and `Set-Cookie`.
    /// - Parameter names: names of headers and query parameters, in any letter case.
    public init(_ names: [String] = []) {
        self.names = Set(["authorization", "cookie", "set-cookie"] + names.map { $0.lowercased() })
    }

    public func hides(_ name: String) -> Bool {
        names.contains(name.lowercased())
    }

    /// The URL or request target without the values of hidden query parameters, however their names are escaped.
    public func url(_ text: String) -> String {
        guard let mark = text.firstIndex(of: "?") else { return text }
        let pairs = text[text.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        let shown = pairs.map { pair -> String in
            guard let equals = pair.firstIndex(of: "="), hidesParameter(pair[..<equals]) else { return String(pair) }
            return pair[...equals] + Self.mark
        }
        return text[...mark] + shown.joined(separator: "&")
    }

    /// - Parameter name: a name as it stands in a query.
    private func hidesParameter(_ name: Substring) -> Bool {
        if hides(String(name)) { return true }
        guard name.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else { return false }
        let spaced = name.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return hides(String(decoding: PercentEncoding.decodeLeniently(spaced[...]), as: UTF8.self))
    }
}

extension Redaction? {
    /// The value of a header or parameter, or the mark in its place. A value that is a URL loses what `shownURL` hides.
    public func shown(_ name: String, _ value: String) -> String {
        guard let self else { return value }
        return self.hides(name) ? Redaction.mark : self.url(value)
    }

    /// The URL without the values to hide.
    public func shownURL(_ url: String) -> String {
        self?.url(url) ?? url
    }
}
