public import JSON
public import RegularExpressions

/// WireMock's `equalToJson`: a compiled expected document, to which actual ones are compared as by JsonUnit.
///
/// The order of object members never matters. Numbers are compared by their exact value (`1` is `1.0`, `0.1` is not
/// `0.1000000000000000001`). Texts such as `${json-unit.any-number}` are placeholders for many values;
/// `docs/json-matching.md` lists them.
///
/// A comparison is bounded: with `ignoreArrayOrder`, one that needs more than `comparisonLimit` comparisons of values
/// is abandoned and counts as no match. Arrays without placeholders in their elements never come near it.
public struct JSONEquality: Sendable {
    /// The reason why an expected document cannot be used: a `${json-unit.regex}` is no valid expression.
    public struct Problem: Error, Sendable, Hashable {
        /// The path in the expected document.
        public let pointer: JSONPointer
        public let regex: RegexProblem
    }

    /// A remark on a part of an expected document that is accepted but hardly means what its author intends.
    public struct Remark: Sendable, Hashable {
        /// The path in the expected document.
        public let pointer: JSONPointer
        /// One sentence.
        public let message: String
    }

    public static let comparisonLimit = 4_000_000

    /// Remarks, such as on a placeholder with an unknown name, which is compared as plain text.
    public let remarks: [Remark]

    let expected: JSONExpectation
    private let flat: FlatExpectation
    let options: Options

    struct Options: Sendable {
        let ignoreArrayOrder: Bool
        let ignoreExtraElements: Bool
        let nullsEqualMissing: Bool
        /// Whether an element may be paired with its exact equal without considering other partners.
        let exactPairsAreSafe: Bool

        var inOrder: Options {
            Options(
                ignoreArrayOrder: false, ignoreExtraElements: ignoreExtraElements,
                nullsEqualMissing: nullsEqualMissing, exactPairsAreSafe: exactPairsAreSafe)
        }
    }

    /// Compiles an expected document.
    /// - Parameters:
    ///   - ignoreArrayOrder: whether the elements of an array may come in any order.
    ///   - ignoreExtraElements: whether extra members and elements are allowed: in arrays after the expected ones, or
    ///     anywhere with `ignoreArrayOrder`.
    ///   - nullsEqualMissing: whether a member that is null equals a missing one. An addition to WireMock.
    /// - Throws: for a `${json-unit.regex}` whose expression does not compile.
    public init(
        expected: JSONValue, ignoreArrayOrder: Bool, ignoreExtraElements: Bool, nullsEqualMissing: Bool = false
    ) throws(Problem) {
        var compiler = JSONExpectationCompiler(nullsEqualMissing: nullsEqualMissing)
        let compiled = try compiler.compile(expected)
        self.expected = compiled
        flat = FlatExpectation(compiled, nullsEqualMissing: nullsEqualMissing)
        remarks = compiler.remarks
        // If extra members are allowed, `{"a": missing-or-null}` accepts `{}` but not everything that `{}` accepts.
        let acceptsAbsence = nullsEqualMissing || compiler.hasMissingOrNull
        options = Options(
            ignoreArrayOrder: ignoreArrayOrder, ignoreExtraElements: ignoreExtraElements,
            nullsEqualMissing: nullsEqualMissing, exactPairsAreSafe: !(ignoreExtraElements && acceptsAbsence))
    }

    public func matches(_ actual: JSONValue) -> Bool {
        // Most documents come in the expected order and then need no fingerprints.
        var inOrder = JSONComparison(options.inOrder)
        if inOrder.accepts(expected, actual, nil) { return true }
        guard let digest = digest(actual) else { return false }
        var comparison = JSONComparison(options)
        return comparison.accepts(expected, actual, digest) && !comparison.isExhausted
    }

    /// Whether a tape's value matches. A tree is built only if elements of arrays come in another order.
    public func matches(_ actual: JSONTape) -> Bool {
        if TapeComparison(flat, actual, options).accepts() { return true }
        guard options.ignoreArrayOrder, expected.isContainer else { return false }
        return matches(actual.value)
    }

    /// The distance of `actual` from the expected document, for near misses: the sizes of the values that differ, are
    /// missing or are extra, divided by the size of the larger document. 0 for a match; more than 1 if a reordered
    /// array has both missing and extra elements. A body that is not JSON has distance 1.
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
