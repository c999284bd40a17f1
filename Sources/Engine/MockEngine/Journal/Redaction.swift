/// What is not to be shown where people and other programs read along: the log, HAR and curl. Headers and query parameters
/// go by their names; bodies are shown as they are.
public struct Redaction: Sendable, Equatable {
    /// What stands in place of a value.
    public static let mark = "(redacted)"

    private let names: Set<String>

    /// `Authorization`, `Cookie` and `Set-Cookie` are always among them.
    /// - Parameter names: of headers and query parameters, in any letter case.
    public init(_ names: [String] = []) {
        self.names = Set(["authorization", "cookie", "set-cookie"] + names.map { $0.lowercased() })
    }

    public func hides(_ name: String) -> Bool {
        names.contains(name.lowercased())
    }

    /// A URL or request target without the values of hidden query parameters.
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
    /// The value, or what stands for it.
    func shown(_ name: String, _ value: String) -> String {
        self?.hides(name) == true ? Redaction.mark : value
    }

    func shownURL(_ url: String) -> String {
        self?.url(url) ?? url
    }
}
