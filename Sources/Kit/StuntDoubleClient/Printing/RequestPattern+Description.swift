public import SDStubModel

extension RequestPattern: CustomStringConvertible {
    /// The pattern as a test writes it down: `.get("/orders").header("Accept", .contains("json"))`.
    public var description: String {
        guard self != .any else { return ".any" }
        return beginning + (hasConditions ? conditions.joined() : "")
    }

    private var beginning: String {
        let name: String
        switch method {
        case .any: name = "any"
        case .exactly(let method) where Self.named.contains(method): name = method.lowercased()
        case .exactly(let method): return ".method(\(LanguageText.quoted(method)), \(target))"
        case .oneOf(let methods): return ".method(\(LanguageText.quoted(methods.joined(separator: "|"))), \(target))"
        case .noneOf(let methods): return ".method(.noneOf(\(methods)), \(target))"
        }
        return url == .any ? ".\(name)()" : ".\(name)(\(target))"
    }

    private static let named: Set = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    private var target: String {
        switch url {
        case .any: ".any"
        case .urlPath(let text), .urlPathTemplate(let text): LanguageText.quoted(text)
        case .url(let text): ".url(\(LanguageText.quoted(text)))"
        case .urlPattern(let text): ".urlPattern(\(LanguageText.quoted(text)))"
        case .urlPathPattern(let text): LanguageText.quoted("~" + text)
        }
    }

    private var conditions: [String] {
        (json.objectValue?.members ?? []).flatMap { member -> [String] in
            switch member.key {
            case "method", "url", "urlPattern", "urlPath", "urlPathPattern", "urlPathTemplate": []
            case "bodyPatterns":
                (member.value.arrayValue ?? []).map { ".body(\(LanguageText.matcher($0)))" }
            case "headers", "queryParameters", "formParameters", "pathParameters", "cookies":
                (member.value.objectValue?.members ?? []).map { named in
                    let equal = named.value["equalTo"].flatMap { named.value.objectValue?.count == 1 ? $0 : nil }
                    let matcher = equal.map(LanguageText.value) ?? LanguageText.matcher(named.value)
                    return ".\(Self.words[member.key] ?? "")(\(LanguageText.quoted(named.key)), \(matcher))"
                }
            case "host", "clientIp":
                [".\(Self.words[member.key] ?? "")(\(LanguageText.matcher(member.value)))"]
            default: [".\(member.key)(\(LanguageText.value(member.value)))"]
            }
        }
    }

    private static let words = [
        "headers": "header", "queryParameters": "query", "formParameters": "form", "pathParameters": "pathParameter",
        "cookies": "cookie", "host": "host", "clientIp": "clientIP",
    ]
}

extension ValueMatcher: CustomStringConvertible {
    /// The matcher as a test writes it down: `.contains("json")`.
    public var description: String { LanguageText.matcher(jsonValue) }
}
