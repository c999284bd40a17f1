import SDJSON
import SDStubModel

/// The body of `PUT /__admin/state/{context}`: `{"properties": {"name": "Ann"}, "list": [{"id": "1"}]}`.
struct StateDocument: Sendable {
    private(set) var properties = JSONObject()
    private(set) var list: [JSONObject] = []

    /// Reads the document.
    /// - Parameter keys: the allowed members.
    /// - Throws: all problems.
    init(json: JSONValue, keys: [String] = ["properties", "list"]) throws(ModelProblems) {
        var reader = ModelReader()
        guard case .object(let object) = json else {
            reader.report(
                detail: nil, message: "wrong type", expected: "an object such as {\"properties\": {\"name\": \"Ann\"}}",
                found: json.shortDescription)
            throw ModelProblems(reader.problems)
        }
        var properties = JSONObject()
        var list: [JSONObject] = []
        for member in object.members {
            reader.key(member, of: keys) { reader in
                if member.key == "list" {
                    list = Self.list(member.value, &reader)
                } else if let object = Self.object(member.value, &reader) {
                    properties = object
                }
            }
        }
        guard reader.problems.isEmpty else { throw ModelProblems(reader.problems) }
        self.properties = properties
        self.list = list
    }

    private static func list(_ json: JSONValue, _ reader: inout ModelReader) -> [JSONObject] {
        let elements = reader.accept(json.arrayValue, of: json, "wrong type", "a list of objects") ?? []
        return reader.elements(elements, object)
    }

    private static func object(_ json: JSONValue, _ reader: inout ModelReader) -> JSONObject? {
        reader.fields(json, "an object of names and values")
    }
}
