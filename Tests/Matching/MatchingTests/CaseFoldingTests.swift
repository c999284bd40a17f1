import Testing

@testable import SDMatching

/// What Java's `equalsIgnoreCase` takes for the same.
@Suite struct CaseFoldingTests {
    @Test(arguments: [
        ("", "", true), ("abc", "ABC", true), ("abc", "abd", false), ("a", "ab", false), ("[", "{", false),
        ("é", "É", true), ("aÉ", "Aé", true), ("é", "e", false), ("straße", "STRASSE", false), ("ß", "ẞ", true),
        ("ſ", "S", true), ("\u{212A}", "k", true), ("σ", "ς", true), ("ı", "I", true), ("ﬁ", "FI", false),
        ("\u{1C5}", "Ǆ", true), ("\u{10400}", "\u{10428}", true), ("\u{1E900}", "\u{1E922}", true), ("語", "語", true),
        ("😀", "😀", true), ("😀", "😁", false), ("é", "e\u{301}", false),
    ])
    func lettersAreComparedOneByOne(left: String, right: String, isEqual: Bool) {
        let (left, right) = (Array(left.utf8)[...], Array(right.utf8)[...])
        #expect(CaseFolding.equals(left, right) == isEqual)
        #expect(CaseFolding.equals(right, left) == isEqual)
    }

    @Test func whatIsNoUTF8IsAReplacementCharacter() {
        #expect(CaseFolding.equals([0xC3, 0x89, 0xFF], Array("é\u{FFFD}".utf8)[...]))
    }
}
