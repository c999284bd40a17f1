public import JSON
public import JSONSchema

/// What is odd about a JSON Schema of a pattern that is taken nevertheless, as WireMock takes it. Found when the schema is
/// compiled and kept with the pattern, so that nobody compiles it again to tell.
public struct SchemaRemark: Sendable, Hashable {
    /// The place of the schema in the stub mapping, such as `/request/bodyPatterns/0/matchesJsonSchema`.
    public let schema: JSONPointer
    /// The schema was given as a text: the place of the problem leads into what the text says.
    public let isText: Bool
    /// The schema is none and nothing ever matches it; otherwise a part of it does not do what it seems to ask for.
    public let isInvalid: Bool
    public let problem: SchemaProblem

    /// Where in the stub mapping a person looks for it.
    public var pointer: JSONPointer {
        isText ? schema : JSONPointer(schema.tokens + problem.pointer.tokens)
    }
}
