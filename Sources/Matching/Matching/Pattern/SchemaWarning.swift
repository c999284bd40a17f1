public import SDJSON
public import SDJSONSchema

/// A warning about a JSON Schema that is accepted, as in WireMock, although part of it is wrong. Stored with the
/// compiled pattern, so that the schema need not be compiled again to report it.
public struct SchemaWarning: Sendable, Hashable {
    /// The pointer to the schema in the stub mapping, such as `/request/bodyPatterns/0/matchesJsonSchema`.
    public let schema: JSONPointer
    /// Whether the schema was given as a text; the problem's pointer is then relative to the parsed text.
    public let isText: Bool
    /// Whether the schema is invalid and never matches; if not, a part of it has no effect.
    public let isInvalid: Bool
    public let problem: SchemaProblem

    /// The location in the stub mapping where a person would look for it.
    public var pointer: JSONPointer {
        isText ? schema : JSONPointer(schema.tokens + problem.pointer.tokens)
    }
}
