import SDHTTPTransport
import SDJSON
public import SDJournal
import SDMatching
public import SDStubModel

/// An unmatched request, for the log.
public struct UnmatchedRequest: Sendable {
    public let event: ServeEvent
    private let unmatched: UnmatchedReport

    init(_ event: ServeEvent, _ report: UnmatchedReport) {
        self.event = event
        unmatched = report
    }

    /// The nearest stub; nil if there are none.
    public var nearest: StubReference? { unmatched.nearest?.reference }

    /// Whether the nearest stub is of another URL altogether, so that nobody meant it: reports do not name it, either.
    public func isFar(_ redaction: Redaction?) -> Bool {
        unmatched.nearest.map { SmallestChange(of: $0, redaction).isFar } ?? false
    }

    /// What would answer a preflight, and which stub files have errors; nil for neither.
    public var advice: String? { unmatched.advice }

    /// The report that the client got, in two columns.
    public var report: String { event.extras?.unmatched?.report ?? unmatched.text }

    /// The first difference between the request and the nearest stub, such as `header Accept: expected contains "json",
    /// was "text/html"`.
    public func difference(_ redaction: Redaction?) -> String? {
        guard let nearest = unmatched.nearest else { return nil }
        return redaction.shown(nearest.evaluation).failing.first?.difference ?? nearest.ineligibility
    }
}

extension PatternEvaluation.Condition {
    /// The length in characters at which texts are cut.
    private static let longest = 120

    var difference: String {
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

    /// The expectation in words, such as `contains "json"`; for an equality, only the value.
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

extension String {
    /// The beginning of a URL or another text, short enough for a line of the log.
    public var shortened: String {
        utf8.count > 500 ? prefix(500) + "…" : self
    }
}

extension URLPattern {
    /// Whether it is a path with the `?` of a query, which no path has.
    var hasQueryInPath: Bool {
        switch self {
        case .urlPath(let text): text.contains("?")
        case .urlPathTemplate(let text):
            // One in the name of a variable begins no query.
            text.split(separator: "{", omittingEmptySubsequences: false).enumerated().contains { index, part in
                (index == 0 ? part : part.drop { $0 != "}" }).contains("?")
            }
        case .any, .url, .urlPattern, .urlPathPattern: false
        }
    }

    /// The field that matches a query beside the path.
    var fieldForQuery: String {
        if case .urlPathTemplate = self { "`queryParameters`" } else { "`url`" }
    }
}
