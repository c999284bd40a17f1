public import JSON
public import RegularExpressions

/// WireMock's `equalToJson`: a compiled expected document, to which actual ones are compared as JsonUnit does.
///
/// The order of object members never matters. Numbers compare by their exact value (`1` is `1.0`, `0.1` is not
/// `0.1000000000000000001`). Texts such as `${json-unit.any-number}` stand for many values; `docs/json-matching.md` lists
/// them.
///
/// A comparison is bounded: with `ignoreArrayOrder`, one that would need more than `comparisonLimit` comparisons of values is
/// given up and counts as no match. Arrays whose elements hold no placeholders never come near it.
public struct JSONEquality: Sendable {
    /// Why an expected document cannot be served: the expression of a `${json-unit.regex}` is none.
    public struct Problem: Error, Sendable, Hashable {
        /// Where in the expected document.
        public let pointer: JSONPointer
        public let regex: RegexProblem
    }

    /// Something in an expected document that is served, but hardly what its author means.
    public struct Remark: Sendable, Hashable {
        /// Where in the expected document.
        public let pointer: JSONPointer
        /// One sentence.
        public let message: String
    }

    public static let comparisonLimit = 4_000_000

    /// Such as a placeholder with an unknown name, which is compared as plain text.
    public let remarks: [Remark]

    let expected: JSONExpectation
    private let flat: FlatExpectation
    let options: Options

    struct Options: Sendable {
        let ignoreArrayOrder: Bool
        let ignoreExtraElements: Bool
        let nullsEqualMissing: Bool
        /// An element may be paired with its exact equal without looking at what else it could be paired with.
        let exactPairsAreSafe: Bool

        var inOrder: Options {
            Options(
                ignoreArrayOrder: false, ignoreExtraElements: ignoreExtraElements,
                nullsEqualMissing: nullsEqualMissing, exactPairsAreSafe: exactPairsAreSafe)
        }
    }

    /// - Parameters:
    ///   - ignoreArrayOrder: The elements of an array may come in any order.
    ///   - ignoreExtraElements: Further members and elements may be there; in arrays behind the expected ones, or anywhere
    ///     with `ignoreArrayOrder`.
    ///   - nullsEqualMissing: A member that is null and one that is missing are the same. WireMock does not have this.
    public init(
        expected: JSONValue, ignoreArrayOrder: Bool, ignoreExtraElements: Bool, nullsEqualMissing: Bool = false
    ) throws(Problem) {
        var compiler = JSONExpectationCompiler(nullsEqualMissing: nullsEqualMissing)
        let compiled = try compiler.compile(expected)
        self.expected = compiled
        flat = FlatExpectation(compiled, nullsEqualMissing: nullsEqualMissing)
        remarks = compiler.remarks
        // With further members allowed, `{"a": missing-or-null}` accepts `{}` but not what `{}` accepts.
        let acceptsAbsence = nullsEqualMissing || compiler.hasMissingOrNull
        options = Options(
            ignoreArrayOrder: ignoreArrayOrder, ignoreExtraElements: ignoreExtraElements,
            nullsEqualMissing: nullsEqualMissing, exactPairsAreSafe: !(ignoreExtraElements && acceptsAbsence))
    }

    public func matches(_ actual: JSONValue) -> Bool {
        // Most documents come in the expected order, and then need no fingerprints.
        var inOrder = JSONComparison(options.inOrder)
        if inOrder.accepts(expected, actual, nil) { return true }
        guard let digest = digest(actual) else { return false }
        var comparison = JSONComparison(options)
        return comparison.accepts(expected, actual, digest) && !comparison.isExhausted
    }

    /// As `matches(_:)` of the tape's value, of which a tree is made only where elements of arrays come in another order.
    public func matches(_ actual: JSONTape) -> Bool {
        if TapeComparison(flat, actual, options).accepts() { return true }
        guard options.ignoreArrayOrder, expected.isContainer else { return false }
        return matches(actual.value)
    }

    /// How far `actual` is from the expected document, for near misses: the sizes of the values that differ or are missing or
    /// too many, by the size of the larger document. 0 for a match; more than 1 where a reordered array has elements both
    /// missing and too many. A body that is no JSON is at distance 1.
    public func distance(_ actual: JSONValue) -> Double {
        var measure = JSONDistance(options)
        let difference = measure.difference(expected, actual, digest(actual))
        return Double(difference) / Double(max(expected.size, JSONDistance.size(actual)))
    }

    func digest(_ actual: JSONValue) -> JSONDigest? {
        guard options.ignoreArrayOrder, expected.isContainer else { return nil }
        return JSONDigest(actual, nullsEqualMissing: options.nullsEqualMissing)
    }
}
