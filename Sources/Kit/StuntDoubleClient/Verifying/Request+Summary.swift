import SDJSON
import SDStubModel

extension Stub.Request {
    /// A short form of the pattern: method and URL, and whether there is more.
    var summary: String {
        let method =
            switch model.method {
            case .any: "ANY"
            case .exactly(let name): name
            case .oneOf(let names): names.joined(separator: "|")
            case .noneOf(let names): "not " + names.joined(separator: "|")
            }
        let url =
            switch model.url {
            case .any: "any URL"
            case .url(let text), .urlPath(let text), .urlPathTemplate(let text): text
            case .urlPattern(let text), .urlPathPattern(let text): "matching \(text)"
            }
        let conditions = conditions
        return conditions.isEmpty ? "\(method) \(url)" : "\(method) \(url) with \(conditions.joined(separator: ", "))"
    }

    /// The conditions other than method and URL: `header Accept contains "json"`.
    private var conditions: [String] {
        // Most patterns have none.
        guard model != SDStubModel.RequestPattern(method: model.method, url: model.url) else { return [] }
        return (json.objectValue?.members ?? []).flatMap { member -> [String] in
            switch member.key {
            case "method", "url", "urlPattern", "urlPath", "urlPathPattern", "urlPathTemplate": []
            case "bodyPatterns", "multipartPatterns":
                (member.value.arrayValue ?? []).enumerated().map { index, matcher in
                    "\(FailureText.name(member.key, String(index))) \(FailureText.matcher(matcher))"
                }
            case "headers", "queryParameters", "formParameters", "pathParameters", "cookies":
                (member.value.objectValue?.members ?? []).map { named in
                    "\(FailureText.name(member.key, named.key)) \(FailureText.matcher(named.value))"
                }
            default: ["\(member.key) \(FailureText.matcher(member.value))"]
            }
        }
    }
}
