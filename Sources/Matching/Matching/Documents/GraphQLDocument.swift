/// An executable GraphQL document in a form that is the same for all documents of one structure: without white space, commas,
/// comments and descriptions, with definitions, selections, arguments, variables and the fields of input objects in order of
/// their text. What order means something keeps it: list elements and directives.
///
/// `{ a }` and `query { a }` are one structure, and so are a block string and a string of one value.
struct GraphQLDocument: Sendable {
    let canonicalText: String

    /// Documents nested deeper than this are refused, so that no text can exhaust the stack.
    static let maximumDepth = 128

    init(_ text: String) throws(GraphQLSyntaxError) {
        var parser = try GraphQLParser(text)
        canonicalText = try parser.document()
    }
}
