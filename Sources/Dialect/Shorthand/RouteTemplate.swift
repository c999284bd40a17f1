import SDBasics
import SDJSON
package import SDStubModel

/// Decides which routes are templates: those with an expression, unless they say `template: false`.
package enum RouteTemplate {
    static func read(
        _ value: JSONValue, into response: inout ResponseDefinition, _ reader: inout ModelReader
    ) {
        guard let isTemplate = value.boolValue else {
            reader.report(
                detail: nil, message: "neither true nor false",
                expected: "false to send `\(open)…\(close)` as it stands, true to render the content of the file too",
                found: value.shortDescription)
            return
        }
        response.template = isTemplate
    }

    /// Makes a response with an expression a template. A body file, which may contain anything, becomes a template only
    /// if the route says so. In JSON, values of expressions keep their types.
    static func complete(_ response: inout ResponseDefinition, _ reader: inout ModelReader) {
        switch response.template {
        case false?: return
        case true?: response.template = nil
        case nil:
            guard isTemplate(response) else { return warnOfTags(in: response, &reader) }
            if response.bodyFileName != nil { response.transformerParameters = ["disableBodyFileTemplating": true] }
        }
        if response.jsonBody.map({ hasExpression($0) }) == true { response.transformerParameters = ["keepTypes": true] }
        response.transformers = [transformer]
    }

    /// Warns about an unclosed tag such as `{{request.path}`, which is plain text.
    private static func warnOfTags(in response: borrowing ResponseDefinition, _ reader: inout ModelReader) {
        if response.fault != nil { return }
        guard let tag = response.body.flatMap(unendedTag) ?? response.jsonBody.flatMap(unendedTag) else { return }
        reader.warn(
            "\(quoted(tag)) does not end, and is sent as it stands", expected: "\(open)…\(close), or `template: false`",
            name: response.jsonBody == nil ? "body" : "json")
    }

    private static func unendedTag(_ json: JSONValue) -> String? {
        switch json {
        case .string(let text): unendedTag(text)
        case .array(let elements): elements.lazy.compactMap(unendedTag).first
        case .object(let object): object.members.lazy.compactMap { unendedTag($0.value) }.first
        case .null, .bool, .number: nil
        }
    }

    /// The start of an unclosed tag in a text without expressions; nil for none.
    private static func unendedTag(_ text: String) -> String? {
        guard let start = text.firstRange(ofText: open) else { return nil }
        let name = text[start.upperBound...].drop { "{#^&~ ".contains($0) }
        guard name.first?.isLetter == true, name.contains(where: { $0 == "}" }) else { return nil }
        return String(text[start.lowerBound...].prefix { !$0.isNewline }.prefix(60))
    }

    private static let transformer = "response-template"
    private static let open = "{{"
    private static let close = "}}"

    /// Makes a response an explicit template if it is one only because the server renders all responses.
    package static func adopt(_ response: inout ResponseDefinition) {
        guard isUntold(response), isTemplate(response) || response.bodyFileName != nil else { return }
        response.transformers.append(transformer)
    }

    /// Whether a response that is not a template contains expressions in its texts.
    package static func isText(_ response: borrowing ResponseDefinition) -> Bool {
        isUntold(response) && isTemplate(response)
    }

    private static func isUntold(_ response: borrowing ResponseDefinition) -> Bool {
        response.template == nil && !response.transformers.contains(transformer)
    }

    static func isTemplate(_ response: borrowing ResponseDefinition) -> Bool {
        if response.fault != nil { return false }
        return [response.body, response.bodyFileName, response.statusMessage].contains {
            $0.map(hasExpression) ?? false
        }
            || response.jsonBody.map { hasExpression($0) } ?? false
            || response.headers.contains { $0.values.contains(where: hasExpression) }
            || response.stream?.hasText(where: hasExpression) ?? false
    }

    /// Whether a text contains `{{…}}`.
    static func hasExpression(_ text: String) -> Bool {
        text.firstRange(ofText: open).map { text[$0.upperBound...].contains(text: close) } ?? false
    }

    private static func hasExpression(_ json: JSONValue) -> Bool {
        switch json {
        case .string(let text): hasExpression(text)
        case .array(let elements): elements.contains { hasExpression($0) }
        case .object(let object): object.members.contains { hasExpression($0.key) || hasExpression($0.value) }
        case .null, .bool, .number: false
        }
    }
}
