import SDPlatform
import Testing

@Suite struct PercentEncodingTests {
    /// A text, its decoded form (nil if an escape is broken), and its form with broken escapes kept.
    @Test(
        arguments: [
            ("", "", ""), ("abc", "abc", "abc"), ("a%20b", "a b", "a b"), ("%41%6a%4A", "AjJ", "AjJ"),
            ("%25", "%", "%"),
            ("%2525", "%25", "%25"), ("%C3%A4", "ä", "ä"), ("ä", "ä", "ä"), ("a+b", "a+b", "a+b"), ("%", nil, "%"),
            ("a%", nil, "a%"), ("%4", nil, "%4"), ("%4g", nil, "%4g"), ("%g4", nil, "%g4"), ("%%41", nil, "%A"),
            ("%+1", nil, "%+1"), ("%-0", nil, "%-0"), ("%4%41", nil, "%4A"), ("% 41", nil, "% 41"),
            ("%zz%41", nil, "%zzA"),
        ] as [(String, String?, String)])
    func escapesAreDecoded(text: String, strict: String?, lenient: String) {
        #expect(PercentEncoding.decode(text.bytes) == strict.map { Array($0.utf8) })
        #expect(PercentEncoding.decodeLeniently(text.bytes) == Array(lenient.utf8))
    }

    @Test func aPlusIsABlankOnlyInQueries() {
        #expect(PercentEncoding.decode("a+b%2B".bytes) == Array("a+b+".utf8))
        #expect(PercentEncoding.decode("a+b%2B".bytes, plusIsBlank: true) == Array("a b+".utf8))
        #expect(PercentEncoding.decode("+%".bytes, plusIsBlank: true) == nil)
    }

    @Test func everyByteHasAnEscape() {
        for byte in UInt8.min...UInt8.max {
            let digits = (byte < 16 ? "0" : "") + String(byte, radix: 16)
            for digits in [digits, digits.uppercased()] {
                #expect(PercentEncoding.decode("%\(digits)".bytes) == [byte])
            }
            // A byte outside of an escape stays as it is, whatever it is.
            if byte != UInt8(ascii: "%") { #expect(PercentEncoding.decode([byte]) == [byte]) }
        }
    }
}
