import SDPlatform
import SDTestSupport
import Testing

@testable import SDMatching

@Suite struct EditDistanceTests {
    /// Two texts, the number of edits, and the number of units by which it is divided. As in WireMock 3.13.2, except
    /// for two empty texts, where WireMock divides by zero.
    private static let pairs: [(String, String, edits: Int, of: Int)] = [
        ("abc", "abc", 0, 3), ("abc", "abd", 1, 3), ("abc", "", 3, 3), ("abc", "x", 3, 3), ("abc", "abcd", 1, 4),
        ("abc", "ABC", 3, 3), ("abc", "xabc", 1, 4), ("abc", "cba", 2, 3), ("", "", 0, 1), ("é", "e", 1, 1),
        ("é", "éé", 1, 2), ("😀", "😁", 1, 2), ("😀", "ab", 2, 2), ("a😀b", "ab", 2, 4), ("a😀b", "a😁b", 1, 4),
        ("abc def", "def abc", 6, 7), ("kitten", "sitting", 3, 7),
    ]

    @Test(arguments: pairs)
    func isLevenshteinsInUTF16UnitsByTheLongerLength(left: String, right: String, edits: Int, length: Int) {
        let distance = Double(edits) / Double(length)
        #expect(EditDistance.normalised(left.bytes, right.bytes) == distance)
        #expect(EditDistance.normalised(right.bytes, left.bytes) == distance)
    }

    @Test func missingTextsAreEqualToEachOtherOnly() {
        #expect(EditDistance.normalised(nil, nil) == 0)
        #expect(EditDistance.normalised(nil, "".bytes) == 1)
        #expect(EditDistance.normalised("a".bytes, nil) == 1)
    }

    @Test func agreesWithTheTextbookTable() {
        var generator = TestGenerator()
        let seed = generator.seed
        for _ in 0..<400 {
            let left = Self.units(upTo: 300, &generator)
            let right =
                Bool.random(using: &generator) ? Self.units(upTo: 300, &generator) : Self.edited(left, &generator)
            #expect(EditDistance.levenshtein(left, right) == Self.table(left, right), "seed \(seed): \(left) \(right)")
        }
    }

    @Test func longTextsAreBoundedAndNeverUnderstated() {
        var generator = TestGenerator()
        let seed = generator.seed
        let text = (0..<6_000).map { _ in UInt16.random(in: 97...100, using: &generator) }
        // Each unit that the other text lacks needs an edit of its own.
        let places = Set((0..<50).map { _ in Int.random(in: 0..<6_000, using: &generator) })
        var edited = text
        for place in places { edited[place] = 122 }
        #expect(EditDistance.levenshtein(text, edited) == places.count, "seed \(seed)")
        let shortened = Array(edited.dropFirst())
        #expect(EditDistance.levenshtein(text, shortened) >= places.count, "seed \(seed)")
        let long = [UInt8](repeating: 97, count: 1 << 18)
        #expect(EditDistance.normalised(long[...], ([98] + long + [98])[...]) < 0.000_02)
        #expect(EditDistance.normalised(long[...], [UInt8](repeating: 98, count: 1 << 18)[...]) == 1)
    }

    @Test func isNeverUnderstatedWhenTheBudgetOfARequestIsSpent() {
        var generator = TestGenerator()
        let seed = generator.seed
        var allowance = EditDistance.Allowance()
        for _ in 0..<2_000 {
            let left = Self.units(upTo: 300, &generator)
            let right = Self.units(upTo: 300, &generator)
            let found = EditDistance.levenshtein(left[...], right[...], &allowance)
            #expect(found >= Self.table(left, right) && found <= max(left.count, right.count), "seed \(seed)")
        }
    }

    @Test func isAtLeastTheDifferenceOfTheLengths() {
        var generator = TestGenerator()
        let seed = generator.seed
        for _ in 0..<400 {
            let left = Self.units(upTo: 40, &generator).map { UInt8(truncatingIfNeeded: $0) }[...]
            let right = Self.units(upTo: 40, &generator).map { UInt8(truncatingIfNeeded: $0) }[...]
            #expect(
                ComparedURL.Text(left).minDistance(to: Array(right)) <= EditDistance.normalised(left, right),
                "seed \(seed)")
        }
    }

    private static func units(upTo limit: Int, _ generator: inout TestGenerator) -> [UInt16] {
        (0..<Int.random(in: 0...limit, using: &generator)).map { _ in
            [97, 98, 99, 0xE9, 0xD83D].randomElement(using: &generator) ?? 97
        }
    }

    private static func edited(_ text: [UInt16], _ generator: inout TestGenerator) -> [UInt16] {
        text.flatMap { unit -> [UInt16] in
            switch Int.random(in: 0..<20, using: &generator) {
            case 0: []
            case 1: [unit, 97]
            case 2: [98]
            default: [unit]
            }
        }
    }

    private static func table(_ left: [UInt16], _ right: [UInt16]) -> Int {
        var row = Array(0...right.count)
        for (index, unit) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, other) in right.enumerated() {
                let above = row[column + 1]
                row[column + 1] = min(above + 1, row[column] + 1, diagonal + (unit == other ? 0 : 1))
                diagonal = above
            }
        }
        return row[right.count]
    }
}

extension EditDistance {
    /// The distance with the whole allowance of a request.
    fileprivate static func normalised(_ left: ArraySlice<UInt8>?, _ right: ArraySlice<UInt8>?) -> Double {
        var allowance = Allowance()
        return normalised(left, right, &allowance)
    }

    fileprivate static func levenshtein(_ left: [UInt16], _ right: [UInt16]) -> Int {
        var allowance = Allowance()
        return levenshtein(left[...], right[...], &allowance)
    }
}
