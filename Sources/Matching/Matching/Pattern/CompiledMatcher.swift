internal import RegularExpressions
public import StubModel

/// A matcher of one text that belongs to no request, such as a stub's metadata written as JSON. Immutable, and shared by
/// all threads.
public final class CompiledMatcher: Sendable {
    private let test: ValueTest

    /// Throws all that is wrong at once. `pointer` is the JSON pointer of the matcher in its document.
    public init(_ matcher: ValueMatcher, at pointer: String = "") throws(PatternProblems) {
        var compiler = PatternCompiler()
        let test = compiler.valueTest(matcher, at: PatternPlace(pointer: pointer))
        guard let test, compiler.problems.isEmpty else { throw PatternProblems(problems: compiler.problems) }
        self.test = test
    }

    /// Whether the text passes.
    /// - Parameters:
    ///   - text: in UTF-8.
    ///   - now: what dates call `now`, in nanoseconds since 1970.
    public func matches(_ text: [UInt8], now: UInt64) -> Bool {
        var views = RequestViews(url: [], pathCount: 0, methodBit: [], wallTime: now)
        return test.passes(MatchValue(text[...]), &views)
    }
}
