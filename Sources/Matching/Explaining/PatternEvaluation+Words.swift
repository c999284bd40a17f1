import SDJSON
import SDStubModel

extension PatternEvaluation.Condition {
    /// The tested values on one line; nil if there was none.
    package var found: String? {
        actual.isEmpty ? nil : actual.joined(separator: ", ")
    }

    /// The noun for a part of which a request has several; nil for others.
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

    /// The subject's title in a report: its kind, and its name if there may be several.
    package var title: String {
        let kind = noun ?? member
        return key.map { "\(kind) \($0)" } ?? kind
    }

    /// The expectation as text.
    package var wanted: String {
        guard let matcher else { return expected.json.stringValue ?? expected.json.compactText }
        if matcher.isAbsence { return "none" }
        // Without indentation, which takes several lines.
        if [.equalToJson, .matchesJsonSchema, .equalToXml].contains(matcher.operator) {
            return "\(matcher.shownName) \(matcher.operand.stringValue ?? matcher.operand.compactText)"
        }
        return matcher.isEquality && matcher.operator == .equalTo
            ? matcher.expectedText : "\(matcher.shownName) \(matcher.expectedText)"
    }
}
