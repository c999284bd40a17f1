import SDJSON
import SDStubModel

extension PatternEvaluation.Condition {
    /// The tested values in a line; nil if there was none.
    package var found: String? {
        actual.isEmpty ? nil : actual.joined(separator: ", ")
    }

    /// What a person calls a part of which a request has several; nil for others.
    var noun: String? {
        switch attribute {
        case .url: if case .url(let url) = expected, url.isOfPath { "path" } else { "url" }
        case .header: "header"
        case .queryParameter: "query parameter"
        case .formParameter: "form field"
        case .pathParameter: "path parameter"
        case .cookie: "cookie"
        case .body: "body"
        case .multipart: "part"
        default: nil
        }
    }

    /// What a report calls the subject: its kind, and its name if there may be several.
    package var title: String {
        let kind = noun ?? member
        return key.map { "\(kind) \($0)" } ?? kind
    }

    /// What the stub wants, in words.
    package var wanted: String {
        guard let matcher else { return expected.json.stringValue ?? expected.json.compactText }
        if matcher.isAbsence { return "none" }
        // Without the layout, which takes lines.
        if [.equalToJson, .matchesJsonSchema, .equalToXml].contains(matcher.operator) {
            return "\(matcher.shownName) \(matcher.operand.stringValue ?? matcher.operand.compactText)"
        }
        return matcher.isEquality && matcher.operator == .equalTo
            ? matcher.expectedText : "\(matcher.shownName) \(matcher.expectedText)"
    }
}
