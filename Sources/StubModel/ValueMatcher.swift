public import JSON

/// One matcher object, such as `{"equalTo": "x", "caseInsensitive": true}`: the first known operator in document order
/// decides, the other members are its options. The object is kept as written and given back unchanged.
public struct ValueMatcher: Sendable, Hashable {
    /// Every operator of the dialect, by its name in JSON.
    public enum Operator: String, Sendable, Hashable, CaseIterable {
        case equalTo, contains, doesNotContain, matches, doesNotMatch, binaryEqualTo
        case equalToJson, matchesJsonPath, matchesJsonSchema, equalToXml, matchesXPath
        case before, after, equalToDateTime
        case equalToNumber, greaterThanNumber, greaterThanEqualNumber, lessThanNumber, lessThanEqualNumber
        case absent, anything, and, or, not, matchesPathTemplate
        case hasExactly, includes
    }

    public let `operator`: Operator
    /// The whole object as written.
    public let json: JSONObject

    /// What stands under the operator's key.
    public var operand: JSONValue {
        json[`operator`.rawValue] ?? .null
    }

    /// Takes an object whose deciding operator is known.
    public init(_ operator: Operator, json: JSONObject) {
        self.operator = `operator`
        self.json = json
    }

    /// A matcher of one operator without options, such as `ValueMatcher(.contains, "x")`.
    public init(_ operator: Operator, _ operand: String) {
        var json = JSONObject()
        json[`operator`.rawValue] = .string(operand)
        self.init(`operator`, json: json)
    }
}
