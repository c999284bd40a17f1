import SDExplaining
import SDMatching
import SDStubModel
import SDTestSupport

extension CompiledPattern {
    func matches(_ request: TestRequest) -> Bool {
        var views = RequestViews(request)
        return matches(request, &views)
    }

    /// The evaluation, which does not say what was expected.
    func evaluate(
        _ request: some MatchableRequest, _ views: inout RequestViews, _ detail: PatternEvaluation.Detail = []
    ) -> PatternEvaluation {
        evaluate(request, &views, of: RequestPattern(), detail)
    }
}
