public import SDJSON

/// A matcher object, such as `{"equalTo": "x", "caseInsensitive": true}`: the first known operator in document order
/// decides, the other members are its options. The object is kept as written.
public struct ValueMatcher: Sendable, Hashable {
    /// The operators by their names in JSON.
    public enum Operator: String, Sendable, Hashable, CaseIterable {
        /// The whole text; `caseInsensitive` is an option.
        case equalTo
        /// A text within it.
        case contains
        /// No such text within it; a missing value passes.
        case doesNotContain
        /// A regular expression of Java over the whole text.
        case matches
        /// Not the regular expression over the whole text; a missing value passes.
        case doesNotMatch
        /// The bytes of a body or a part, in Base64, or as the name of a file below `__files`: `{"file": "photo.png"}`.
        case binaryEqualTo
        /// A JSON document, numbers by value; `ignoreArrayOrder` and `ignoreExtraElements` are options.
        case equalToJson
        /// A JSONPath that finds something; an object of `expression` and a matcher tests what it finds.
        case matchesJsonPath
        /// A JSON Schema, as JSON or as text, that the document fulfils; `schemaVersion` is an option.
        case matchesJsonSchema
        /// An XML document, up to blanks, comments and the order of attributes.
        case equalToXml
        /// An XPath 1.0 that finds something; an object of `expression` and a matcher tests what it finds.
        case matchesXPath
        /// A point in time that the value is before, such as `2026-01-01T00:00:00Z` or `now -3 days`.
        case before
        /// A point in time that the value is after.
        case after
        /// A point in time that the value is.
        case equalToDateTime
        /// A number that the value equals as a number: `1` is `1.0`.
        case equalToNumber
        /// A number that the value is above.
        case greaterThanNumber
        /// A number that the value is not below.
        case greaterThanEqualNumber
        /// A number that the value is below.
        case lessThanNumber
        /// A number that the value is not above.
        case lessThanEqualNumber
        /// No value.
        case absent
        /// Any value, and none.
        case anything
        /// An array of matchers that all pass.
        case and
        /// An array of matchers, one of which passes at least.
        case or
        /// A matcher that does not pass.
        case not
        /// A path template such as `/contacts/{id}`, over the whole text.
        case matchesPathTemplate
        /// An array of matchers, as many as the values, each of which one value passes.
        case hasExactly
        /// An array of matchers, each of which one value passes; there may be more values.
        case includes
        // Additions to WireMock's operators.
        /// The start of the text.
        case startsWith
        /// The end of the text.
        case endsWith
        /// A glob over the whole text, such as `img/*.png`.
        case glob
        /// The number of values: a number, or an object with `atLeast`, `atMost` or `exactly`.
        case count
        /// The claims and the header of a JSON Web Token, which is read and not verified.
        case matchesJwt
        /// The operation name, query and variables of a GraphQL request; bodies only.
        case matchesGraphql
    }

    /// The operator that decides.
    public let `operator`: Operator
    /// The whole object as written.
    public let json: JSONObject

    /// The value of the operator's key.
    public var operand: JSONValue {
        json[`operator`.rawValue] ?? .null
    }

    /// Makes a matcher of an object whose deciding operator is known.
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
    /// Whether a missing value never passes.
    package var needsValue: Bool {
        switch `operator` {
        case .equalTo, .contains, .matches, .startsWith, .endsWith, .glob, .matchesPathTemplate, .equalToNumber,
            .greaterThanNumber, .greaterThanEqualNumber, .lessThanNumber, .lessThanEqualNumber, .before, .after,
            .equalToDateTime, .equalToJson, .matchesJsonSchema, .equalToXml, .matchesXPath, .matchesJwt,
            .matchesGraphql:
            true
        case .matchesJsonPath: operand.stringValue != nil
        case .absent: requiresPresence
        case .doesNotContain, .doesNotMatch, .binaryEqualTo, .anything, .and, .or, .not, .hasExactly, .includes,
            .count:
            false
        }
    }

    /// Whether `absent` is given as false, and so requires a value. WireMock takes any operand as true.
    package var requiresPresence: Bool { `operator` == .absent && operand.asSwitch == false }

    /// Whether the value must be missing.
    package var isAbsence: Bool { `operator` == .absent && !requiresPresence }

    /// Whether the option `name` is set. `true` and `yes` in any spelling and integers other than 0 set it; of these,
    /// WireMock takes `true`, the text `"true"` and the integers.
    public func flag(_ name: String) -> Bool { json[name]?.asSwitch ?? false }

    /// The option `name` if it is a text; WireMock ignores any other value.
    public func text(_ name: String) -> String? {
        json[name]?.stringValue
    }

    /// The option `name` as an integer; nil if it is absent. As in WireMock, fractions are cut off, and numbers beyond
    /// 32 bits become the nearest that fit. A number may also be a text.
    public func integer(_ name: String) -> Int? {
        guard let value = json[name], !value.isNull else { return nil }
        guard let number = value.doubleValue ?? value.stringValue.flatMap({ Double($0.trimmingBlanks) }), !number.isNaN
        else { return 0 }
        return Int(min(max(number, Double(Int32.min)), Double(Int32.max)))
    }

    /// The file below `__files` with the bytes of `binaryEqualTo`; nil if they stand in the matcher. An addition to WireMock.
    public var fileName: String? { `operator` == .binaryEqualTo ? operand["file"]?.stringValue : nil }

    /// The option `xPathNamespaces`, which may also be in the object form of `matchesXPath`: prefixes and URIs. Nil if
    /// there are none; WireMock then ignores namespaces.
    public var xPathNamespaces: JSONObject? {
        let value = json["xPathNamespaces"] ?? operand["xPathNamespaces"]
        return value?.objectValue.flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension JSONValue {
    /// The value as a switch that is on or off: a boolean, an integer, or one of `true`, `yes`, `on`, `1` and `false`,
    /// `no`, `off`, `0` as a text in any letter case. Nil for anything else.
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
