public import SDPlatform
internal import SDRegularExpressions
public import SDStubModel

/// A matcher of a text outside of a request, such as a stub's metadata written as JSON. Immutable and shared by all
/// threads.
public final class CompiledMatcher: Sendable {
    private let test: ValueTest

    /// Compiles a matcher. `pointer` is its JSON pointer in its document.
    /// - Throws: all problems at once.
    public init(_ matcher: ValueMatcher, at pointer: String = "") throws(PatternProblems) {
        var compiler = PatternCompiler { _ in nil }
        let test = compiler.valueTest(matcher, at: PatternPlace(pointer: pointer))
        guard let test, compiler.problems.isEmpty else { throw PatternProblems(problems: compiler.problems) }
        self.test = test
    }

    /// Whether the text passes.
    /// - Parameters:
    ///   - text: a text in UTF-8.
    ///   - now: the time that dates call `now`, in nanoseconds since 1970.
    ///   - budget: what the work is drawn from. Once it is spent, no text passes.
    public func matches(_ text: [UInt8], now: UInt64, _ budget: WorkBudget) -> Bool {
        var views = RequestViews(now: now, budget)
        return test.passes(MatchValue(text[...]), &views) && !budget.isSpent
    }
}
