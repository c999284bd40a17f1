import SDJSON

/// Types of JSON values. Integers and other numbers are separate, so that the common types of two schemas are the
/// intersection of both sets.
struct ValueTypes: OptionSet, Hashable {
    let rawValue: UInt8

    static let object = ValueTypes(rawValue: 1 << 0)
    static let array = ValueTypes(rawValue: 1 << 1)
    static let string = ValueTypes(rawValue: 1 << 2)
    static let integer = ValueTypes(rawValue: 1 << 3)
    /// Numbers that are not integers.
    static let fraction = ValueTypes(rawValue: 1 << 4)
    static let bool = ValueTypes(rawValue: 1 << 5)
    static let null = ValueTypes(rawValue: 1 << 6)
    static let number: ValueTypes = [.integer, .fraction]
    static let all = ValueTypes(rawValue: 0x7F)

    /// The types of a name in a schema; nil for an unknown one. `file` is from OpenAPI 2.0.
    init?(named name: String) {
        switch name {
        case "object": self = .object
        case "array": self = .array
        case "string", "file": self = .string
        case "integer": self = .integer
        case "number": self = .number
        case "boolean": self = .bool
        case "null": self = .null
        default: return nil
        }
    }

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The type of a value.
    init(of value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool: self = .bool
        case .number(let number): self = JSONDecimal(number).isInteger ? .integer : .fraction
        case .string: self = .string
        case .array: self = .array
        case .object: self = .object
        }
    }
}
