public import SDJSON

/// A matcher object, such as `{"equalTo": "x", "caseInsensitive": true}`: the first known operator in document order
/// decides, and the other members are its options. The object is kept as written.
public struct ValueMatcher: Sendable, Hashable {
    /// The deciding operator.
    public let `operator`: Operator
    /// The whole object as written.
    public let json: JSONObject

    /// The value of the operator's key.
    public var operand: JSONValue {
        json[`operator`.rawValue] ?? .null
    }

    /// Makes a matcher from an object whose deciding operator is known.
    public init(_ operator: Operator, json: JSONObject) {
        self.operator = `operator`
        self.json = json
    }

    /// Makes a matcher without options, such as `ValueMatcher(.contains, "x")`.
    public init(_ operator: Operator, _ operand: String) {
        self.init(`operator`, operand: .string(operand))
    }

    /// Makes a matcher without options, such as `ValueMatcher(.equalToJson, operand: [1, 2])`.
    public init(_ operator: Operator, operand: JSONValue) {
        var json = JSONObject()
        json[`operator`.rawValue] = operand
        self.init(`operator`, json: json)
    }
}

extension ValueMatcher {
    /// Whether a missing value never matches.
    package var needsValue: Bool {
        switch `operator` {
        case .matchesJsonPath: operand.stringValue != nil
        case .absent: requiresPresence
        default: !`operator`.mayPassAbsence
        }
    }

    /// Whether `absent` is false, and so requires a value. WireMock treats any operand as true.
    package var requiresPresence: Bool { `operator` == .absent && operand.asSwitch == false }

    /// Whether the value must be missing.
    package var isAbsence: Bool { `operator` == .absent && !requiresPresence }

    /// Whether the option `name` is on: `true` and `yes` in any case, or an integer other than 0. Of these, WireMock
    /// accepts `true`, the string `"true"` and the integers.
    public func flag(_ name: String) -> Bool { json[name]?.asSwitch ?? false }

    /// The option `name` if it is a string; WireMock ignores any other value.
    public func text(_ name: String) -> String? {
        json[name]?.stringValue
    }

    /// The option `name` as an integer; nil if absent. As in WireMock, fractions are truncated, and numbers beyond 32
    /// bits are clamped. A number may be a string.
    public func integer(_ name: String) -> Int? {
        guard let value = json[name], !value.isNull else { return nil }
        guard let number = value.doubleValue ?? value.stringValue.flatMap({ Double($0.trimmingBlanks) }), !number.isNaN
        else { return 0 }
        return Int(min(max(number, Double(Int32.min)), Double(Int32.max)))
    }

    /// The file below `__files` with the bytes of `binaryEqualTo`; nil if they are in the matcher. An addition to
    /// WireMock.
    public var fileName: String? { `operator` == .binaryEqualTo ? operand["file"]?.stringValue : nil }

    /// The option `xPathNamespaces`, which may also be in the object form of `matchesXPath`: prefixes and URIs. Nil if
    /// empty; WireMock then ignores namespaces.
    public var xPathNamespaces: JSONObject? {
        let value = json["xPathNamespaces"] ?? operand["xPathNamespaces"]
        return value?.objectValue.flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension JSONValue {
    /// The value as a switch: a boolean, an integer, or one of the strings `true`, `yes`, `on`, `1` and `false`, `no`,
    /// `off`, `0` in any case. Nil for anything else.
    package var asSwitch: Bool? {
        switch self {
        case .bool(let value): return value
        case .number(let number):
            let isInteger = number.text.allSatisfy { $0.isNumber || $0 == "-" }
            return isInteger ? number.doubleValue != 0 : nil
        case .string(let text):
            switch text.trimmingBlanks.lowercased() {
            case "true", "yes", "on", "1": return true
            case "false", "no", "off", "0": return false
            default: return nil
            }
        case .null, .array, .object: return nil
        }
    }
}
