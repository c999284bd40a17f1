import SDJSON
import SDStubModel

/// Matchers of JSON.
extension Stub.Match {
    /// JSON that equals an encoded value. Members may have any order.
    /// - Parameters:
    ///   - value: the value, encoded with sorted keys.
    ///   - ignoringOrder: whether elements of lists may have any order.
    ///   - ignoringExtra: whether further members and elements are allowed.
    ///   - nullsAreMissing: whether a null member counts as missing.
    @_disfavoredOverload
    public static func json(
        _ value: some Encodable, ignoringOrder: Bool = false, ignoringExtra: Bool = false, nullsAreMissing: Bool = false
    ) -> Stub.Match {
        json(
            Stub.JSON.encoding(value), ignoringOrder: ignoringOrder, ignoringExtra: ignoringExtra,
            nullsAreMissing: nullsAreMissing)
    }

    /// JSON that equals a literal; placeholders such as `${json-unit.any-string}` stand for many values.
    /// - Parameters:
    ///   - value: the literal.
    ///   - ignoringOrder: whether elements of lists may have any order.
    ///   - ignoringExtra: whether further members and elements are allowed.
    ///   - nullsAreMissing: whether a null member counts as missing.
    public static func json(
        _ value: Stub.JSON, ignoringOrder: Bool = false, ignoringExtra: Bool = false, nullsAreMissing: Bool = false
    ) -> Stub.Match {
        Stub.Match(.equalToJson, operand: value.value.asOperand)
            .option("ignoreArrayOrder", ignoringOrder)
            .option("ignoreExtraElements", ignoringExtra)
            .option("nullsEqualMissing", nullsAreMissing)
    }

    /// JSON that equals the JSON in a text.
    /// - Parameters:
    ///   - text: the JSON.
    ///   - ignoringOrder: whether elements of lists may have any order.
    ///   - ignoringExtra: whether further members and elements are allowed.
    ///   - nullsAreMissing: whether a null member counts as missing.
    public static func json(
        raw text: String, ignoringOrder: Bool = false, ignoringExtra: Bool = false, nullsAreMissing: Bool = false
    ) -> Stub.Match {
        Stub.Match(.equalToJson, text)
            .option("ignoreArrayOrder", ignoringOrder)
            .option("ignoreExtraElements", ignoringExtra)
            .option("nullsEqualMissing", nullsAreMissing)
    }

    /// JSON with at least one result for a path: `.jsonPath("$.items")`, `.jsonPath("$.lines[?(@.price > 5)]")`.
    public static func jsonPath(_ path: String) -> Stub.Match { Stub.Match(.matchesJsonPath, path) }

    /// JSON in which the result of a path matches: `.jsonPath("$.count", .greaterThan(5))`.
    public static func jsonPath(_ path: String, _ matcher: Stub.Match) -> Stub.Match {
        Stub.Match(.matchesJsonPath, operand: found(path, matcher))
    }

    /// JSON that is valid by a schema.
    /// - Parameters:
    ///   - schema: the schema, as a literal.
    ///   - draft: the draft of JSON Schema; nil for 2020-12.
    public static func schema(_ schema: Stub.JSON, draft: SchemaDraft? = nil) -> Stub.Match {
        Stub.Match(.matchesJsonSchema, operand: schema.value.asOperand).option("schemaVersion", draft?.rawValue)
    }

    /// JSON that is valid by the schema in a text.
    /// - Parameters:
    ///   - text: the schema.
    ///   - draft: the draft of JSON Schema; nil for 2020-12.
    public static func schema(raw text: String, draft: SchemaDraft? = nil) -> Stub.Match {
        Stub.Match(.matchesJsonSchema, text).option("schemaVersion", draft?.rawValue)
    }

    /// A GraphQL request in a body, by its query, operation name or variables.
    public static func graphQL(
        _ query: String? = nil, operation: String? = nil, variables: [String: Stub.JSON]? = nil
    ) -> Stub.Match {
        var operand = JSONObject()
        operand["operationName"] = operation.map(JSONValue.string)
        operand["query"] = query.map(JSONValue.string)
        operand["variables"] = variables.map { .object(JSONObject($0)) }
        return Stub.Match(.matchesGraphql, operand: .object(operand))
    }

