import SDJSON
internal import SDStubModel

/// `matchesGraphql`.
struct GraphQLTest: MatcherTest {
    let matcher: GraphQLMatcher

    func passes(_ value: MatchValue, _ views: inout RequestViews) -> Bool {
        let document = value.document(&views)
        return document.json.map { matcher.matches($0, document.budget) } ?? false
    }
}

extension GraphQLTest {
    static func compile(
        _ matcher: ValueMatcher, at place: PatternPlace, depth: Int, _ compiler: inout PatternCompiler
    ) -> ValueTest? {
        compiler.graphQL(matcher.operand, at: place.member(matcher.operator.rawValue))
            .map { .own(GraphQLTest(matcher: $0)) }
    }
}

extension PatternCompiler {
    /// The matcher of a GraphQL request, here and in custom matchers.
    mutating func graphQL(_ operand: JSONValue, at place: PatternPlace) -> GraphQLMatcher? {
        do {
            return try GraphQLMatcher(operand)
        } catch {
            refuse(.badOperand, place, "\(error)")
            return nil
        }
    }
}
