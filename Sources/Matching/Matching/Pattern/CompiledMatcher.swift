public import SDPlatform
internal import SDRegularExpressions
public import SDStubModel

/// A matcher for a text outside of requests, such as a stub's metadata in JSON. Immutable and shared by all threads.
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
    ///   - text: the text in UTF-8.
    ///   - now: the meaning of `now` in dates, in nanoseconds since 1970.
    ///   - budget: the budget for the work. Once it is exhausted, no text passes.
    public func matches(_ text: [UInt8], now: UInt64, _ budget: WorkBudget) -> Bool {
        var views = RequestViews(now: now, budget)
        return test.passes(MatchValue(text[...]), &views) && !budget.isSpent
    }

    /// Whether a text shared by several matchers passes.
    /// - Parameter now: the meaning of `now` in dates, in nanoseconds since 1970.
    public func matches(_ text: MatchedText, now: UInt64) -> Bool {
        var views = RequestViews(now: now, text.document.budget)
        return test.passes(MatchValue(text.document), &views) && !text.document.budget.isSpent
    }
}

/// A text shared by several matchers, such as a message: each form of it is parsed once. Belongs to one thread.
public final class MatchedText {
    let document: ParsedDocument

    /// - Parameters:
    ///   - bytes: the bytes as received.
    ///   - isText: whether they are UTF-8; invalid bytes are replaced.
    public init(_ bytes: [UInt8], isText: Bool, _ budget: WorkBudget) {
        let text = isText ? bytes[...] : Array(String(decoding: bytes, as: UTF8.self).utf8)[...]
        document = ParsedDocument(binary: bytes[...], text: text, budget)
    }
}
