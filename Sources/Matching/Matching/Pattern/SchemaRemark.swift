public import SDJSON
public import SDJSONSchema

/// A remark on a JSON Schema that is accepted, as in WireMock, although part of it is wrong. It is kept with the
/// compiled pattern, so that the schema need not be compiled again to report it.
public struct SchemaRemark: Sendable, Hashable {
    /// The path of the schema in the stub mapping, such as `/request/bodyPatterns/0/matchesJsonSchema`.
    public let schema: JSONPointer
    /// Whether the schema was given as a text, in which case the problem's pointer leads into the parsed text.
    public let isText: Bool
    /// Whether the schema is invalid and nothing ever matches it; otherwise a part of it does not do what it seems to
    /// ask for.
    public let isInvalid: Bool
    public let problem: SchemaProblem

    /// The place in the stub mapping where a person would look for it.
    public var pointer: JSONPointer {
        isText ? schema : JSONPointer(schema.tokens + problem.pointer.tokens)
    }
}
