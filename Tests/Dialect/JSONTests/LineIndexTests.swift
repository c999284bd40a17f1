import SDJSON
import SDTestSupport
import Testing

@Suite struct LineIndexTests {
    /// The position, counted from the start of the text.
    private func plainPosition(of offset: Int, in bytes: [UInt8]) -> TextPosition {
        TextPosition(offset: offset, in: bytes)
    }

    @Test(arguments: ["", "a", "\n", "\r", "\r\n", "a\r\nb", "a\rb\nc", "\r\r\n\n", "ä\nöü\r\n👋x", "\n\n\n"])
    func everyOffsetHasItsLineAndColumn(text: String) {
        let bytes = Array(text.utf8)
        let lines = LineIndex(bytes)
        for offset in 0...bytes.count where offset == bytes.count || bytes[offset] & 0xC0 != 0x80 {
            // No position is ever between the two bytes of a line end.
            if offset > 0, offset < bytes.count, bytes[offset - 1] == 0x0D, bytes[offset] == 0x0A { continue }
            let position = lines.position(of: offset)
            #expect(position == plainPosition(of: offset, in: bytes), "\(offset)")
            #expect(lines.position(line: position.line, column: position.column) == position)
        }
    }

    @Test func longLinesOfAnyCharactersAgreeWithACountFromTheStart() {
        var random = TestGenerator()
        let pieces = ["a", "ä", "€", "👋", "\n", "\r\n", "\r", "b"].map { Array($0.utf8) }
        for _ in 0..<20 {
            var bytes: [UInt8] = []
            var starts: [Int] = []
            let lineEnds = Int.random(in: 0...2, using: &random)
            while bytes.count < 6_000 {
                // A lone carriage return before a line feed would form one line end.
                let isEnd = lineEnds > 0 && Int.random(in: 0..<200, using: &random) < lineEnds && bytes.last != 0x0D
                let piece =
                    isEnd
                    ? pieces[Int.random(in: 4...6, using: &random)] : pieces[Int.random(in: 0...3, using: &random)]
                starts.append(bytes.count)
                bytes += piece
            }
            let lines = LineIndex(bytes)
            for _ in 0..<50 {
                guard let offset = starts.randomElement(using: &random) else { return }
                let position = lines.position(of: offset)
                #expect(position == plainPosition(of: offset, in: bytes), "seed \(random.seed)")
                #expect(lines.position(line: position.line, column: position.column) == position, "seed \(random.seed)")
            }
        }
    }

    @Test func offsetsBeyondTheTextAreItsEnd() {
        let lines = LineIndex(Array("ab\ncd".utf8))
        #expect(lines.position(of: 99) == TextPosition(line: 2, column: 3, offset: 99))
        #expect(lines.position(line: 7, column: 1).offset == 5)
        #expect(lines.position(line: 2, column: 99).offset == 5)
        #expect(lines.position(line: 2, column: Int.max).offset == 5)
        #expect(lines.position(line: 0, column: 0).offset == 5)
        #expect(LineIndex([]).position(line: 1, column: 1).offset == 0)
    }

    /// A million positions in a line of one MiB would take seconds if each were counted from the start of the line.
    @Test func placesInALongLineCostLittle() {
        let bytes = Array(repeating: UInt8(ascii: "x"), count: 1 << 20)
        let lines = LineIndex(bytes)
        let last = stride(from: 0, to: bytes.count, by: 64).map { lines.position(of: $0).column }.last
        #expect(last == bytes.count - 63)
    }
}
