internal import SDJSON
internal import SDStubModel

/// WireMock 4's number matchers: both sides are parsed as Java doubles; a text that is not a number does not match.
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
