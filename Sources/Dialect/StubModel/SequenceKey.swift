import SDBasics
import SDJSON

/// The request value by which sequences are separated, `per: path.id`: each value starts with the first response.
public struct SequenceKey: Sendable, Hashable {
    /// The part of a request.
    public enum Part: String, Sendable, Hashable, CaseIterable {
        /// A path variable.
        case path
        /// A query parameter.
        case query
        /// A header.
        case header
        /// A cookie.
        case cookie
        /// The result of a JSONPath in the body.
        case body
    }

    /// The part that holds the value.
    public var part: Part
    /// The name within the part; for `body` the JSONPath, which begins with `$`.
    public var name: String

    /// Makes a key from a part and a name.
    public init(_ part: Part, _ name: String) {
        self.part = part
        self.name = name
    }

    /// The notation in stubs: `path.id`, `header.X-User`, `$.customer.id`.
    public var text: String { part == .body ? name : "\(part.rawValue).\(name)" }

    /// Names of parts elsewhere in stubs and in other tools.
    private static let parts: [String: Part] = [
        "path": .path, "pathVariable": .path, "pathParameters": .path, "params": .path, "query": .query,
        "queryParameters": .query, "header": .header, "headers": .header, "cookie": .cookie, "cookies": .cookie,
    ]

    /// The accepted names of parts; the plural ones are those of templates.
    private static let takenParts: [String: Part] = [
        "path": .path, "query": .query, "header": .header, "headers": .header, "cookie": .cookie, "cookies": .cookie,
    ]

    static let expected =
        "path.NAME, query.NAME, header.NAME, cookie.NAME, or a JSONPath of the body, such as $.user.id"

    /// Parses a key; nil for any other text.
    init?(text: String) {
        self.init(text, Self.takenParts)
    }

    private init?(_ text: String, _ parts: [String: Part]) {
        if text.hasPrefix("$.") || text.hasPrefix("$[") {
            guard text.utf8.count > 2 else { return nil }
            self.init(.body, text)
            return
        }
        guard let dot = text.firstIndex(of: "."), let part = parts[String(text[..<dot])] else { return nil }
        let name = String(text[text.index(after: dot)...])
        guard !name.isEmpty, name.trimmingBlanks == name else { return nil }
        self.init(part, name)
    }

    static func read(_ value: JSONValue, _ reader: inout ModelReader) -> SequenceKey? {
        if let text = value.stringValue, let key = SequenceKey(text: text) { return key }
        let isOfSeveral = value.arrayValue != nil || value.stringValue.map(hasSeveral) == true
        reader.refuse(
            isOfSeveral ? "a sequence is kept for one value, and not for several together" : "not a place of a request",
            expected: expected, found: value.shortDescription,
            suggestion: value.stringValue.flatMap { meant(by: $0)?.text })
        return nil
    }

    /// Whether a text names more than one value: `{{path.a}}-{{path.b}}`, `path.a, path.b`.
    private static func hasSeveral(_ text: String) -> Bool {
        text.contains(text: "}}") && text.trimmingBlanks.dropLast(2).contains("}")
            || text.split { ",+&".contains($0) }.count > 1 && !text.contains("{")
    }

    /// Common names of session cookies.
    private static let cookies: Set = ["session", "sessionid", "session_id", "sid", "jsessionid"]
    /// Names that are not in any part of a request.
    private static let nowhere: Set = ["ip", "clientip", "client", "request", "all", "none"]

    /// The key that an invalid text probably means, such as template syntax or `body.user.id`.
    private static func meant(by text: String) -> SequenceKey? {
        if hasSeveral(text) { return nil }
        var text = text[...]
        while let first = text.first, "{ ".contains(first) { text = text.dropFirst() }
        while let last = text.last, "} ".contains(last) { text = text.dropLast() }
        if text.hasPrefix("request.") { text = text.dropFirst("request.".count) }
        if let key = SequenceKey(String(text), parts) { return key }
        for prefix in ["body.", "json.", "jsonBody."] where text.hasPrefix(prefix) {
            let rest = text.dropFirst(prefix.count)
            let path = rest.hasPrefix("$") ? String(rest) : "$." + rest
            return SequenceKey(text: path)
        }
        guard let dot = text.firstIndex(of: ".") else {
            // A bare name: headers have capitals and dashes, path variables rarely do.
            let word = text.lowercased()
            guard let first = text.first, HTTPToken.isToken(String(text)), !nowhere.contains(word) else { return nil }
            if cookies.contains(word) { return SequenceKey(.cookie, String(text)) }
            return SequenceKey(first.isUppercase || text.contains("-") ? .header : .path, String(text))
        }
        return meantName(by: String(text[..<dot]), among: parts.keys.sorted()).flatMap {
            SequenceKey($0 + text[dot...], parts)
        }
    }

    /// Reports a variable that is not in the stub's path.
    func check(_ url: URLPattern, _ reader: inout ModelReader) {
        guard part == .path else { return }
        guard case .urlPathTemplate(let template) = url else {
            reader.refuse(
                "the path has no variables", expected: "a path with {\(name)}, such as /users/{\(name)}", found: nil)
            return
        }
        let variables = URLPattern.variables(of: template)
        guard !variables.contains(name) else { return }
        let keys = variables.map { SequenceKey(.path, $0).text }
        reader.refuse(
            "the path has no variable {\(name)}", expected: "one of \(keys.joined(separator: ", "))", found: nil,
            suggestion: nearestName(to: name, among: variables).map { SequenceKey(.path, $0).text }
                ?? (keys.count == 1 ? keys[0] : nil))
    }
}
