/// The number matchers of WireMock 4: both sides are read as Java's doubles, and a text that is no number does not
/// match.
struct NumberTest: Sendable {
    enum Comparison: Sendable {
        case equal, greater, greaterOrEqual, less, lessOrEqual
    }

    let comparison: Comparison
    let expected: Double

    func passes(_ text: String) -> Bool {
        guard let actual = JavaDouble.parse(text) else { return false }
        return switch comparison {
        case .equal: actual == expected
        case .greater: actual > expected
        case .greaterOrEqual: actual >= expected
        case .less: actual < expected
        case .lessOrEqual: actual <= expected
        }
    }
}
