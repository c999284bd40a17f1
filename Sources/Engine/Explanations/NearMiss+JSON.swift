public import SDExplaining
public import SDJSON
public import SDJournal
import SDLinting
import SDMatching
public import SDStubModel

extension NearMiss {
    /// The near miss with every condition and its actual value: an addition to WireMock.
    /// - Parameter redaction: the values of the request to hide; nil where the caller has described the request.
    public func detailedJSON(_ redaction: Redaction?) -> JSONValue {
        var json: JSONObject = ["stubMapping": stub.json(redaction), "distance": distance.jsonNumber]
        json["file"] = reference.file.map { .string($0) }
        json["line"] = reference.line.map { .number(JSONNumber($0)) }
        json["key"] = .string(redaction.shownURL(reference.key))
        json["scenarioState"] = scenarioState.map { .string($0) }
        json["ineligible"] = ineligibility.map { .string($0) }
        json["attributes"] = .array(redaction.shown(evaluation).conditions.map(\.json))
        // What is hardly meant in the pattern may be why it does not match.
        let warnings = redaction == nil ? PatternLint.findings(in: stub.request, at: ["request"]) : []
        if !warnings.isEmpty { json["warnings"] = .array(warnings.map { .string($0.problem.description) }) }
        return .object(json)
    }
}

extension StubMapping {
    /// The stub, which may expect the very values that are hidden in requests, and answer with others.
    /// - Parameter redaction: what to hide; nil for nothing.
    public func json(_ redaction: Redaction?) -> JSONValue {
        guard let redaction else { return json() }
        var shown = self
        shown.request = Optional(redaction).shown(request)
        let text = redaction.body(shown.json().compactBytes, type: "application/json")
        return (try? JSONValue(parsing: text)) ?? .null
    }
}
