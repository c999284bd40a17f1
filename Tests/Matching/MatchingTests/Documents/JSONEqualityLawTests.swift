import SDJSON
import SDMatching
import SDTestSupport
import Testing

/// Laws that hold for all documents without placeholders.
@Suite struct JSONEqualityLawTests {
    private static let count = 2_000

    @Test func equalityIsReflexiveSymmetricAndBlindToOrder() throws {
        var generator = TestGenerator()
        let seed = generator.seed
        var equalPairs = 0
        for _ in 0..<Self.count {
            let left = Self.document(3, &generator)
            let right = Self.respelled(left, &generator, change: Double.random(in: 0...0.1, using: &generator))
            for options in 0..<4 {
                let (ignoresOrder, nulls) = (options & 1 != 0, options & 2 != 0)
                let there = try Self.equality(left, ignoresOrder, false, nulls)
                let back = try Self.equality(right, ignoresOrder, false, nulls)
                #expect(there.matches(left), "seed \(seed): \(left.compactText)")
                #expect(
                    there.matches(right) == back.matches(left),
                    "seed \(seed): \(left.compactText) and \(right.compactText), options \(options)")
                #expect(
                    there.matches(right) == (there.distance(right) == 0),
                    "seed \(seed): \(left.compactText) and \(right.compactText), options \(options)")
                equalPairs += there.matches(right) ? 1 : 0
            }
        }
        #expect(equalPairs > Self.count / 4, "seed \(seed)")
    }

    @Test func permutedArraysAreEqualIfOrderIsIgnored() throws {
        var generator = TestGenerator()
        let seed = generator.seed
        for _ in 0..<Self.count {
            let document = Self.document(4, &generator)
            let permuted = Self.respelled(document, &generator, change: 0, permutesArrays: true)
            for hasExtra in [false, true] {
                let equality = try Self.equality(document, true, hasExtra, false)
                #expect(
                    equality.matches(permuted),
                    "seed \(seed): \(document.compactText) and \(permuted.compactText)")
                #expect(equality.distance(permuted) == 0, "seed \(seed): \(document.compactText)")
            }
        }
    }

    @Test func extraMembersAndElementsAreIgnoredOnRequest() throws {
        var generator = TestGenerator()
        let seed = generator.seed
        for _ in 0..<Self.count {
            let document = Self.document(4, &generator)
            let permuted = Self.respelled(document, &generator, change: 0, permutesArrays: true)
            let richer = Self.enriched(permuted, &generator)
            #expect(
                try Self.equality(document, true, true, false).matches(richer),
                "seed \(seed): \(document.compactText) in \(richer.compactText)")
        }
    }

    private static func equality(
        _ expected: JSONValue, _ ignoresOrder: Bool, _ ignoresExtra: Bool, _ nulls: Bool
    ) throws -> JSONEquality {
        try JSONEquality(
            expected: expected, ignoreArrayOrder: ignoresOrder, ignoreExtraElements: ignoresExtra,
            nullsEqualMissing: nulls)
    }

    private static func document(_ depth: Int, _ generator: inout TestGenerator) -> JSONValue {
        switch Int.random(in: 0..<(depth == 0 ? 5 : 9), using: &generator) {
        case 0: return .null
        case 1: return .bool(.random(using: &generator))
        case 2, 3: return .number(JSONNumber(.random(in: 0...3, using: &generator)))
        case 4: return .string(["", "a", "é"].randomElement(using: &generator) ?? "")
        case 5, 6:
            let count = Int.random(in: 0...4, using: &generator)
            return .array((0..<count).map { _ in document(depth - 1, &generator) })
        default:
            let keys = "abcde".filter { _ in Bool.random(using: &generator) }
            return .object(JSONObject(keys.map { (String($0), document(depth - 1, &generator)) }))
        }
    }

    /// The same document with members reordered and numbers spelt differently, and a share of real changes.
    private static func respelled(
        _ json: JSONValue, _ generator: inout TestGenerator, change: Double, permutesArrays: Bool = false
    ) -> JSONValue {
        if Double.random(in: 0..<1, using: &generator) < change { return document(1, &generator) }
        switch json {
        case .number(let number):
            let spelling = ["", ".0", "e0", "0e-1", ".00e+00"].randomElement(using: &generator) ?? ""
            return JSONNumber(text: number.text + spelling).map(JSONValue.number) ?? json
        case .array(let elements):
            let inner = elements.map { respelled($0, &generator, change: change, permutesArrays: permutesArrays) }
            return .array(permutesArrays ? inner.shuffled(using: &generator) : inner)
        case .object(let object):
            return .object(
                JSONObject(
                    object.members.shuffled(using: &generator).map {
                        ($0.key, respelled($0.value, &generator, change: change, permutesArrays: permutesArrays))
                    }))
        default: return json
        }
    }

    private static func enriched(_ json: JSONValue, _ generator: inout TestGenerator) -> JSONValue {
        switch json {
        case .array(let elements):
            var richer = elements.map { enriched($0, &generator) }
            if Bool.random(using: &generator) {
                richer.insert(document(1, &generator), at: Int.random(in: 0...richer.count, using: &generator))
            }
            return .array(richer)
        case .object(let object):
            var richer = JSONObject(object.members.map { ($0.key, enriched($0.value, &generator)) })
            if Bool.random(using: &generator) { richer["extra"] = document(1, &generator) }
            return .object(richer)
        default: return json
        }
    }
}
