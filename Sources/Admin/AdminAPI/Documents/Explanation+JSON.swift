import SDExplaining
public import SDExplanations
public import SDJSON
import SDJournal
import SDMatching
import SDMockEngine
import SDReports
import SDStubModel

extension Explanation {
    /// The answer to `explain`, an addition to WireMock's admin API.
    public var json: JSONValue { json(nil) }

    /// The answer to `explain`, redacted.
    func json(_ redaction: Redaction?) -> JSONValue {
        var json = JSONObject()
        if let stub, let evaluation = self.evaluation.map(redaction.redacted) {
            json["stubMapping"] = redaction.redacted(stub.mapping)
            for member in redaction.redacted(stub.reference).json.members
            where member.key != "id" && member.key != "name" {
                json[member.key] = member.value
            }
            json["reason"] = .string(redaction.redactedURL(reason))
            json["failure"] = failure.map { .string(redaction.redactedURL($0)) }
            json["attributes"] = .array(evaluation.conditions.map(\.json))
            json["shadows"] = .array(shadows.map { $0.json(redaction) })
            json["shadowCount"] = number(shadowedCount)
        } else {
            json["stubMapping"] = .null
            if let preflight {
                let (rule, place) = (preflight.rule, preflight.rule.place)
                json["preflight"] = [
                    "allowed": .bool(preflight.isAllowed), "status": number(preflight.status),
                    "rule": .string(rule.text),
                ]
                json["file"] = place.map { .string($0.file) }
                json["line"] = place?.line.map { number($0) }
            }
            if let bodyFile { json["bodyFile"] = .string(redaction.redactedURL(bodyFile)) }
            if let passThrough { json["passThrough"] = .string(redaction.redactedURL(passThrough)) }
            json["reason"] = .string(redaction.redactedURL(reason))
            json["nearMisses"] = .array(nearMisses.map { $0.detailedJSON(redaction) })
            if !brokenFiles.isEmpty { json["brokenFiles"] = .array(brokenFiles.map(JSONValue.string)) }
        }
        if ineligibleCount > 0 {
            json["ineligible"] = .array(ineligible.map { $0.json(redaction) })
            json["ineligibleCount"] = number(ineligibleCount)
        }
        json["notes"] = .array(
            notes.map { ["type": .string($0.kind.rawValue), "message": .string(redaction.redactedURL($0.message))] })
        return .object(json)
    }
}

extension Explanation.SkippedStub {
    fileprivate func json(_ redaction: Redaction?) -> JSONValue {
        var json = redaction.redacted(stub).json
        json["reason"] = .string(redaction.redactedURL(reason))
        return .object(json)
    }
}
