public import JSON

/// A matcher object, such as `{"equalTo": "x", "caseInsensitive": true}`: the first known operator in document order
/// decides, the other members are its options. The object is kept as written.
public struct ValueMatcher: Sendable, Hashable {
    /// The operators by their names in JSON.
    public enum Operator: String, Sendable, Hashable, CaseIterable {
        case equalTo, contains, doesNotContain, matches, doesNotMatch, binaryEqualTo
        case equalToJson, matchesJsonPath, matchesJsonSchema, equalToXml, matchesXPath
        case before, after, equalToDateTime
        case equalToNumber, greaterThanNumber, greaterThanEqualNumber, lessThanNumber, lessThanEqualNumber
        case absent, anything, and, or, not, matchesPathTemplate
        case hasExactly, includes
        // Additions to WireMock's operators.
        case startsWith, endsWith, glob, count, matchesJwt, matchesGraphql
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
        case .doesNotContain, .doesNotMatch, .binaryEqualTo, .absent, .anything, .and, .or, .not, .hasExactly,
            .includes, .count:
            false
        }
    }

    /// Whether the option `name` is set. As in WireMock, `true`, the text `"true"` and integers other than 0 set it;
    /// anything else does not.
    public func flag(_ name: String) -> Bool {
        switch json[name] {
        case .bool(let value): value
        case .string(let text): text.trimmingBlanks == "true"
        case .number(let number): number.text.allSatisfy { $0.isNumber || $0 == "-" } && number.doubleValue != 0
        default: false
        }
    }

    /// The option `name` if it is a text; WireMock ignores any other value.
    public func text(_ name: String) -> String? {
        json[name]?.stringValue
    }

    /// The option `name` as an integer; nil if it is absent. As in WireMock, fractions are cut off, a value that is not
    /// a number is 0, and numbers beyond 32 bits become the nearest that fit.
    public func integer(_ name: String) -> Int? {
        guard let value = json[name] else { return nil }
        guard let number = value.doubleValue, !number.isNaN else { return 0 }
        return Int(min(max(number, Double(Int32.min)), Double(Int32.max)))
    }

    /// The option `xPathNamespaces`, which may also be in the object form of `matchesXPath`: prefixes and URIs. Nil if
    /// there are none; WireMock then ignores namespaces.
    public var xPathNamespaces: JSONObject? {
        let value = json["xPathNamespaces"] ?? operand["xPathNamespaces"]
        return value?.objectValue.flatMap { $0.isEmpty ? nil : $0 }
    }
}
