import SDJSON
import SDStubModel

/// The body of `PUT /__admin/state/{context}`: `{"properties": {"name": "Ann"}, "list": [{"id": "1"}]}`.
struct StateDocument: Sendable {
    private(set) var properties = JSONObject()
    private(set) var list: [JSONObject] = []

    /// Reads the document.
    /// - Parameter keys: the members that it may have.
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
        guard case .array(let elements) = json else {
            reader.report(
                detail: nil, message: "wrong type", expected: "a list of objects", found: json.shortDescription)
            return []
        }
        var list: [JSONObject] = []
        for (index, element) in elements.enumerated() {
            if let record = reader.within(String(index), { object(element, &$0) }) { list.append(record) }
        }
        return list
    }

    private static func object(_ json: JSONValue, _ reader: inout ModelReader) -> JSONObject? {
        if case .object(let object) = json { return object }
        reader.report(
            detail: nil, message: "wrong type", expected: "an object of names and values", found: json.shortDescription)
        return nil
    }
}
