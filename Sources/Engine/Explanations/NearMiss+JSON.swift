public import SDExplaining
public import SDJSON
public import SDJournal
import SDLinting
import SDMatching
import SDStubModel

extension NearMiss {
    /// The near miss with every condition and its actual value: an extension to WireMock.
    /// - Parameter redaction: redacts the request's values; nil if the caller has described the request.
    public func detailedJSON(_ redaction: Redaction?) -> JSONValue {
        var json: JSONObject = ["stubMapping": redaction.redacted(stub), "distance": distance.jsonNumber]
        json["file"] = reference.file.map { .string($0) }
        json["line"] = reference.line.map { .number(JSONNumber($0)) }
        json["key"] = .string(redaction.redactedURL(reference.key))
        json["scenarioState"] = scenarioState.map { .string(redaction.redactedURL($0)) }
        json["ineligible"] = ineligibility.map { .string(redaction.redactedURL($0)) }
        json["attributes"] = .array(redaction.redacted(evaluation).conditions.map(\.json))
        // A part of the pattern that is probably not intended may be why it does not match.
        let warnings = redaction == nil ? PatternLint.findings(in: stub.request, at: ["request"]) : []
        if !warnings.isEmpty { json["warnings"] = .array(warnings.map { .string($0.problem.description) }) }
        return .object(json)
    }
}
