/// `customMatcher`: an extension of WireMock's by its name. The one that is served is `graphql-body-matcher`, WireMock's
/// own extension; every other name never matches, as WireMock does it, and `validate` says so.
struct CustomTest: Sendable {
    let name: String
    let graphQL: GraphQLMatcher?

    /// The name under which WireMock's GraphQL extension registers.
    static let graphQLName = "graphql-body-matcher"

    func passes(_ content: RequestContent, _ views: inout RequestViews) -> Bool {
        guard let graphQL else {
            views.note(.warning, "There is no custom matcher `\(name)`: a stub that names it never matches")
            return false
        }
        return content.body?.json.map(graphQL.matches) ?? false
    }
}