    /// A JSON Web Token, alone or after `Bearer `; its signature is not verified. Claims and header fields equal a
    /// value, or satisfy a matcher: `.jwt(claims: ["sub": "ada", "scope": .matcher(.contains("admin"))])`.
    public static func jwt(claims: [String: Stub.JSON]? = nil, header: [String: Stub.JSON]? = nil) -> Stub.Match {
        var operand = JSONObject()
        operand["claims"] = claims.map { .object(JSONObject($0)) }
        operand["header"] = header.map { .object(JSONObject($0)) }
        return Stub.Match(.matchesJwt, operand: .object(operand))
    }

    fileprivate static func found(_ expression: String, _ matcher: Stub.Match) -> JSONValue {
        var operand: JSONObject = ["expression": .string(expression)]
        for member in matcher.model.json.members { operand[member.key] = member.value }
        return .object(operand)
    }
}

/// Matchers of XML.
extension Stub.Match {
    /// XML that equals a text; space between elements, comments and the order of attributes are ignored.
    /// - Parameters:
    ///   - text: the XML.
    ///   - placeholders: whether `${xmlunit.ignore}` and similar texts are wildcards.
    ///   - ignoringOrder: whether elements of the same name may have any order.
    ///   - exempting: kinds of difference to ignore, by WireMock's names: `["NAMESPACE_URI"]`.
    ///   - namespaces: how namespaces are compared; nil for `legacy`.
    public static func xml(
        _ text: String, placeholders: XMLPlaceholders? = nil, ignoringOrder: Bool = false,
        exempting: [String] = [], namespaces: XMLNamespaces? = nil
    ) -> Stub.Match {
        Stub.Match(.equalToXml, text)
            .option("enablePlaceholders", placeholders != nil)
            .option("placeholderOpeningDelimiterRegex", placeholders?.opening)
            .option("placeholderClosingDelimiterRegex", placeholders?.closing)
            .option("exemptedComparisons", exempting.isEmpty ? nil : .array(exempting.map { .string($0) }))
            .option("ignoreOrderOfSameNode", ignoringOrder)
            .option("namespaceAwareness", namespaces?.rawValue)
    }

    /// XML with at least one result for an XPath 1.0.
    /// - Parameters:
    ///   - path: the XPath.
    ///   - namespaces: the prefixes of the path and their URIs; without them namespaces are ignored.
    public static func xPath(_ path: String, namespaces: [String: String] = [:]) -> Stub.Match {
        Stub.Match(.matchesXPath, path).option("xPathNamespaces", prefixes(namespaces))
    }

    /// XML in which the result of an XPath 1.0 matches.
    /// - Parameters:
    ///   - path: the XPath.
    ///   - matcher: the matcher for the result.
    ///   - namespaces: the prefixes of the path and their URIs; without them namespaces are ignored.
    public static func xPath(
        _ path: String, _ matcher: Stub.Match, namespaces: [String: String] = [:]
    ) -> Stub.Match {
        Stub.Match(.matchesXPath, operand: found(path, matcher)).option("xPathNamespaces", prefixes(namespaces))
    }

    private static func prefixes(_ namespaces: [String: String]) -> JSONValue? {
        guard !namespaces.isEmpty else { return nil }
        return .object(JSONObject(namespaces.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
    }

    /// The placeholders of ``xml(_:placeholders:ignoringOrder:exempting:namespaces:)``.
    public struct XMLPlaceholders: Sendable, Hashable {
        let opening: String?
        let closing: String?

        /// The delimiters `${` and `}`.
        public static let standard = XMLPlaceholders(opening: nil, closing: nil)

        /// Other delimiters, as regular expressions.
        public static func between(_ opening: String, _ closing: String) -> XMLPlaceholders {
            XMLPlaceholders(opening: opening, closing: closing)
        }
    }
}

extension JSONValue {
    /// The value as an operand; a string or null is written as JSON text, so that the daemon reads it as JSON.
    fileprivate var asOperand: JSONValue {
        switch self {
        case .string, .null: encodingFailure == nil ? .string(compactText) : self
        default: self
        }
    }
}
