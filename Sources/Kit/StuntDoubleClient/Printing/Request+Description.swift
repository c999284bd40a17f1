import SDJSON
import SDStubModel

extension Stub.Request: CustomStringConvertible {
    /// The pattern in the kit's notation: `.get("/orders").header("Accept", .contains("json"))`.
    public var description: String {
        guard self != .any else { return ".any" }
        return beginning + (model.hasConditions ? conditions.joined() : "")
    }

    private var beginning: String {
        let name: String
        switch model.method {
        case .any: name = "any"
        case .exactly(let method) where Self.named.contains(method): name = method.lowercased()
        case .exactly(let method): return written("method", [LanguageText.quoted(method)])
        case .oneOf(let methods): return written("method", [LanguageText.quoted(methods.joined(separator: "|"))])
        case .noneOf(let methods):
            return written("any", []) + ".method(noneOf: \(methods.map(LanguageText.quoted).joined(separator: ", ")))"
        }
        return written(name, [])
    }

    private static let named: Set = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    /// `.get("/orders")`, `.get().url("/orders?page=1")`.
    private func written(_ name: String, _ arguments: [String]) -> String {
        func call(_ path: String?) -> String {
            let all = arguments + [path].compactMap(\.self)
            return name == "any" && all.isEmpty ? ".any" : ".\(name)(\(all.joined(separator: ", ")))"
        }
        switch model.url {
        case .any: return call(nil)
        case .urlPath(let text), .urlPathTemplate(let text): return call(LanguageText.quoted(text))
        case .urlPathPattern(let text): return call(LanguageText.quoted("~" + text))
        case .url(let text): return call(nil) + ".url(\(LanguageText.quoted(text)))"
        case .urlPattern(let text): return call(nil) + ".url(matching: \(LanguageText.quoted(text)))"
        }
    }

    private var conditions: [String] {
        (json.objectValue?.members ?? []).flatMap { member -> [String] in
            switch member.key {
            case "method", "url", "urlPattern", "urlPath", "urlPathPattern", "urlPathTemplate": []
            case "bodyPatterns":
                (member.value.arrayValue ?? []).map { ".body(\(LanguageText.matcher($0)))" }
            case "headers", "queryParameters", "formParameters", "pathParameters", "cookies", "clientCertificate":
                (member.value.objectValue?.members ?? []).map { named in
                    let equal = named.value["equalTo"].flatMap { named.value.objectValue?.count == 1 ? $0 : nil }
                    let matcher = equal.map(LanguageText.value) ?? LanguageText.matcher(named.value)
                    let name = member.key == "clientCertificate" ? ".\(named.key)" : LanguageText.quoted(named.key)
                    return ".\(Self.words[member.key] ?? "")(\(name), \(matcher))"
                }
            case "host", "clientIp":
                [".\(Self.words[member.key] ?? "")(\(LanguageText.matcher(member.value)))"]
            default: [".\(member.key)(\(LanguageText.value(member.value)))"]
            }
        }
    }

    private static let words = [
        "headers": "header", "queryParameters": "query", "formParameters": "form", "pathParameters": "pathParameter",
        "cookies": "cookie", "host": "host", "clientIp": "clientIP", "clientCertificate": "clientCertificate",
    ]
}

extension Stub.Match: CustomStringConvertible {
    /// The matcher in the kit's notation: `.contains("json")`.
    public var description: String { LanguageText.matcher(jsonValue) }
}
