internal import SDJSON
internal import SDStubModel

/// The number matchers of WireMock 4: both sides are read as Java's doubles, and a text that is no number does not
/// match.
struct NumberTest: WholeTextTest {
    private enum Comparison {
        case equal, greater, greaterOrEqual, less, lessOrEqual
    }

    private let comparison: Comparison
    private let expected: Double

    static func compile(
        _ matcher: ValueMatcher, at place: PatternPlace, depth: Int, _ compiler: inout PatternCompiler
    ) -> ValueTest? {
        let text = matcher.operand.stringValue ?? matcher.operand.numberValue?.text
        guard let expected = text.flatMap(JavaDouble.parse) else {
            let name = matcher.operator.rawValue
            compiler.refuse(.badOperand, place.member(name), "\(name) has to be a numeric value")
            return nil
        }
        let comparison: Comparison =
            switch matcher.operator {
            case .greaterThanNumber: .greater
            case .greaterThanEqualNumber: .greaterOrEqual
            case .lessThanNumber: .less
            case .lessThanEqualNumber: .lessOrEqual
            default: .equal
            }
        return .own(NumberTest(comparison: comparison, expected: expected))
    }

    func passes(whole value: MatchValue, _ views: inout RequestViews) -> Bool {
        guard let actual = JavaDouble.parse(value.string(&views)) else { return false }
        return switch comparison {
        case .equal: actual == expected
        case .greater: actual > expected
        case .greaterOrEqual: actual >= expected
        case .less: actual < expected
        case .lessOrEqual: actual <= expected
        }
    }
}
