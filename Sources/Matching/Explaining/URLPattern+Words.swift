public import SDStubModel

extension MethodPattern {
    /// The text as a report shows it.
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

    /// Whether it is the text itself that a request has to have.
    var isExact: Bool {
        switch self {
        case .url, .urlPath: true
        case .any, .urlPattern, .urlPathPattern, .urlPathTemplate: false
        }
    }

    /// The distance of a URL from a path template, however long the values of variables are; 1 for a pattern of another kind.
    func distanceByParts(of url: String) -> Double {
        guard case .urlPathTemplate(let template) = self else { return 1 }
        return RouteDistance.of(
            Array(url.utf8.prefix { $0 != UInt8(ascii: "?") })[...], from: Array(template.utf8)[...])
    }

    /// Whether the query does not matter.
    var isOfPath: Bool {
        switch self {
        case .urlPath, .urlPathPattern, .urlPathTemplate: true
        case .any, .url, .urlPattern: false
        }
    }

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
