import Indexing

/// The values hidden in the log, HAR and curl, which people and other programs may read. Headers and query parameters
/// are hidden by name; bodies are shown unchanged.
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

    /// The URL or request target without the values of hidden query parameters.
    public func url(_ text: String) -> String {
        guard let mark = text.firstIndex(of: "?") else { return text }
        let pairs = text[text.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        let shown = pairs.map { pair -> String in
            guard let equals = pair.firstIndex(of: "="), hides(String(pair[..<equals])) else { return String(pair) }
            return pair[...equals] + Self.mark
        }
        return text[...mark] + shown.joined(separator: "&")
    }
}

extension Redaction? {
    /// The value, or the mark in its place.
    public func shown(_ name: String, _ value: String) -> String {
        self?.hides(name) == true ? Redaction.mark : value
    }

    /// The URL without the values to hide.
    public func shownURL(_ url: String) -> String {
        self?.url(url) ?? url
    }
}
