import SDMatching
import SDTestSupport
import Testing

@Suite struct TextEncodingTests {
    /// Halves of pairs, letters of all lengths, and a byte too many.
    @Test(arguments: 0..<200) func utf16IsDecodedAsByTheStandardLibrary(seed: UInt64) {
        var generator = TestGenerator(seed: seed)
        let units = (0..<Int.random(in: 0..<40, using: &generator)).map { _ -> UInt16 in
            let range: ClosedRange<UInt16> = [0...0x7F, 0xD7F0...0xE010, 0...0xFFFF].randomElement(using: &generator)!
            return UInt16.random(in: range, using: &generator)
        }
        let expected = Array(String(decoding: units, as: UTF16.self).utf8)
        let big = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let little = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(Array(TextEncoding.utf16BigEndian.utf8(big[...])) == expected, "seed \(seed)")
        #expect(Array(TextEncoding.utf16LittleEndian.utf8(little[...])) == expected, "seed \(seed)")
        #expect(Array(TextEncoding.utf16BigEndian.utf8((big + [0x61])[...])) == expected + "\u{FFFD}".utf8)
    }

    @Test(
        arguments: [
            (TextEncoding.latin1, [0x41, 0xA4, 0xE9], "A\u{A4}é"), (.latin9, [0x41, 0xA4, 0xBD], "A€œ"),
            (.windows1252, [0x80, 0x81, 0x9F, 0xE9], "€\u{FFFD}Ÿé"), (.ascii, [0x41, 0xE9], "A\u{FFFD}"),
            (.utf32BigEndian, [0, 1, 0xF6, 0, 0, 0x11, 0, 0, 0], "😀\u{FFFD}\u{FFFD}"),
            (.utf32LittleEndian, [0, 0xF6, 1, 0, 0, 0xD8, 0, 0], "😀\u{FFFD}"),
            (.utf32, [0xFF, 0xFE, 0, 0, 0x41, 0, 0, 0], "A"), (.utf16, [0xFF, 0xFE, 0x41, 0], "A"),
        ] as [(TextEncoding, [UInt8], String)])
    func lettersAreDecoded(encoding: TextEncoding, bytes: [UInt8], text: String) {
        #expect(String(decoding: encoding.utf8(bytes[...]), as: UTF8.self) == text)
    }
}
