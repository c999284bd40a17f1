import SDPlatform

/// An executable GraphQL document in a form that is the same for all documents of the same structure: without white
/// space, commas, comments and descriptions, with definitions, selections, arguments, variables and the fields of input
/// objects sorted by their text. List elements and directives keep their order, which has a meaning.
///
/// `{ a }` and `query { a }` have the same structure, and so do a block string and a string with the same value.
struct GraphQLDocument: Sendable {
    let canonicalText: String

    /// The deepest nesting that is accepted, so that no text can exhaust the stack.
    static let maximumDepth = 128

    /// - Parameter budget: what reading a token and sorting are drawn from; the default is for a stub's own document.
    /// - Throws: the first error of the document.
    init(_ text: String, _ budget: WorkBudget = .unlimited) throws(GraphQLSyntaxError) {
        var parser = try GraphQLParser(text, budget)
        canonicalText = try parser.document()
    }
}
