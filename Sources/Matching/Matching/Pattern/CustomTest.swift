/// `customMatcher`: an extension of WireMock, by name. Only `graphql-body-matcher`, WireMock's own extension, is
/// supported; any other name never matches, as in WireMock, and `validate` reports it.
package struct CustomTest: Sendable {
    let name: String
    let graphQL: GraphQLMatcher?

    /// The name under which WireMock's GraphQL extension is registered.
    static let graphQLName = "graphql-body-matcher"

    package func passes(_ content: RequestContent, _ views: inout RequestViews) -> Bool {
        guard let graphQL else {
            views.note(.warning, "There is no custom matcher `\(name)`: a stub that names it never matches")
            return false
        }
        return content.body.flatMap { body in body.json.map { graphQL.matches($0, body.budget) } } ?? false
    }
}
