import SDBasics
import Testing

@Suite struct PrintableTests {
    @Test(arguments: [
        ("::error::x", "\\u{3a}:error::x"),
        ("  ::error::x", "  \\u{3a}:error::x"),
        ("\u{3000}::error::x", "\u{3000}\\u{3a}:error::x"),
        ("\u{a0}\u{2003} ::x", "\u{a0}\u{2003} \\u{3a}:x"),
        ("\t::x", "\\t\\u{3a}:x"),
        ("one\n::x", "one\\n\\u{3a}:x"),
        ("one\u{2028}::x", "one\\u{2028}\\u{3a}:x"),
        ("\u{feff}::x", "\\u{feff}::x"),
        ("Module::test", "Module::test"),
        (": x", ": x"),
        ("##[error]x", "#\\u{23}[error]x"),
        ("a ##vso[task.x]", "a #\\u{23}vso[task.x]"),
        ("##teamcity[x]", "#\\u{23}teamcity[x]"),
        ("a#b", "a#b"),
        ("section_start:1:x", "section\\u{5f}start:1:x"),
        ("section_end:1:x", "section\\u{5f}end:1:x"),
        ("/users?section_id=1", "/users?section_id=1"),
        ("\u{1b}[31m\r", "\\u{1b}[31m\\r"),
        ("größer 東京 ❤️", "größer 東京 ❤️"),
    ])
    func aLineIsNoCommand(text: String, line: String) {
        #expect(Printable.line(text) == line)
    }

    /// All that Unicode calls a format, and what else nobody sees.
    @Test func whatNobodySeesIsShownAsItsCode() {
        let formats = (0...0x10_ffff).compactMap { Unicode.Scalar(UInt32($0)) }.filter {
            $0.properties.generalCategory == .format || $0.properties.generalCategory == .control
        }
        #expect(formats.count > 200)
        let others: [Unicode.Scalar] = ["\u{2028}", "\u{2029}", "\u{115f}", "\u{3164}", "\u{e0000}", "\u{e0100}"]
        for scalar in formats + others {
            #expect(!Printable.line("a\(scalar)b").unicodeScalars.contains(scalar), "\(scalar.value)")
        }
        #expect(Printable.line("a\u{61c}\u{e0041}b") == "a\\u{61c}\\u{e0041}b")
    }

    @Test func linesStayWhereThereAreSeveral() {
        #expect(Printable.lines("a\n\tb\n ::c\r\n##[d]") == "a\n\tb\n \\u{3a}:c\\r\n#\\u{23}[d]")
    }

    @Test(arguments: [
        ("{\n  \"a\" : \"##vso[x]\"\n}", "{\n  \"a\" : \"#\\u0023vso[x]\"\n}"),
        ("[\"\u{e0041}\u{202e}\u{7f}\"]", "[\"\\udb40\\udc41\\u202e\\u007f\"]"),
        ("{\"::a\":\"ü\"}", "{\"::a\":\"ü\"}"),
    ])
    func jsonSaysTheSameWithoutCommands(document: String, printed: String) {
        #expect(Printable.json(document) == printed)
    }
}
