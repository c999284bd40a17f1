import Testing

@testable import SDTerminalView

/// Keys from what terminals send.
@Suite struct TerminalKeyTests {
    @Test(arguments: [
        ("q", [TerminalKey.character("q")]), ("\r", [.enter]), ("\n", [.enter]), ("\t", [.tab]),
        ("\u{7f}", [.backspace]),
        ("\u{3}", [.control("c")]), ("\u{1a}", [.control("z")]), ("\u{1b}[A", [.up]), ("\u{1b}OB", [.down]),
        ("\u{1b}[1;5C", [.right]), ("\u{1b}[5~", [.pageUp]), ("\u{1b}[6~", [.pageDown]), ("\u{1b}[1~", [.home]),
        ("\u{1b}OF", [.end]), ("\u{1b}[Z", [.backTab]), ("\u{1b}[99~", []), ("\u{1b}[?1;2c", []),
        ("\u{1b}[3~", [.delete]),
        ("é日", [.character("é"), .character("日")]), ("\u{1b}[Aj\u{1b}[B", [.up, .character("j"), .down]),
        ("\u{1b}x", [.escape, .character("x")]),
    ])
    func sequencesAreKeys(text: String, keys: [TerminalKey]) {
        var reader = TerminalKeyReader()
        #expect(reader.read(text.utf8) == keys)
        #expect(!reader.waits)
        // Byte by byte it is the same.
        var slow = TerminalKeyReader()
        #expect(text.utf8.flatMap { slow.read([$0]) } == keys)
    }

    @Test func aLoneEscapeWaitsForMore() {
        var reader = TerminalKeyReader()
        #expect(reader.read([0x1b]).isEmpty)
        #expect(reader.waits)
        #expect(reader.flush() == [.escape])
        #expect(!reader.waits)
    }

    @Test func brokenBytesAreNoKeys() {
        var reader = TerminalKeyReader()
        #expect(reader.read([0xff, 0x61]) == [.character("\u{fffd}"), .character("a")])
        #expect(reader.read([0xe6, 0x97]).isEmpty)
        #expect(reader.flush().isEmpty)
    }
}
