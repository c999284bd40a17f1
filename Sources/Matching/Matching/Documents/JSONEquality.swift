public import SDJSON
public import SDPlatform
public import SDRegularExpressions

/// WireMock's `equalToJson`: a compiled expected document. Actual documents are compared as by JsonUnit.
///
/// The order of object members never matters. Numbers are compared by their exact value (`1` is `1.0`, `0.1` is not
/// `0.1000000000000000001`). Texts such as `${json-unit.any-number}` are placeholders for many values;
/// `docs/json-matching.md` lists them.
///
/// Each comparison of two values costs budget steps; once the budget is exhausted, no result counts. With
/// `ignoreArrayOrder`, arrays with placeholders in their elements may need many.
public struct JSONEquality: Sendable {
    /// Why an expected document cannot be used: a `${json-unit.regex}` has an invalid expression.
    public struct Problem: Error, Sendable, Hashable {
        /// The pointer in the expected document.
        public let pointer: JSONPointer
        public let regex: RegexProblem
    }

    /// A warning about a part of an expected document that is accepted but probably not intended.
    public struct Warning: Sendable, Hashable {
        /// The pointer in the expected document.
        public let pointer: JSONPointer
        /// The message, a sentence.
        public let message: String
    }

    /// Warnings, such as on a placeholder with an unknown name, which is compared as plain text.
    public let warnings: [Warning]

    let expected: JSONExpectation
    private let flat: FlatExpectation
    let options: Options

    struct Options: Sendable {
        let ignoreArrayOrder: Bool
        let ignoreExtraElements: Bool
        let nullsEqualMissing: Bool
        /// Whether an element may be paired with its exact equal without considering other candidates.
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
        warnings = compiler.warnings
        // If extra members are allowed, `{"a": missing-or-null}` accepts `{}` but not everything that `{}` accepts.
        let acceptsAbsence = nullsEqualMissing || compiler.hasMissingOrNull
        options = Options(
            ignoreArrayOrder: ignoreArrayOrder, ignoreExtraElements: ignoreExtraElements,
            nullsEqualMissing: nullsEqualMissing, exactPairsAreSafe: !(ignoreExtraElements && acceptsAbsence))
    }

    public func matches(_ actual: JSONValue, _ budget: WorkBudget = WorkBudget()) -> Bool {
        // Most documents are in the expected order and need no fingerprints.
        var inOrder = JSONComparison(options.inOrder, budget)
        if inOrder.accepts(expected, actual, nil) { return !inOrder.isExhausted }
        guard let digest = digest(actual, budget) else { return false }
        var comparison = JSONComparison(options, budget)
        return comparison.accepts(expected, actual, digest) && !comparison.isExhausted
    }

    /// Whether a tape's value matches. A tree is built only if array elements are in another order.
    public func matches(_ actual: JSONTape, _ budget: WorkBudget = WorkBudget()) -> Bool {
        // A comparison visits each value once, and stops at the first difference.
        guard budget.spend(actual.entries.count / 4, for: .jsonComparison) else { return false }
        if TapeComparison(flat, actual, options, budget).accepts() { return !budget.isSpent }
        guard options.ignoreArrayOrder, expected.isContainer,
            budget.tryReserve(50 * actual.entries.count, for: .jsonComparison)
        else { return false }
        return matches(actual.value, budget)
    }

    /// Whether a text certainly matches, without parsing: it is written like the expected document. False says nothing.
    public func certainlyMatches(_ text: ArraySlice<UInt8>, _ budget: WorkBudget = WorkBudget()) -> Bool {
        TextComparison(flat).accepts(text.span) && budget.spend(flat.entryCount / 4, for: .jsonComparison)
    }

    /// The distance of `actual` from the expected document, for near misses: the sizes of the values that differ, are
    /// missing or are extra, divided by the size of the larger document. 0 for a match; more than 1 if a reordered
    /// array has both missing and extra elements. A body that is not JSON has distance 1.
    public func distance(_ actual: JSONValue, _ budget: WorkBudget = WorkBudget()) -> Double {
        var measure = JSONDistance(options, budget)
        let difference = measure.difference(expected, actual, digest(actual, budget))
        if budget.isSpent { return 1 }
        return Double(difference) / Double(max(expected.size, JSONDistance.size(actual)))
    }

    func digest(_ actual: JSONValue, _ budget: WorkBudget) -> JSONDigest? {
        guard options.ignoreArrayOrder, expected.isContainer,
            budget.tryReserve(50 * JSONDistance.size(actual), for: .jsonComparison)
        else { return nil }
        return JSONDigest(actual, nullsEqualMissing: options.nullsEqualMissing)
    }
}
