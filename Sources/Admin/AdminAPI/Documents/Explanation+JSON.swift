import SDExplaining
public import SDExplanations
public import SDJSON
import SDMatching
import SDMockEngine
import SDReports
import SDStubModel

extension Explanation {
    /// The answer to `explain`, an addition to WireMock's admin API.
    public var json: JSONValue {
        var json = JSONObject()
        if let stub, let evaluation {
            json["stubMapping"] = stub.mapping.json()
            for member in stub.reference.json.members where member.key != "id" && member.key != "name" {
                json[member.key] = member.value
            }
            json["reason"] = .string(reason)
            json["failure"] = failure.map { .string($0) }
            json["attributes"] = .array(evaluation.conditions.map(\.json))
            json["shadows"] = .array(shadows.map(\.json))
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
            if let bodyFile { json["bodyFile"] = .string(bodyFile) }
            if let passThrough { json["passThrough"] = .string(passThrough) }
            json["reason"] = .string(reason)
            json["nearMisses"] = .array(nearMisses.map { $0.detailedJSON(nil) })
            if !brokenFiles.isEmpty { json["brokenFiles"] = .array(brokenFiles.map(JSONValue.string)) }
        }
        if ineligibleCount > 0 {
            json["ineligible"] = .array(ineligible.map(\.json))
            json["ineligibleCount"] = number(ineligibleCount)
        }
        json["notes"] = .array(notes.map { ["type": .string($0.kind.rawValue), "message": .string($0.message)] })
        return .object(json)
    }
}

extension Explanation.Passed {
    fileprivate var json: JSONValue {
        var json = stub.json
        json["reason"] = .string(reason)
        return .object(json)
    }
}
