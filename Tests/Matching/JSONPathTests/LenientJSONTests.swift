import SDJSON
import SDJSONPath
import SDTestSupport
import Testing

/// `WireMockTests` compares with WireMock's recorded reading of bodies; here are the rules by name, and what no
/// recording can show.
@Suite struct LenientJSONTests {
    static let readings: [(String, JSONValue?)] = [
        ("{'a': b c, d: [1,,2,], 'e': +1}", ["a": "b c", "d": [1, 2], "e": "+1"]), ("hello world", "hello world"),
        ("{\"a\":1} and more", ["a": 1]), ("{a:01, b:5., c:-}", ["a": 1, "b": 5.0, "c": 0]), ("", nil), (" ", ""),
        ("{a:1", nil), ("[1 2]", ["1 2"]),
        ("{a:TRUE,b:true,c:nul,d:null}", ["a": "TRUE", "b": true, "c": "nul", "d": .null]),
        ("{a:'\\x41\\u0042\\q'}", ["a": "AB"]), ("{a:'\\u12'}", nil), ("{a 1}", nil), ("]", nil),
        ("{a:1,a:2}", ["a": 2]),
    ]

    @Test(arguments: readings)
    func aBodyIsReadAsWireMockReadsIt(_ text: String, _ value: JSONValue?) {
        #expect(LenientJSON.parse(Array(text.utf8)[...]) == value)
    }

    @Test func acceptsInvalidUTF8() {
        #expect(LenientJSON.parse([0x7B, 0x61, 0x3A, 0xFF, 0x7D][...]) == ["a": "\u{FFFD}"])
        #expect(LenientJSON.parse([0xFF][...]) == "\u{FFFD}")
    }

    @Test func refusesDeepNesting() {
        for (open, close) in [("[", "]"), ("{a:", "}")] {
            let limit = LenientJSON.maximumDepth
            let fits = String(repeating: open, count: limit) + "x" + String(repeating: close, count: limit)
            #expect(LenientJSON.parse(Array(fits.utf8)[...]) != nil)
            #expect(LenientJSON.parse(Array((open + fits + close).utf8)[...]) == nil)
            #expect(LenientJSON.parse(Array(String(repeating: open, count: 1_000_000).utf8)[...]) == nil)
        }
    }

    @Test func readsWhatTheStandardReadsAlike() throws {
        var generator = TestGenerator()
        for _ in 0..<300 {
            let value = PropertyTests.value(4, &generator)
            // The blank after it prevents the strict reader from being used alone.
            #expect(LenientJSON.parse(value.compactBytes[...]) == value, "seed \(generator.seed)")
            #expect(
                LenientJSON.parse((value.prettyText + " ,").utf8.map { $0 }[...]) == lenient(value),
                "seed \(generator.seed)")
        }
    }

    /// A scalar at the top takes everything after it into its text.
    private func lenient(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array, .object, .string: value
        default: .string(value.compactText + " ,")
        }
    }

    @Test func survivesAnyBytes() {
        var generator = TestGenerator()
        let pieces = Array("{}[],:'\"\\ua1-.e \nx\u{0}é".utf8) + [0xFF]
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...14, using: &generator)).map { _ in
                pieces.randomElement(using: &generator) ?? 0
            }
            guard let value = LenientJSON.parse(bytes[...]) else { continue }
            let again = LenientJSON.parse(value.compactBytes[...])
            #expect(again == value, "\(bytes), seed \(generator.seed)")
        }
    }
}
