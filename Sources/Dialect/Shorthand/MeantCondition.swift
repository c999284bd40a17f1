import SDBasics
import SDJSON
import SDStubModel

/// Detects conditions under `when` that probably mean another condition.
enum MeantCondition {
    // MARK: Keys

    /// The condition that an unknown key means; nil if unknown.
    static func key(_ member: JSONObject.Member) -> (message: String, expected: String, suggestion: String?)? {
        let name = member.key
        let unknown = "unknown key \(quoted(name))"
        let value = member.value.compactText.utf8.count > 200 ? "…" : member.value.inRoutes
        if name.hasPrefix("$") {
            let meant = "jsonPath: {\(quoted(name)): \(value)}"
            return ("\(unknown), a JSONPath", "jsonPath: {PATH: VALUE}", meant)
        }
        switch name {
        case "or", "anyOf", "any":
            return (
                "\(unknown): all conditions of a route hold together", "a list of routes, each with its \"when\"", nil
            )
        case "and", "allOf", "all":
            return ("\(unknown): all conditions of a route hold together", "the conditions side by side", nil)
        case "not":
            return (
                "\(unknown): a value is negated where it stands",
                "a matcher such as headers: {X-A: {not: {equalTo: b}}}", nil
            )
        default: break
        }
        let isHeader = name.contains("-") || headers.contains(name.lowercased())
        guard isHeader, RouteConditions.condition(named: name) == nil,
            nearestName(to: name, among: RouteConditions.keys) == nil
        else { return nil }
        return (
            "unknown key \(quoted(name)), a header", "headers: {NAME: VALUE}",
            "headers: {\(JSONValue.string(name).inRoutes): \(value)}"
        )
    }

    private static let headers: Set = [
        "authorization", "accept", "origin", "referer", "range", "prefer", "expect", "etag", "authorisation",
    ]

    // MARK: Values

    /// Notations of other tools for any value.
    private static let anything: Set = [
        "*", "**", ".*", ".+", "^.*$", "^.+$", "{any}", "<any>", "{*}", "{string}", "<string>", "{}", "...", "…",
    ]

    /// The matcher that a text with pattern syntax means, such as `Bearer *` or `/^a+$/`; nil for any other text.
    static func matcher(_ text: String) -> String? {
        if anything.contains(text) { return "{absent: false}" }
        if text.hasSuffix(" *") { return "{matches: \(JSONValue.string(escaped(text.dropLast()) + ".*").inRoutes)}" }
        let isDelimited = text.hasPrefix("/") && text.hasSuffix("/") && text.utf8.count > 2
        let isAnchored = text.hasPrefix("^") && text.hasSuffix("$") && text.utf8.count > 2
        let marks = [".*", ".+", "\\d", "\\w", "[0-9]", "[a-z]", "[A-Z]", "[^"]
        guard isAnchored || marks.contains(where: { text.contains(text: $0) }), !text.contains(text: "://") else {
            return nil
        }
        return "{matches: \(JSONValue.string(isDelimited ? String(text.dropFirst().dropLast()) : text).inRoutes)}"
    }

    /// Whether a list of values of a header probably means one of them: several strings, although most headers occur
    /// once.
    static func meansOne(of values: [JSONValue]) -> Bool {
        let texts = values.compactMap(\.stringValue)
        return texts.count > 1 && texts.allSatisfy { matcher($0) == nil }
    }

    private static func escaped(_ text: some StringProtocol) -> String {
        text.reduce(into: "") { result, character in
            if "\\^$.|?*+()[]{}".contains(character) { result.append("\\") }
            result.append(character)
        }
    }
}
