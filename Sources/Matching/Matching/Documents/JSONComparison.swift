import SDJSON
import SDPlatform
import SDRegularExpressions

/// Compares an actual document with an expected one. Stops at the first difference.
struct JSONComparison {
    let options: JSONEquality.Options
    private let budget: WorkBudget

    init(_ options: JSONEquality.Options, _ budget: WorkBudget) {
        self.options = options
        self.budget = budget
    }

    /// Whether the budget is exhausted; then no result of this comparison counts.
    var isExhausted: Bool { budget.isSpent }

    /// Whether `actual` matches. `digest` is the digest of `actual`; nil if the order of arrays counts, which needs
    /// none.
    mutating func accepts(_ expected: JSONExpectation, _ actual: JSONValue, _ digest: JSONDigest?) -> Bool {
        guard spend(1) else { return false }
        switch (expected.kind, actual) {
        case (.null, .null): return true
        case (.bool(let expected), .bool(let actual)): return expected == actual
        case (.number(let number, let decimal), .number(let actual)):
            return number.text.hasSameCodePoints(as: actual.text) || decimal == JSONDecimal(actual)
        case (.string(let expected), .string(let actual)): return expected.hasSameCodePoints(as: actual)
        case (.placeholder(let placeholder), _): return placeholder.accepts(actual, budget)
        case (.array(let elements), .array(let actual)):
            if hasOtherDigest(expected, digest) { return false }
            return options.ignoreArrayOrder
                ? acceptsInAnyOrder(elements, actual, digest) : acceptsInOrder(elements, actual)
        case (.object(let members), .object(let actual)):
            if hasOtherDigest(expected, digest) { return false }
            return accepts(members, actual, digest)
        default: return false
        }
    }

    /// Spends budget steps. Returns false once the budget is exhausted.
    func spend(_ steps: Int) -> Bool {
        budget.spend(2 * steps, for: .jsonComparison)
    }

    /// Whether the fingerprints rule out a match. They do unless there are placeholders or extra elements.
    private func hasOtherDigest(_ expected: JSONExpectation, _ digest: JSONDigest?) -> Bool {
        guard !options.ignoreExtraElements, let expected = expected.digest, let digest else { return false }
        return expected != digest.value
    }

    private mutating func acceptsInOrder(_ expected: [JSONExpectation], _ actual: [JSONValue]) -> Bool {
        guard hasRightCount(expected, actual) else { return false }
        for index in expected.indices where !accepts(expected[index], actual[index], nil) { return false }
        return true
    }

    private mutating func acceptsInAnyOrder(
        _ expected: [JSONExpectation], _ actual: [JSONValue], _ digest: JSONDigest?
    ) -> Bool {
        guard hasRightCount(expected, actual) else { return false }
        if hasSameDigests(expected, digest) {
            var isEqual = true
            for index in expected.indices where isEqual {
                isEqual = accepts(expected[index], actual[index], digest?.children[index])
            }
            if isEqual { return true }
        }
        guard spend(expected.count + actual.count) else { return false }
        var pairing = JSONPairing(expected, actual, digest)
        return pairing.pairAll(&self)
    }

    /// Whether each element has the fingerprint of the one at the same index, so that no pairing is needed.
    private func hasSameDigests(_ expected: [JSONExpectation], _ digest: JSONDigest?) -> Bool {
        guard let children = digest?.children, children.count >= expected.count else { return false }
        for index in expected.indices where expected[index].digest != children[index].value { return false }
        return true
    }

    private func hasRightCount(_ expected: [JSONExpectation], _ actual: [JSONValue]) -> Bool {
        options.ignoreExtraElements ? expected.count <= actual.count : expected.count == actual.count
    }

    private mutating func accepts(
        _ expected: JSONExpectation.Members, _ actual: JSONObject, _ digest: JSONDigest?
    ) -> Bool {
        guard actual.count >= expected.requiredCount else { return false }
        let mayHaveExtra = options.ignoreExtraElements
        if !mayHaveExtra, !options.nullsEqualMissing, actual.count > expected.list.count { return false }
        var found = 0
        for (index, member) in actual.members.enumerated() {
            if let place = expected.place(of: member.key, near: index) {
                found += 1
                guard accepts(expected.list[place].value, member.value, digest?.children[index]) else { return false }
            } else if !mayHaveExtra, !(options.nullsEqualMissing && member.value.isNull) {
                return false
            }
        }
        if found == expected.list.count { return true }
        for member in expected.list where actual[member.key] == nil {
            guard member.value.allowsMissing(nullsEqualMissing: options.nullsEqualMissing) else { return false }
        }
        return true
    }
}

extension JSONPlaceholder {
    /// Whether a value that is present matches.
    func accepts(_ actual: JSONValue, _ budget: WorkBudget) -> Bool {
        switch (self, actual) {
        case (.ignore, _), (.ignoreElement, _): true
        case (.anyString, .string), (.anyNumber, .number), (.anyBoolean, .bool), (.missingOrNull, .null): true
        case (.regex(let regex), .string(let text)): regex.match(Array(text.utf8)[...], budget) == .match
        default: false
        }
    }
}

extension WorkBudget.Work {
    static var jsonComparison: Self { Self("comparison", "equalToJson") }
}
