import SDBasics
import SDStubModel

/// Fast checks that exclude findings for most stubs of a large file, at a fraction of the cost of the full checks.
extension PatternLint {
    /// Whether a pattern certainly has no findings: it has a usual method, a URL without characters that other formats
    /// use, and no other conditions.
    static func isPlain(_ request: borrowing RequestPattern) -> Bool {
        !request.hasConditions && isPlain(request.method) && isPlain(request.url)
    }

    private static let usualMethods = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "GET_OR_HEAD"]

    private static func isPlain(_ method: MethodPattern) -> Bool {
        switch method {
        case .any: true
        case .exactly(let name): usualMethods.contains(name)
        case .oneOf(let names), .noneOf(let names): names.allSatisfy(usualMethods.contains)
        }
    }

    private static func isPlain(_ url: URLPattern) -> Bool {
        switch url {
        case .any: true
        case .url(let text): isPlain(text, hasQuery: true)
        case .urlPath(let text): isPlain(text)
        case .urlPathTemplate(let text): isPlain(text, isTemplate: true)
        case .urlPattern(let text), .urlPathPattern(let text): isPlainExpression(text)
        }
    }

    private static func isPlain(_ text: String, hasQuery: Bool = false, isTemplate: Bool = false) -> Bool {
        var isVariable = false
        var before: UInt8 = 0
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "/"), UInt8(ascii: "-"):
                break
            case UInt8(ascii: "."), UInt8(ascii: "~"), UInt8(ascii: "="), UInt8(ascii: ","), UInt8(ascii: "@"): break
            case UInt8(ascii: "_") where before != byte: break
            case UInt8(ascii: "{") where isTemplate && !isVariable: isVariable = true
            case UInt8(ascii: "}") where isVariable: isVariable = false
            // The rest is the query.
            case UInt8(ascii: "?") where hasQuery: return true
            default: return false
            }
            before = byte
        }
        return true
    }

    private static func isPlainExpression(_ text: String) -> Bool {
        var before: UInt8 = 0
        for byte in text.utf8 {
            if byte == UInt8(ascii: "?") || (byte == UInt8(ascii: "_") && before == byte) { return false }
            before = byte
        }
        return true
    }
}

extension ResponseLint {
    /// Whether the response certainly has no findings: there is only one, with valid header names, a text body without
    /// braces, and nothing that a proxy would replace.
    static func isPlain(_ mapping: borrowing StubMapping) -> Bool {
        if mapping.responses != nil { return false }
        let response = mapping.response
        if response.statusMessage?.contains(text: "{{") == true { return false }
        let hasVariables = if case .urlPathTemplate = mapping.request.url { true } else { false }
        return (200...999).contains(response.status) && response.status != 204 && response.status != 304
            && response.stream == nil
            && response.statusTemplate == nil && response.fixedDelayTemplate == nil
            && response.proxyBaseUrl == nil && proxyFields(of: response).isEmpty
            && response.transformers.isEmpty && response.jsonBody == nil && response.bodyFileName == nil
            && response.headers.allSatisfy { header in
                HTTPToken.isToken(header.name)
                    && header.values.allSatisfy { isPlain($0, hasVariables) && !$0.hasLineEnd }
                    && seconds(ofWait: header) == nil
            }
            && response.body.map { isPlain($0, hasVariables) } ?? true
    }

    /// Whether a text has nothing that looks like an expression, or like a variable of the path.
    private static func isPlain(_ text: String, _ hasVariables: Bool) -> Bool {
        var before: UInt8 = 0
        for byte in text.utf8 {
            if byte == UInt8(ascii: "{"), before == byte || before == UInt8(ascii: "$") || before == UInt8(ascii: "#") {
                return false
            }
            if byte == UInt8(ascii: "%"), before == UInt8(ascii: "<") || before == UInt8(ascii: "{") { return false }
            if byte == UInt8(ascii: "["), before == byte { return false }
            before = byte
        }
        return !hasVariables || !text.utf8.contains { "{:$".utf8.contains($0) }
    }
}
