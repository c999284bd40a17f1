import SDBasics
import SDJSON
import SDStubModel

extension PatternEvaluation.Condition {
    /// The maximum length of texts, in characters.
    private static let longest = 120

    /// The failed condition as a log line, such as `header Accept: expected contains "json", was "text/html"`.
    package var difference: String {
        let values = actual.map { Self.shown(.string($0)) }
        let seen = actual.isEmpty ? "was missing" : "was " + values.joined(separator: ", ")
        switch (attribute, expected) {
        case (_, .method(let method)): return "method: expected \(method.shownText), was \(actual.first ?? "none")"
        case (_, .url(let url)):
            if url.hasQueryInPath {
                let path = (actual.first ?? "").prefix { $0 != "?" }
                return "path: expected \(url.text), was \(String(path).shortened) (a path has no query: "
                    + "\(url.fieldForQuery) matches it)"
            }
            return "URL: expected \(url.text), was \((actual.first ?? "").shortened)"
        case (.basicAuth, _):
            return "basic authentication: expected the user \(Self.shown(expected.json)), "
                + (actual.isEmpty ? "was missing" : "was different")
        case (.body, _):
            if let first = differences.first { return "body: \(first)" }
            return "body: expected \(Self.expectation(expected.json)), \(seen)"
        case (_, .part(let part)):
            let which = part.name.map { Self.shown(.string($0)) } ?? "number \(index + 1)"
            let parts = part.matchingType == .all ? "not all parts pass" : "no part passes"
            return "multipart: \(parts) the stub's pattern \(which)"
        case (.customMatcher, _): return "the custom matcher \(key ?? "") does not match"
        case (.host, _), (.port, _), (.clientIP, _), (.scheme, _):
            return "\(member): expected \(Self.expectation(expected.json)), \(seen)"
        default:
            let field = "\(noun ?? "client certificate's") \(key ?? "")"
            if isHidden { return "\(field) differs" }
            return differences.first.map { "\(field): \($0)" }
                ?? "\(field): expected \(Self.expectation(expected.json)), \(seen)"
        }
    }

    /// The expectation as text, such as `contains "json"`; for an equality, only the value.
    private static func expectation(_ matcher: JSONValue) -> String {
        guard let object = matcher.objectValue, let first = object.members.first else { return shown(matcher) }
        if first.key == "absent" { return first.value == false ? "a value" : "none" }
        return first.key == "equalTo" ? shown(first.value) : "\(first.key) \(shown(first.value))"
    }

    private static func shown(_ value: JSONValue) -> String {
        let text = value.compactText
        return text.count > longest ? text.prefix(longest) + "…" : text
    }
}
