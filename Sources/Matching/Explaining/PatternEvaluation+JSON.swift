public import SDJSON

extension PatternEvaluation.Condition {
    /// A condition: its subject, its expected and actual value, its verdict and its distance.
    public var json: JSONValue {
        var json: JSONObject = ["attribute": .string(member)]
        json["name"] = key.map { .string($0) }
        json["expected"] = expected.json
        json["actual"] = actual.count == 1 ? .string(actual[0]) : .array(actual.map { .string($0) })
        if !differences.isEmpty { json["differences"] = .array(differences.map { .string($0) }) }
        json["matches"] = .bool(passes)
        json["distance"] = distance.jsonNumber
        return .object(json)
    }
}

extension Double {
    /// The number as JSON; null for one that JSON cannot express.
    package var jsonNumber: JSONValue { JSONNumber(self).map(JSONValue.number) ?? .null }
}
