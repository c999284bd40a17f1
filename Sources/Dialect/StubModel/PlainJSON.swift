package import SDJSON

/// JSON of plain values, for members of documents.
extension String {
    package var json: JSONValue { .string(self) }
}

extension Int {
    package var json: JSONValue { .number(JSONNumber(self)) }
}

extension Double {
    package var json: JSONValue { JSONNumber(self).map(JSONValue.number) ?? .null }
}

extension Bool {
    package var json: JSONValue { .bool(self) }
}

extension JSONObject {
    package var json: JSONValue { .object(self) }
}

extension RawRepresentable<String> {
    package var json: JSONValue { .string(rawValue) }
}

extension [String] {
    /// The list; nil if it is empty.
    package var json: JSONValue? { isEmpty ? nil : .array(map(JSONValue.string)) }
}
