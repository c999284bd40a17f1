public import SDJSON

extension StubReference {
    /// The members for calls that WireMock does not have: `id`, `name`, `key`, `file` and `line`.
    public var json: JSONObject {
        var json: JSONObject = ["id": .string(id.lowercasedString)]
        json["name"] = name.map { .string($0) }
        json["key"] = .string(key)
        json["file"] = file.map { .string($0) }
        json["line"] = line.map { .number(JSONNumber($0)) }
        return json
    }
}
