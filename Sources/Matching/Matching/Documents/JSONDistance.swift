import SDJSON
import SDPlatform

/// The distance between an actual and an expected document, in sizes of values, as WireMock ranks near misses.
struct JSONDistance {
    private let options: JSONEquality.Options
    private let budget: WorkBudget
    private var comparison: JSONComparison

    init(_ options: JSONEquality.Options, _ budget: WorkBudget) {
        self.options = options
        self.budget = budget
        comparison = JSONComparison(options, budget)
    }

    /// The size of a value: one for the value itself, one for each child, and the size of each child that has children.
    static func size(_ json: JSONValue) -> Int {
        size(json, countsNullMembers: true)
    }

    /// The size that counts if the whole value differs or is extra; WireMock then ignores null members.
    private static func weight(_ json: JSONValue) -> Int {
        size(json, countsNullMembers: false)
    }

    private static func size(_ json: JSONValue, countsNullMembers: Bool) -> Int {
        switch json {
        case .array(let elements):
            return elements.reduce(1) { $0 + childSize($1, countsNullMembers: countsNullMembers) }
        case .object(let object):
            return object.members.reduce(1) { sum, member in
                if member.value.isNull, !countsNullMembers { return sum }
                return sum + childSize(member.value, countsNullMembers: countsNullMembers)
            }
        default: return 1
        }
    }

    private static func childSize(_ json: JSONValue, countsNullMembers: Bool) -> Int {
        switch json {
        case .array, .object: 1 + size(json, countsNullMembers: countsNullMembers)
        default: 1
        }
    }

    /// The sizes of all values that differ, are missing or are extra.
    mutating func difference(_ expected: JSONExpectation, _ actual: JSONValue, _ digest: JSONDigest?) -> Int {
        guard comparison.spend(1) else { return 0 }
        switch (expected.kind, actual) {
        case (.array(let elements), .array(let actual)):
            return options.ignoreArrayOrder
                ? differenceInAnyOrder(elements, actual, digest) : differenceInOrder(elements, actual)
        case (.object(let members), .object(let actual)): return difference(members, actual, digest)
        // JsonUnit stops here without reporting a difference.
        case (.placeholder(.namedMatcher), _): return 0
        default: return isAccepted(expected, actual) ? 0 : max(expected.weight, Self.weight(actual))
        }
    }

    /// Whether a scalar or placeholder matches.
    private func isAccepted(_ expected: JSONExpectation, _ actual: JSONValue) -> Bool {
        var comparison = JSONComparison(options, budget)
        return comparison.accepts(expected, actual, nil)
    }

    private mutating func differenceInOrder(_ expected: [JSONExpectation], _ actual: [JSONValue]) -> Int {
        let common = min(expected.count, actual.count)
        var sum = expected[common...].reduce(0) { $0 + $1.weight }
        for index in 0..<common { sum += difference(expected[index], actual[index], nil) }
        if !options.ignoreExtraElements { sum += actual[common...].reduce(0) { $0 + Self.weight($1) } }
        return sum
    }

    private mutating func differenceInAnyOrder(
        _ expected: [JSONExpectation], _ actual: [JSONValue], _ digest: JSONDigest?
    ) -> Int {
        var pairing = JSONPairing(expected, actual, digest)
        pairing.pairMost(&comparison)
        let missing = pairing.missing
        let extra = pairing.extra
        if missing.count == 1, extra.count == 1 {
            return difference(expected[missing[0]], actual[extra[0]], digest?.children[extra[0]])
        }
        let sum = missing.reduce(0) { $0 + expected[$1].weight }
        return options.ignoreExtraElements ? sum : extra.reduce(sum) { $0 + Self.weight(actual[$1]) }
    }

    private mutating func difference(
        _ expected: JSONExpectation.Members, _ actual: JSONObject, _ digest: JSONDigest?
    ) -> Int {
        var sum = 0
        for (index, member) in actual.members.enumerated() {
            if let place = expected.place(of: member.key, near: index) {
                sum += difference(expected.list[place].value, member.value, digest?.children[index])
            } else if !options.ignoreExtraElements, !(options.nullsEqualMissing && member.value.isNull) {
                sum += Self.weight(member.value)
            }
        }
        for member in expected.list where actual[member.key] == nil {
            let allowsMissing = member.value.allowsMissing(nullsEqualMissing: options.nullsEqualMissing)
            if !allowsMissing { sum += member.value.weight }
        }
        return sum
    }
}
