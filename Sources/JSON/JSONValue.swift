/// A JSON document as plain values. Unlike Foundation's JSON, it keeps the order of object members and the exact text of
/// numbers.
public enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

/// A JSON number as it was written: `1`, `1.0` and `1e0` are three different texts of one value.
public struct JSONNumber: Sendable, Hashable {
    /// The number's text, valid by RFC 8259 section 6.
    public let text: String

    /// Takes a text that is known to be a valid JSON number.
    public init(validText text: String) {
        self.text = text
    }
}
