public import SDStubModel

extension MethodPattern {
    /// The text for a report.
    public var shownText: String {
        switch self {
        case .any: "ANY"
        case .exactly(let name): name
        case .oneOf(let names): "one of \(names.joined(separator: ", "))"
        case .noneOf(let names): "none of \(names.joined(separator: ", "))"
        }
    }
}

extension URLPattern {
    /// The member of the request pattern.
    public var fieldName: String {
        switch self {
        case .any, .url: "url"
        case .urlPattern: "urlPattern"
        case .urlPath: "urlPath"
        case .urlPathPattern: "urlPathPattern"
        case .urlPathTemplate: "urlPathTemplate"
        }
    }

    /// The URL as written; `(always)` for any URL.
    public var text: String {
        switch self {
        case .any: "(always)"
        case .url(let text), .urlPattern(let text), .urlPath(let text), .urlPathPattern(let text),
            .urlPathTemplate(let text):
            text
        }
    }

    /// Whether a request must have exactly this text.
    var isExact: Bool {
        switch self {
        case .url, .urlPath: true
        case .any, .urlPattern, .urlPathPattern, .urlPathTemplate: false
        }
    }

    /// The distance of a URL from a path template, ignoring the values of variables; 1 for a pattern of another kind.
    func distanceByParts(of url: String) -> Double {
        guard case .urlPathTemplate(let template) = self else { return 1 }
        return RouteDistance.of(
            Array(url.utf8.prefix { $0 != UInt8(ascii: "?") })[...], from: Array(template.utf8)[...])
    }

    /// Whether the query is ignored.
    var isOfPath: Bool {
        switch self {
        case .urlPath, .urlPathPattern, .urlPathTemplate: true
        case .any, .url, .urlPattern: false
        }
    }

    /// Whether it is a path that contains a query's `?`, which no path does.
    var hasQueryInPath: Bool {
        switch self {
        case .urlPath(let text): text.contains("?")
        case .urlPathTemplate(let text):
            // A `?` in a variable's name does not start a query.
            text.split(separator: "{", omittingEmptySubsequences: false).enumerated().contains { index, part in
                (index == 0 ? part : part.drop { $0 != "}" }).contains("?")
            }
        case .any, .url, .urlPattern, .urlPathPattern: false
        }
    }

    /// The field that matches the query in addition to the path.
    var fieldForQuery: String {
        if case .urlPathTemplate = self { "`queryParameters`" } else { "`url`" }
    }
}
