import SDJavaTime
internal import SDStubModel

/// `before`, `after` and `equalToDateTime`, relative to the request's time: matching again later gives the same result.
struct DateTimeTest: WholeTextTest {
    let matcher: DateTimeMatcher

    static func compile(
        _ matcher: ValueMatcher, at place: PatternPlace, depth: Int, _ compiler: inout PatternCompiler
    ) -> ValueTest? {
        guard let expected = compiler.text(matcher, at: place) else { return nil }
        var options = DateTimeMatcher.Options()
        options.actualFormat = matcher.text("actualFormat")
        options.truncateExpected = matcher.text("truncateExpected")
        options.truncateActual = matcher.text("truncateActual")
        options.applyTruncationLast = matcher.flag("applyTruncationLast")
        options.expectedOffset = matcher.integer("expectedOffset")
        options.expectedOffsetUnit = matcher.text("expectedOffsetUnit")
        let comparison: DateTimeMatcher.Comparison =
            switch matcher.operator {
            case .before: .before
            case .after: .after
            default: .equal
            }
        do {
            return .own(DateTimeTest(matcher: try DateTimeMatcher(comparison, expected: expected, options: options)))
        } catch {
            compiler.refuse(
                .badOperand, place.member(matcher.operator.rawValue), "\(error)", wireMock: error.detail)
            return nil
        }
    }

    func passes(whole value: MatchValue, _ views: inout RequestViews) -> Bool {
        matcher.matches(value.string(&views), now: views.now)
    }
}
