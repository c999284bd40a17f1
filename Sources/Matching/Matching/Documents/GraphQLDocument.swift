import SDPlatform

/// An executable GraphQL document in a canonical form, equal for all documents of the same structure: without white
/// space, commas, comments and descriptions, with definitions, selections, arguments, variables and the fields of input
/// objects sorted by their text. List elements and directives keep their order, because it matters.
///
/// `{ a }` and `query { a }` have the same structure, and so do a block string and a string with the same value.
struct GraphQLDocument: Sendable {
    let canonicalText: String

    /// The maximum nesting, so that no text can exhaust the stack.
    static let maximumDepth = 128

    /// - Parameter budget: the budget for reading tokens and sorting; the default is for a stub's own document.
    /// - Throws: the first error of the document.
    init(_ text: String, _ budget: WorkBudget = .unlimited) throws(GraphQLSyntaxError) {
        var parser = try GraphQLParser(text, budget)
        canonicalText = try parser.document()
    }
}
