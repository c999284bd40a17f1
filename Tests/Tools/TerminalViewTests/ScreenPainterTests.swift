import Testing

@testable import SDTerminalView

/// What is written to a terminal.
@Suite struct ScreenPainterTests {
    private func line(_ text: String, _ style: ScreenStyle = .plain) -> ScreenLine {
        var line = ScreenLine()
        line.add(text, style)
        return line
    }

    @Test func onlyChangedLinesAreWritten() {
        var painter = ScreenPainter(hasColours: true)
        let first = painter.paint([line("one"), line("two")], rows: 3, columns: 10)
        #expect(first == "\u{1b}[0m\u{1b}[2J\u{1b}[1;1Hone\u{1b}[K\u{1b}[2;1Htwo\u{1b}[K")
        #expect(painter.paint([line("one"), line("two")], rows: 3, columns: 10) == "")
        #expect(painter.paint([line("one"), line("tw")], rows: 3, columns: 10) == "\u{1b}[2;1Htw\u{1b}[K")
        #expect(painter.paint([line("one")], rows: 3, columns: 10) == "\u{1b}[2;1H\u{1b}[K")
        #expect(painter.paint([line("one")], rows: 4, columns: 10).hasPrefix("\u{1b}[0m\u{1b}[2J\u{1b}[1;1Hone"))
        painter.forget()
        #expect(painter.paint([line("one")], rows: 4, columns: 10).contains("one"))
    }

    @Test func noLineIsLongerThanTheScreen() {
        var painter = ScreenPainter(hasColours: false)
        let text = painter.paint([line("0123456789abc"), line("日本語日本語")], rows: 2, columns: 9)
        #expect(text == "\u{1b}[0m\u{1b}[2J\u{1b}[1;1H012345678\u{1b}[2;1H日本語日\u{1b}[K")
    }

    @Test(arguments: [
        (true, "\u{1b}[1;7;31mred\u{1b}[0m"), (false, "\u{1b}[1;7mred\u{1b}[0m"),
    ])
    func withoutColoursBoldAndReverseRemain(hasColours: Bool, written: String) {
        var painter = ScreenPainter(hasColours: hasColours)
        let style = ScreenStyle(.red, bold: true, reversed: true)
        #expect(painter.paint([line("red", style)], rows: 1, columns: 3).hasSuffix(written))
    }

    @Test func nothingOfATextSteersTheTerminal() {
        var painter = ScreenPainter(hasColours: true)
        let text = painter.paint([line("\u{1b}[31m\u{7}\r\n\u{9b}H\u{202e}")], rows: 1, columns: 80)
        #expect(text.unicodeScalars.count { $0 == "\u{1b}" } == 4)
        #expect(!text.unicodeScalars.contains { $0 == "\u{7}" || $0 == "\r" || $0 == "\u{9b}" || $0 == "\u{202e}" })
    }
}
