package import SDJSON

/// A colon without a space after it, which YAML treats as part of the text: `status:200` is a string, and
/// `GET /a:status: 200` the route `/a:status`.
package struct MissingSpace {
    /// The text before the colon.
    package let name: String
    /// The intended text; nil if part of it is missing.
    package let suggestion: String?

    package var message: String { "missing space after \(quoted(name + ":"))" }
    package var expected: String { "a space after the colon between a key and its value" }

    /// Finds one in a key, or in a string in place of a mapping, such as `status:200`.
    /// - Parameter names: the valid keys.
    package init?(inKey text: String, of names: [String]) {
        guard let (name, value) = Self.parts(text), names.contains(name) else { return nil }
        self.name = name
        let isWhole = !value.isEmpty && !value.contains { "{[\"'".contains($0) }
        suggestion = isWhole ? "\(name): \(value)" : nil
    }

    /// Finds one in a route key that contains the start of its response: `GET /a:status`, `GET /a:{status`.
    package init?(inRoute member: JSONObject.Member, of names: [String]) {
        guard let colon = member.key.lastIndex(of: ":") else { return nil }
        let behind = member.key[member.key.index(after: colon)...]
        let key = behind.hasPrefix("{") ? behind.dropFirst() : behind
        guard names.contains(String(key)) else { return nil }
        name = String(member.key[..<colon])
        suggestion = behind.hasPrefix("{") ? nil : "\(name): {\(key): \(member.value.compactText)}"
    }

    package init(name: String, suggestion: String?) {
        self.name = name
        self.suggestion = suggestion
    }

    private static func parts(_ text: String) -> (name: String, value: String)? {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        return (String(text[..<colon]), String(text[text.index(after: colon)...]))
    }
}
