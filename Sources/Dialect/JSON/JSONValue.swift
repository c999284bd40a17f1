import SDBasics

/// A JSON document as plain values. Unlike Foundation's JSON, it keeps the order of object members and the exact text
/// of numbers.
///
/// `==` compares as RFC 8259 texts: the order of object members does not matter, strings compare by code points rather
/// than by Unicode's canonical equivalence, and numbers by their text. `1` and `1.0` differ; for numeric equality
/// compare `JSONNumber.doubleValue`.
public enum JSONValue: Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number, as written.
    case number(JSONNumber)
    /// A string, with escapes decoded.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object, with members in document order.
    case object(JSONObject)
}

extension JSONValue: Hashable {
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left.hasSameCodePoints(as: right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .number(let value): hasher.combine(value)
        case .string(let value): hasher.combine(value)
        case .array(let value): hasher.combine(value)
        case .object(let value): hasher.combine(value)
        }
    }
}

extension JSONValue {
    /// Whether the value is null.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The value, if it is true or false.
    public var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The value, if it is a number.
    public var numberValue: JSONNumber? {
        if case .number(let value) = self { value } else { nil }
    }

    /// The number as an integer in any notation: `3`, `3.0` and `30e-1` are 3. Nil if it has a fraction, overflows, or
    /// is not a number.
    public var intValue: Int? {
        numberValue?.intValue
    }

    /// The number as a double; nil if the value is not a number.
    public var doubleValue: Double? {
        numberValue?.doubleValue
    }

    /// The value, if it is a string.
    public var stringValue: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The elements, if the value is an array.
    public var arrayValue: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The members, if the value is an object.
    public var objectValue: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    /// The member `key` of an object; nil if this is not an object or has no such member.
    public subscript(key: String) -> JSONValue? {
        objectValue?[key]
    }

    /// The element `index` of an array; nil if this is not an array or the index is out of range.
    public subscript(index: Int) -> JSONValue? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// The value at `pointer` (RFC 6901, section 4); nil if there is none.
    public subscript(pointer: JSONPointer) -> JSONValue? {
        var value = self
        for token in pointer.tokens {
            switch value {
            case .object(let object):
                guard let member = object[token] else { return nil }
                value = member
            case .array(let elements):
                guard let index = JSONPointer.arrayIndex(token), index < elements.count else { return nil }
                value = elements[index]
            default:
                return nil
            }
        }
        return value
    }

    /// A description for error messages: `a number`, `an empty list`, `the text "x"`.
    public var shortDescription: String {
        switch self {
        case .null: return "null"
        case .bool(let value): return value ? "true" : "false"
        case .number(let number):
            return "the number \(number.text.utf8.count > 60 ? "\(number.text.prefix(40))…" : number.text)"
        case .string(let text):
            // Without the length: counting the characters of a long text takes milliseconds. The user of a URL is
            // redacted before the text is cut.
            let start = String(text.unicodeScalars.prefix(2_000)).withoutPassword.unicodeScalars
            let short = String(start.prefix(40))
            let shown = start.dropFirst(40).isEmpty && text.utf8.count <= 2_000 ? short : short + "…"
            return "the text \(JSONValue.string(shown).compactText)"
        case .array(let elements): return elements.isEmpty ? "an empty list" : "a list"
        case .object(let object): return object.isEmpty ? "an empty object" : "an object"
        }
    }
}

extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringInterpolation, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(booleanLiteral value: Bool) {
        self = .bool(value)
    }

    public init(integerLiteral value: Int) {
        self = .number(JSONNumber(value))
    }

    public init(floatLiteral value: Double) {
        self = JSONNumber(value).map(JSONValue.number) ?? .null
    }

    public init(stringLiteral value: String) {
        self = .string(value)
    }

    public init(arrayLiteral elements: JSONValue...) {
        self = .array(elements)
    }

    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(elements))
    }
}
