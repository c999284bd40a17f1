import SDJSON
import SDMatching
import SDTestSupport
import Testing

/// Arrays in any order whose elements can be paired in many ways.
@Suite struct JSONPairingTests {
    private static let placeholders = ["ignore", "any-number", "any-string", "missing-or-null", "regex}[ab]"]

    @Test func agreesWithTryingAllPairings() throws {
        var generator = TestGenerator()
        let seed = generator.seed
        var matches = 0
        for _ in 0..<4_000 {
            let ignoresExtra = Bool.random(using: &generator)
            let expected = Self.elements(upTo: 5, placeholders: true, &generator)
            let actual = Self.elements(upTo: 6, placeholders: false, &generator)
            let equality = try JSONEquality(
                expected: .array(expected), ignoreArrayOrder: true, ignoreExtraElements: ignoresExtra)
            let isMatch = try Self.canPair(expected[...], actual, ignoresExtra)
            let text = "seed \(seed): \(JSONValue.array(expected).compactText) \(JSONValue.array(actual).compactText)"
            #expect(equality.matches(.array(actual)) == isMatch, "\(text), extra \(ignoresExtra)")
            #expect((equality.distance(.array(actual)) == 0) == isMatch, "\(text), extra \(ignoresExtra)")
            matches += isMatch ? 1 : 0
        }
        #expect(matches > 200, "seed \(seed)")
    }

    /// Each element must give up its first choice so that the last one finds a partner: a path through all of them.
    @Test func longChainsOfExchangesNeedNoDeepStack() throws {
        let count = 400
        // Element i accepts the actual elements with the member i: those with numbers i and i + 1.
        let expected = (0..<count).map { JSONValue.object(["k\($0)": 1]) }
        let actual = (0..<count).map { index in
            JSONValue.object(JSONObject([("k\(index)", 1)] + (index > 0 ? [("k\(index - 1)", 1)] : [])))
        }
        let equality = try JSONEquality(
            expected: .array(expected), ignoreArrayOrder: true, ignoreExtraElements: true)
        #expect(equality.matches(.array(actual.reversed())))
        #expect(!equality.matches(.array(actual.dropLast() + [[:]])))
    }

    @Test(arguments: ["", "o", "e", "oe"])
    func theDeepestDocumentThatParsesCompares(options: String) throws {
        let depth = JSONValue.maximumDepth
        func document(_ leaf: String) throws -> JSONValue {
            try JSONValue(
                parsing: String(repeating: "[", count: depth) + leaf + String(repeating: "]", count: depth))
        }
        for (leaf, other) in [("1", "2"), ("\"${json-unit.any-number}\"", "\"x\"")] {
            let equality = try JSONEquality(
                expected: document(leaf), ignoreArrayOrder: options.contains("o"),
                ignoreExtraElements: options.contains("e"))
            #expect(try equality.matches(document("1")))
            #expect(try !equality.matches(document(other)))
            #expect(try equality.distance(document(other)) > 0)
        }
    }

    /// Tries every order and compares the elements one by one.
    private static func canPair(
        _ expected: ArraySlice<JSONValue>, _ actual: [JSONValue], _ ignoresExtra: Bool
    ) throws -> Bool {
        guard let first = expected.first else { return actual.isEmpty || ignoresExtra }
        let single = try JSONEquality(expected: first, ignoreArrayOrder: false, ignoreExtraElements: ignoresExtra)
        for index in actual.indices where single.matches(actual[index]) {
            var rest = actual
            rest.remove(at: index)
            if try canPair(expected.dropFirst(), rest, ignoresExtra) { return true }
        }
        return false
    }

    private static func elements(
        upTo limit: Int, placeholders: Bool, _ generator: inout TestGenerator
    ) -> [JSONValue] {
        (0..<Int.random(in: 0...limit, using: &generator)).map { _ in
            switch Int.random(in: 0..<8, using: &generator) {
            case 0...2: return scalar(placeholders: placeholders, &generator)
            default:
                let keys = "abc".filter { _ in Bool.random(using: &generator) }
                return .object(
                    JSONObject(keys.map { (String($0), scalar(placeholders: placeholders, &generator)) }))
            }
        }
    }

    private static func scalar(placeholders: Bool, _ generator: inout TestGenerator) -> JSONValue {
        if placeholders, Int.random(in: 0..<3, using: &generator) == 0 {
            let name = Self.placeholders.randomElement(using: &generator) ?? ""
            return .string("${json-unit.\(name)" + (name.contains("}") ? "" : "}"))
        }
        return [1, 2, "a", "b", .null].randomElement(using: &generator) ?? .null
    }
}
