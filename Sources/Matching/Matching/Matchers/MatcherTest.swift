package import SDStubModel

/// What a matcher with a file of its own does. Immutable; what is read of a value belongs to the request.
package protocol MatcherTest: Sendable {
    /// The test of a matcher; nil for an operand that is refused.
    /// - Parameter depth: the number of matchers around it, for those that hold others.
    static func compile(
        _ matcher: ValueMatcher, at place: PatternPlace, depth: Int, _ compiler: inout PatternCompiler
    ) -> ValueTest?
    func passes(_ value: MatchValue, _ views: inout RequestViews) -> Bool
    /// Whether a missing value passes.
    func passesAbsence(_ views: inout RequestViews) -> Bool
    /// The value's distance from passing, from 0, which passes, to 1.
    func distance(_ value: MatchValue, _ views: inout RequestViews) -> Double
    /// The differences within a value that does not pass, one sentence each; empty if there is nothing to say.
    func differences(_ value: MatchValue, _ views: inout RequestViews) -> [String]
}

extension MatcherTest {
    func passesAbsence(_ views: inout RequestViews) -> Bool { false }

    func distance(_ value: MatchValue, _ views: inout RequestViews) -> Double { passes(value, &views) ? 0 : 1 }

    func differences(_ value: MatchValue, _ views: inout RequestViews) -> [String] { [] }
}

/// A test that reads the whole text once, which draws from the budget by its length.
protocol WholeTextTest: MatcherTest {
    func passes(whole value: MatchValue, _ views: inout RequestViews) -> Bool
}

extension WholeTextTest {
    func passes(_ value: MatchValue, _ views: inout RequestViews) -> Bool {
        views.draw(forTextOf: value.text.count) && passes(whole: value, &views)
    }
}

/// A test of the whole text whose operand is a text.
protocol TextTest: WholeTextTest {
    /// - Returns: the test of an operand that is a text.
    /// - Throws: why it is none.
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
