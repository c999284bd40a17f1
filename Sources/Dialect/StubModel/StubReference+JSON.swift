public import SDJSON

extension StubReference {
    /// The members `id`, `name`, `key`, `file` and `line`, for admin calls that are not WireMock's.
    public var json: JSONObject {
        var json: JSONObject = ["id": .string(id.lowercasedString)]
        json["name"] = name.map { .string($0) }
        json["key"] = .string(key)
        json["file"] = file.map { .string($0) }
        json["line"] = line.map { .number(JSONNumber($0)) }
        return json
    }
}
