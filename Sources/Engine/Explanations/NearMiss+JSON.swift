public import SDExplaining
public import SDJSON
public import SDJournal
import SDLinting
import SDMatching
import SDStubModel

extension NearMiss {
    /// The near miss with every condition and its actual value: an addition to WireMock.
    /// - Parameter redaction: the values of the request to hide; nil where the caller has described the request.
    public func detailedJSON(_ redaction: Redaction?) -> JSONValue {
        var json: JSONObject = ["stubMapping": redaction.shown(stub), "distance": distance.jsonNumber]
        json["file"] = reference.file.map { .string($0) }
        json["line"] = reference.line.map { .number(JSONNumber($0)) }
        json["key"] = .string(redaction.shownURL(reference.key))
        json["scenarioState"] = scenarioState.map { .string(redaction.shownURL($0)) }
        json["ineligible"] = ineligibility.map { .string(redaction.shownURL($0)) }
        json["attributes"] = .array(redaction.shown(evaluation).conditions.map(\.json))
        // What is hardly meant in the pattern may be why it does not match.
        let warnings = redaction == nil ? PatternLint.findings(in: stub.request, at: ["request"]) : []
        if !warnings.isEmpty { json["warnings"] = .array(warnings.map { .string($0.problem.description) }) }
        return .object(json)
    }
}
