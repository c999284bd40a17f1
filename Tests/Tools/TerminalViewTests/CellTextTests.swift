import Testing

@testable import SDTerminalView

/// Texts of strangers as cells.
@Suite struct CellTextTests {
    @Test(arguments: [
        ("plain /path?a=b", "plain /path?a=b"),
        ("\u{1b}]0;owned\u{7}", #"\u{1b}]0;owned\u{7}"#),
        ("a\r\nb\tc", #"a\r\nb\tc"#),
        ("\u{9b}31m", #"\u{9b}31m"#),
        ("abc\u{202e}def", #"abc\u{202e}def"#),
        ("zero\u{200b}width", #"zero\u{200b}width"#),
        ("日本", "日本"),
        ("e\u{301}", "e\u{301}"),
        ("e\u{301}\u{302}\u{303}", "e\u{301}\u{302}\\u{303}"),
        ("\u{301}", #"\u{301}"#),
        ("\u{1f1e9}\u{1f1ea}", #"\u{1f1e9}\u{1f1ea}"#),
        ("❤\u{fe0f}", "❤\\u{fe0f}"),
        ("👨\u{200d}👩", "👨\\u{200d}👩"),
        ("\u{e000}", #"\u{e000}"#),
    ])
    func whatSteersATerminalIsShown(text: String, shown: String) {
        #expect(CellText.clean(text).unicodeScalars.elementsEqual(shown.unicodeScalars))
        #expect(CellText.clean(CellText.clean(text)) == CellText.clean(text))
    }

    @Test func withoutUnicodeEverythingIsASCII() {
        #expect(CellText.clean("日é", isUnicode: false) == #"\u{65e5}\u{e9}"#)
    }

    @Test(arguments: [("abc", 3), ("日本", 4), ("e\u{301}", 1), ("👍", 2), ("─", 1), ("한", 2)])
    func widthsAreCells(text: String, width: Int) {
        #expect(CellText.width(text) == width)
    }

    @Test(arguments: [
        ("/api/breed/hound/image", 30, "/api/breed/hound/image"),
        ("/api/breed/hound/image", 14, "/api/br…/image"),
        ("/日本/日本/日本", 8, "/…/日本"),
        ("/a?query=long-value-here", 12, "/a…alue-here"),
    ])
    func urlsLoseTheirMiddle(url: String, width: Int, shown: String) {
        let cut = CellText.cut(url, to: width, losing: .middle)
        #expect(CellText.width(cut) <= width)
        #expect(cut == shown)
    }

    @Test func everyLengthFits() {
        let text = "a日e\u{301}👍/b/日本?c=\u{1b}"
        for width in 0...30 {
            for elision in [CellText.Elision.end, .middle] {
                #expect(CellText.width(CellText.cut(CellText.clean(text), to: width, losing: elision)) <= width)
            }
            #expect(CellText.wrap(CellText.clean(text), to: max(2, width)).joined() == CellText.clean(text))
        }
    }
}
