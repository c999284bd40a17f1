package import SDStubModel

/// The implementation of a matcher with a file of its own. Immutable; what it reads of a value is cached in the
/// request's views.
package protocol MatcherTest: Sendable {
    /// The test of a matcher; nil for a rejected operand.
    /// - Parameter depth: the number of enclosing matchers.
    static func compile(
        _ matcher: ValueMatcher, at place: PatternPlace, depth: Int, _ compiler: inout PatternCompiler
    ) -> ValueTest?
    func passes(_ value: MatchValue, _ views: inout RequestViews) -> Bool
    /// Whether a missing value passes.
    func passesAbsence(_ views: inout RequestViews) -> Bool
    /// The value's distance, from 0 (passes) to 1.
    func distance(_ value: MatchValue, _ views: inout RequestViews) -> Double
    /// The differences in a value that does not pass, one sentence each; may be empty.
    func differences(_ value: MatchValue, _ views: inout RequestViews) -> [String]
}

extension MatcherTest {
    func passesAbsence(_ views: inout RequestViews) -> Bool { false }

    func distance(_ value: MatchValue, _ views: inout RequestViews) -> Double { passes(value, &views) ? 0 : 1 }

    func differences(_ value: MatchValue, _ views: inout RequestViews) -> [String] { [] }
}

/// A test that reads the whole text once, at a cost proportional to its length.
protocol WholeTextTest: MatcherTest {
    func passes(whole value: MatchValue, _ views: inout RequestViews) -> Bool
}

extension WholeTextTest {
    func passes(_ value: MatchValue, _ views: inout RequestViews) -> Bool {
        views.spend(forTextOf: value.text.count) && passes(whole: value, &views)
    }
}

/// A test of the whole text whose operand is a text.
protocol TextTest: WholeTextTest {
    /// - Returns: the test for a text operand.
    /// - Throws: why the operand is invalid.
    init(operand: String) throws
    func passes(_ text: ArraySlice<UInt8>, _ views: inout RequestViews) -> Bool
}

extension TextTest {
    static func compile(
        _ matcher: ValueMatcher, at place: PatternPlace, depth: Int, _ compiler: inout PatternCompiler
    ) -> ValueTest? {
        guard let text = compiler.text(matcher, at: place) else { return nil }
        do {
            return .own(try Self(operand: text))
        } catch {
            compiler.refuse(.badOperand, place.member(matcher.operator.rawValue), "\(error)")
            return nil
        }
    }

    func passes(whole value: MatchValue, _ views: inout RequestViews) -> Bool { passes(value.text, &views) }
}
