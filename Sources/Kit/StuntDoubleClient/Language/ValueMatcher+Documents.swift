public import SDJSON
public import SDStubModel

/// Matchers of JSON.
extension ValueMatcher {
    /// JSON that equals a value, as `JSONEncoder` writes that. Members may have any order.
    /// - Parameters:
    ///   - value: the value, encoded with sorted keys.
    ///   - ignoringOrder: elements of lists may have any order.
    ///   - ignoringExtra: there may be members and elements that the value does not have.
    ///   - nullsAreMissing: a member that is null is one that is not there.
    @_disfavoredOverload
    public static func json(
        _ value: some Encodable, ignoringOrder: Bool = false, ignoringExtra: Bool = false, nullsAreMissing: Bool = false
    ) -> ValueMatcher {
        json(
            .encoding(value), ignoringOrder: ignoringOrder, ignoringExtra: ignoringExtra,
            nullsAreMissing: nullsAreMissing)
    }

    /// JSON that equals a literal; texts such as `${json-unit.any-string}` stand for many values.
    /// - Parameters:
    ///   - value: the literal.
    ///   - ignoringOrder: elements of lists may have any order.
    ///   - ignoringExtra: there may be members and elements that the value does not have.
    ///   - nullsAreMissing: a member that is null is one that is not there.
    public static func json(
        _ value: JSONValue, ignoringOrder: Bool = false, ignoringExtra: Bool = false, nullsAreMissing: Bool = false
    ) -> ValueMatcher {
        ValueMatcher(.equalToJson, operand: value.asOperand)
            .option("ignoreArrayOrder", ignoringOrder)
            .option("ignoreExtraElements", ignoringExtra)
            .option("nullsEqualMissing", nullsAreMissing)
    }

    /// JSON that equals the JSON of a text.
    /// - Parameters:
    ///   - text: the JSON.
    ///   - ignoringOrder: elements of lists may have any order.
    ///   - ignoringExtra: there may be members and elements that the value does not have.
    ///   - nullsAreMissing: a member that is null is one that is not there.
    public static func json(
        raw text: String, ignoringOrder: Bool = false, ignoringExtra: Bool = false, nullsAreMissing: Bool = false
    ) -> ValueMatcher {
        ValueMatcher(.equalToJson, text)
            .option("ignoreArrayOrder", ignoringOrder)
            .option("ignoreExtraElements", ignoringExtra)
            .option("nullsEqualMissing", nullsAreMissing)
    }

    /// JSON in which a path finds something: `.jsonPath("$.items")`, `.jsonPath("$.lines[?(@.price > 5)]")`.
    public static func jsonPath(_ path: String) -> ValueMatcher { ValueMatcher(.matchesJsonPath, path) }

    /// JSON in which a path finds something that matches: `.jsonPath("$.count", .greaterThan(5))`.
    public static func jsonPath(_ path: String, _ matcher: ValueMatcher) -> ValueMatcher {
        ValueMatcher(.matchesJsonPath, operand: found(path, matcher))
    }

    /// JSON that a schema allows.
    /// - Parameters:
    ///   - schema: the schema, as a literal.
    ///   - draft: the draft of JSON Schema; nil for 2020-12.
    public static func schema(_ schema: JSONValue, draft: SchemaDraft? = nil) -> ValueMatcher {
        ValueMatcher(.matchesJsonSchema, operand: schema.asOperand).option("schemaVersion", draft?.rawValue)
    }

    /// JSON that the schema in a text allows.
    /// - Parameters:
    ///   - text: the schema.
    ///   - draft: the draft of JSON Schema; nil for 2020-12.
    public static func schema(raw text: String, draft: SchemaDraft? = nil) -> ValueMatcher {
        ValueMatcher(.matchesJsonSchema, text).option("schemaVersion", draft?.rawValue)
    }

    /// A GraphQL request in a body, by its query, the name of its operation, or its variables.
    public static func graphQL(
        _ query: String? = nil, operation: String? = nil, variables: JSONObject? = nil
    ) -> ValueMatcher {
        var operand = JSONObject()
        operand["operationName"] = operation.map(JSONValue.string)
        operand["query"] = query.map(JSONValue.string)
        operand["variables"] = variables.map(JSONValue.object)
        return ValueMatcher(.matchesGraphql, operand: .object(operand))
    }

