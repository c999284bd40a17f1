internal import SDStubModel

/// `matchesPathTemplate`: a template for the whole text.
struct PathTemplateTest: WholeTextTest {
    private let template: PathTemplate

    static func compile(
        _ matcher: ValueMatcher, at place: PatternPlace, depth: Int, _ compiler: inout PatternCompiler
    ) -> ValueTest? {
        guard let text = compiler.text(matcher, at: place),
            let template = compiler.template(text, at: place.member(matcher.operator.rawValue))
        else { return nil }
        return .own(PathTemplateTest(template: template))
    }

    func passes(whole value: MatchValue, _ views: inout RequestViews) -> Bool {
        template.matches(value.text, views.budget)
    }

    func distance(_ value: MatchValue, _ views: inout RequestViews) -> Double {
        passes(value, &views) ? 0 : views.editDistance(template.sample[...], value.text)
    }
}
