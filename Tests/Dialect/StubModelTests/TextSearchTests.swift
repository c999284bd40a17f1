import SDBasics
import Testing

@Suite struct TextSearchTests {
    @Test(
        arguments: [
            ("https://host", "://", 5), ("a{{b}}{{c}}", "{{", 1), ("aaab", "aab", 1), ("abab", "ab", 0),
            ("ab", "ab", 0),
            ("ab", "", 0), ("", "", 0), ("é://", "://", 2), ("{\u{301}{{", "{{", 3),
        ])
    func findsTheFirstPlace(text: String, part: String, offset: Int) throws {
        let range = try #require(text.firstRange(ofText: part))
        #expect(text.utf8.distance(from: text.utf8.startIndex, to: range.lowerBound) == offset)
        #expect(text.utf8.distance(from: range.lowerBound, to: range.upperBound) == part.utf8.count)
        #expect(text.contains(text: part))
    }

    @Test(
        arguments: [("", "a"), ("ab", "abc"), ("aab", "ba"), ("a:/", "://"), ("Session", "session")])
    func findsNothingElse(text: String, part: String) {
        #expect(text.firstRange(ofText: part) == nil)
        #expect(!text.contains(text: part))
    }

    @Test func searchesAPart() throws {
        let text = "{{a}} and {{b}}"
        let rest = text.dropFirst(2)
        let range = try #require(rest.firstRange(ofText: "{{"))
        #expect(text[range.lowerBound...] == "{{b}}")
    }
}