    /// A JSON Web Token, alone or after `Bearer `, which is read and not verified. Claims and fields of the header
    /// equal a value, or satisfy a matcher: `.jwt(claims: ["sub": "ada", "scope": .matcher(.contains("admin"))])`.
    public static func jwt(claims: JSONObject? = nil, header: JSONObject? = nil) -> ValueMatcher {
        var operand = JSONObject()
        operand["claims"] = claims.map(JSONValue.object)
        operand["header"] = header.map(JSONValue.object)
        return ValueMatcher(.matchesJwt, operand: .object(operand))
    }

    fileprivate static func found(_ expression: String, _ matcher: ValueMatcher) -> JSONValue {
        var operand: JSONObject = ["expression": .string(expression)]
        for member in matcher.json.members { operand[member.key] = member.value }
        return .object(operand)
    }
}

/// Matchers of XML.
extension ValueMatcher {
    /// XML that equals a text; space between elements, comments and the order of attributes do not matter.
    /// - Parameters:
    ///   - text: the XML.
    ///   - placeholders: whether `${xmlunit.ignore}` and its like stand for many texts.
    ///   - ignoringOrder: whether elements of the same name may have any order.
    ///   - exempting: kinds of difference that do not count.
    ///   - namespaces: how far namespaces count; nil for ``XMLNamespaces/legacy``.
    public static func xml(
        _ text: String, placeholders: XMLPlaceholders? = nil, ignoringOrder: Bool = false,
        exempting: [XMLDifference] = [], namespaces: XMLNamespaces? = nil
    ) -> ValueMatcher {
        ValueMatcher(.equalToXml, text)
            .option("enablePlaceholders", placeholders != nil)
            .option("placeholderOpeningDelimiterRegex", placeholders?.opening)
            .option("placeholderClosingDelimiterRegex", placeholders?.closing)
            .option("exemptedComparisons", exempting.isEmpty ? nil : .array(exempting.map { .string($0.rawValue) }))
            .option("ignoreOrderOfSameNode", ignoringOrder)
            .option("namespaceAwareness", namespaces?.rawValue)
    }

    /// XML in which an XPath 1.0 finds something.
    /// - Parameters:
    ///   - path: the XPath.
    ///   - namespaces: the prefixes of the path and their URIs; without them namespaces do not count.
    public static func xPath(_ path: String, namespaces: [String: String] = [:]) -> ValueMatcher {
        ValueMatcher(.matchesXPath, path).option("xPathNamespaces", prefixes(namespaces))
    }

    /// XML in which an XPath 1.0 finds something that matches.
    /// - Parameters:
    ///   - path: the XPath.
    ///   - matcher: what it finds must match.
    ///   - namespaces: the prefixes of the path and their URIs; without them namespaces do not count.
    public static func xPath(
        _ path: String, _ matcher: ValueMatcher, namespaces: [String: String] = [:]
    ) -> ValueMatcher {
        ValueMatcher(.matchesXPath, operand: found(path, matcher)).option("xPathNamespaces", prefixes(namespaces))
    }

    private static func prefixes(_ namespaces: [String: String]) -> JSONValue? {
        guard !namespaces.isEmpty else { return nil }
        return .object(JSONObject(namespaces.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
    }

    /// The placeholders of ``xml(_:placeholders:ignoringOrder:exempting:namespaces:)``.
    public struct XMLPlaceholders: Sendable, Hashable {
        let opening: String?
        let closing: String?

        /// `${` and `}`.
        public static let standard = XMLPlaceholders(opening: nil, closing: nil)

        /// Other delimiters, which are regular expressions.
        public static func between(_ opening: String, _ closing: String) -> XMLPlaceholders {
            XMLPlaceholders(opening: opening, closing: closing)
        }
    }
}

extension JSONValue {
    /// A matcher among the claims of ``SDStubModel/ValueMatcher/jwt(claims:header:)``, or the parameters of
    /// ``SDStubModel/RequestPattern/state(_:)``.
    public static func matcher(_ matcher: ValueMatcher) -> JSONValue { matcher.jsonValue }

    /// The value as an operand that is read as JSON even if it is a text.
    fileprivate var asOperand: JSONValue {
        switch self {
        case .string, .null: encodingFailure == nil ? .string(compactText) : self
        default: self
        }
    }
}
