public import SDJSON
public import SDPlatform

/// Finds the differences between an actual and an expected document by the rules of `equalToJson`, each with its
/// JSONPath. Finds none exactly if the documents match.
struct JSONDifferences {
    private let options: JSONEquality.Options
    private let budget: WorkBudget
    private var comparison: JSONComparison
    private var path: [JSONPathStep] = []
    private(set) var list = DifferenceList()

    /// Whether the budget is exhausted; then no result counts.
    var isExhausted: Bool { comparison.isExhausted }

    init(_ options: JSONEquality.Options, _ budget: WorkBudget) {
        self.options = options
        self.budget = budget
        comparison = JSONComparison(options, budget)
    }

    /// Finds the differences within a value. `digest` is the digest of `actual`; nil if the order of arrays counts.
    mutating func find(_ expected: JSONExpectation, _ actual: JSONValue, _ digest: JSONDigest?) {
        switch (expected.kind, actual) {
        case (.array(let elements), .array(let actual)):
            if options.ignoreArrayOrder {
                findInAnyOrder(elements, actual, digest)
            } else {
                findInOrder(elements, actual)
            }
        case (.object(let members), .object(let actual)): find(members, actual, digest)
        default:
            var comparison = JSONComparison(options, budget)
            if !comparison.accepts(expected, actual, nil) {
                note("expected \(expected.shown), was \(JSONPreview.text(actual))")
            }
        }
    }

    private mutating func note(_ text: @autoclosure () -> String) {
        list.add("\(path.text): \(text())")
    }

    private mutating func within(_ step: JSONPathStep, _ body: (inout JSONDifferences) -> Void) {
        path.append(step)
        body(&self)
        path.removeLast()
    }

    private mutating func noteMissing(_ expected: JSONExpectation, _ step: JSONPathStep) {
        within(step) { $0.note("missing, expected \(expected.shown)") }
    }

    private mutating func noteExtra(_ actual: JSONValue, _ step: JSONPathStep) {
        within(step) { $0.note("not expected, was \(JSONPreview.text(actual))") }
    }

    // MARK: - Containers

    private mutating func find(_ expected: JSONExpectation.Members, _ actual: JSONObject, _ digest: JSONDigest?) {
        // In the order of the expected members; the indices of the actual ones lead to their fingerprints.
        var places: [Int?] = Array(repeating: nil, count: expected.list.count)
        var extra: [Int] = []
        for (index, member) in actual.members.enumerated() {
            if let place = expected.place(of: member.key, near: index) {
                places[place] = index
            } else if !options.ignoreExtraElements, !(options.nullsEqualMissing && member.value.isNull) {
                extra.append(index)
            }
        }
        for (member, place) in zip(expected.list, places) where !list.isFull {
            if let place {
                let value = actual.members[place].value
                within(.name(member.key)) { $0.find(member.value, value, digest?.children[place]) }
            } else if !member.value.allowsMissing(nullsEqualMissing: options.nullsEqualMissing) {
                noteMissing(member.value, .name(member.key))
            }
        }
        for index in extra where !list.isFull {
            noteExtra(actual.members[index].value, .name(actual.members[index].key))
        }
    }

    private mutating func findInOrder(_ expected: [JSONExpectation], _ actual: [JSONValue]) {
        let common = min(expected.count, actual.count)
        for index in 0..<common where !list.isFull {
            within(.index(index)) { $0.find(expected[index], actual[index], nil) }
        }
        for index in common..<expected.count where !list.isFull { noteMissing(expected[index], .index(index)) }
        guard !options.ignoreExtraElements else { return }
        for index in common..<max(common, actual.count) where !list.isFull { noteExtra(actual[index], .index(index)) }
    }

    /// Finds the differences of arrays in any order. If exactly one element on either side has no partner, the two are
    /// compared with each other.
    private mutating func findInAnyOrder(
        _ expected: [JSONExpectation], _ actual: [JSONValue], _ digest: JSONDigest?
    ) {
        var pairing = JSONPairing(expected, actual, digest)
        pairing.pairMost(&comparison)
        let missing = pairing.missing
        let extra = pairing.extra
        if let index = missing.first, missing.count == 1, extra.count == 1 {
            let place = extra[0]
            return within(.index(place)) { $0.find(expected[index], actual[place], digest?.children[place]) }
        }
        for index in missing where !list.isFull { note("no element is \(expected[index].shown)") }
        guard !options.ignoreExtraElements else { return }
        for place in extra where !list.isFull { noteExtra(actual[place], .index(place)) }
    }
}

extension JSONEquality {
    /// The differences in `actual`, one sentence each with its JSONPath, up to a limit. Empty exactly if it matches.
    public func differences(_ actual: JSONValue, _ budget: WorkBudget = WorkBudget()) -> [String] {
        var differences = JSONDifferences(options, budget)
        differences.find(expected, actual, digest(actual, budget))
        return differences.isExhausted
            ? ["$: the comparison takes too many steps"] : differences.list.all
    }
}
