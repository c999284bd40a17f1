import SDJSON
import SDTestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct JSONTapeTests {
    /// The parser's result; nil for an error or a repeated key.
    private static func parsed(_ bytes: [UInt8]) -> JSONValue? {
        var outline = DocumentOutline()
        var repeated: [RepeatedKey] = []
        let value = try? JSONValue(parsing: bytes, outline: &outline, repeatedKeys: &repeated)
        return repeated.isEmpty ? value : nil
    }

    /// Checks that the tape accepts the texts that the parser accepts, with the same meaning, including the order of
    /// members and the text of numbers.
    private static func check(_ bytes: [UInt8], _ name: String, _ location: SourceLocation = #_sourceLocation) {
        let expected = parsed(bytes)
        let found = JSONTape(bytes[...])?.value
        #expect(found == expected, "\(name)", sourceLocation: location)
        #expect(found?.compactBytes == expected?.compactBytes, "\(name)", sourceLocation: location)
    }

    @Test func readsWhatTheParserReads() {
        var generator = TestGenerator()
        var read = 0
        for _ in 0..<3_000 {
            let value = RandomJSON.value(depth: 4, using: &generator)
            for bytes in [value.compactBytes, value.prettyBytes] {
                Self.check(bytes, "seed \(generator.seed): \(value.compactText)")
                let mutated = RandomJSON.mutate(bytes, using: &generator)
                Self.check(mutated, "seed \(generator.seed): \(mutated)")
                if JSONTape(mutated[...]) != nil { read += 1 }
            }
        }
        #expect(read > 100, "seed \(generator.seed)")
    }

    /// Room for entries is made some hundreds at a time, and for no more than one in four bytes at first.
    @Test(arguments: [1, 2, 14, 15, 16, 17, 30, 31, 32, 33, 510, 511, 512, 513, 1_022, 1_023, 1_024, 1_025, 5_000])
    func roomIsMadeForAnyNumberOfEntries(count: Int) throws {
        let numbers = "[" + repeatElement("1", count: count).joined(separator: ",") + "]"
        let members = (0..<count).map { "\"\($0)\":[{}]" }
        for text in [numbers, "[[],\(numbers),\(numbers)]", "{\(members.joined(separator: ","))}"] {
            let bytes = Array(text.utf8)
            Self.check(bytes, "\(count) values")
            #expect(try #require(JSONTape(bytes[...])).value.compactBytes == bytes)
        }
        #expect(try #require(JSONTape(Array(numbers.utf8)[...])).entries.count == count + 1)
    }

    /// Strings are looked at sixteen bytes at a time.
    @Test func whatEndsAStringIsFoundAtAnyPlace() {
        for length in 0...36 {
            for place in 0...length {
                for special in ["\"", "\\n", "\\", "\n", "\u{1F}", "\u{7F}", " ", "é", "漢", "😀", "\\u00e9", "\\u00g9"] {
                    let letters = String(repeating: "x", count: length)
                    let text = "[\"" + letters.prefix(place) + special + letters.dropFirst(place) + "\"]"
                    Self.check(Array(text.utf8), text)
                }
            }
        }
    }

    /// Numbers are looked at sixteen bytes at a time, where there are so many.
    @Test func numbersEndWhereTheyEndAtAnyDistanceFromTheEndOfTheText() {
        let numbers = [
            "0", "7", "-0", "-12", "10", "123456789012345", "1234567890123456", "12345678901234567", "00", "01", "-",
            "-01",
            "0.", "1.", ".5", "1.5", "0.25", "12.50", "1234567.12345678", "123456789012345.6", "1.e5", "1e", "1e5",
            "1E+5",
            "1.5e-7", "0e1", "1.5e", "1.5.", "1.2.3", "1-2", "1+", "1.5x", "1x", "1/", "1:",
        ]
        for number in numbers {
            for after in ["", "]", "  ]", ",\"" + String(repeating: "x", count: 20) + "\"]"] {
                Self.check(Array("[\(number)\(after)".utf8), "[\(number)\(after)")
                Self.check(Array("{\"a\":\(number)\(after)}".utf8), "{\"a\":\(number)\(after)}")
            }
            Self.check(Array(number.utf8), number)
        }
    }

    /// Behind a closing brace or bracket at the end of the text the reader looks for its end, and nowhere else.
    @Test func aTextMayEndAtAnyPlace() {
        let text = Array(#"{"a": [1, -2.5e3, {"b" : [true ,false,null, "x\ny", [ ], { }]}], "é": {"": "😀"} } "#.utf8)
        for end in 0...text.count {
            for closing in ["", "}", "]", "}}", "]}", "\"}", "}]}"] {
                let bytes = text.prefix(end) + Array(closing.utf8)
                Self.check(Array(bytes), "\(end) bytes and \(closing)")
            }
        }
    }

    static let texts = [
        "", " ", "null", " true ", "false", "nul", "nulll", "tru", "\u{FEFF}[1]", "\u{FEFF}", "[1]\u{FEFF}",
        "0", "-0", "01", "-", "-01", "1.", ".5", "1.5e", "1.5e+", "1.50E-07", "1e5", "+1", "--1", "[1 2]", "[1,]",
        "[,1]",
        "[", "]", "[]", "[ ]", "{", "}", "{}", "{ }", "[[]", "[]]", "{]", "[}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}",
        "{,}", "{\"a\" : 1 , \"b\"\t:\n[ ]\r}", "{a:1}", "{'a':1}", "['a']", "[1] // x", "/**/[1]", "{1:2}", "[1]x",
        "1 1",
        "\"", "\"\\", "\"\\\"", "\"\\x\"", "\"\\'\"", "\"\\u12\"", "\"\\u12G4\"", "\"\\u00e9\\u00E9\"", "\"\t\"",
        "\"\u{7F}\"", "\"\\ud83d\\ude00\"", "\"\\ud83d\"", "\"\\ude00\\ud83d\"", "\"\\ud83d\\ud83d\\ude00\"",
        "\"\\ud83d\\u0041\"", "\"\\ud83dx\"", "\"\\ud83d\\n\"", "\"\\b\\f\\n\\r\\t\\/\\\\\\\"\"", "\"é漢😀\"",
        "{\"a\":1,\"a\":2}", "{\"a\":1,\"\\u0061\":2}", "{\"\\u0061\":1,\"\\u0061\":2}", "{\"\\u0061\":1,\"a\":2}",
        "{\"\":1,\"\":2}", "{\"\":1,\"a\":2}", "{\"é\":1,\"e\u{301}\":2}", "{\"a\":{\"a\":1},\"b\":{\"a\":1}}",
        "[{\"a\":1},{\"a\":2}]", "{\"ab\":1,\"ba\":2,\"acb\":3,\"abb\":4}", "{\"a\":{\"b\":[{}]},\"a\":0}",
    ]

    @Test(arguments: texts)
    func readsTheTextAsTheParserDoes(_ text: String) {
        Self.check(Array(text.utf8), text)
    }

    /// Well-formed and ill-formed sequences of every length, by table 3-7 of the Unicode standard.
    @Test func readsOnlyUTF8() {
        for lead in UInt8(0x80)...0xFF {
            for second: UInt8 in [0x22, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0] {
                for tail: [UInt8] in [[], [0x80], [0x80, 0xBF], [0x80, 0x22], [0xC0, 0x80], [0x80, 0x80, 0x80]] {
                    Self.check([0x22, lead, second] + tail + [0x22], "\([lead, second] + tail)")
                    Self.check([0x22, lead, second] + tail, "\([lead, second] + tail) at the end")
                }
            }
        }
    }

    @Test(arguments: [0, 1, 15, 16, 17, 18, 100, 1_000])
    func readsAnObjectOfAnySizeUnlessAKeyIsRepeated(_ count: Int) {
        func text(_ more: String) -> [UInt8] {
            Array(("{" + (0..<count).map { "\"key\($0)\":{\"x\":\($0)}," }.joined() + more + "}").utf8)
        }
        Self.check(text("\"last\":1"), "\(count) keys")
        #expect(JSONTape(text("\"last\":1")[...])?.entries[0].count == count + 1)
        for name in ["key0", "key\(count - 1)", "k\\u0065y0"] where count > 0 {
            #expect(JSONTape(text("\"\(name)\":1")[...]) == nil, "\(count) keys and \(name)")
            #expect(JSONTape(text("\"other\":1,\"\(name)\":1")[...]) == nil, "\(count) keys, another and \(name)")
        }
    }

    @Test func nestsAsDeepAsTheParser() {
        for depth in [JSONValue.maximumDepth, JSONValue.maximumDepth + 1] {
            Self.check(Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8), "[")
            let objects = String(repeating: "{\"a\":", count: depth) + "1" + String(repeating: "}", count: depth)
            Self.check(Array(objects.utf8), "{")
            #expect((JSONTape(Array(objects.utf8)[...]) == nil) == (depth > JSONValue.maximumDepth))
        }
    }

    @Test func readsAPartOfALongerText() throws {
        let bytes = Array("xx{\"a\":[1,\"b\\n\"]}yy".utf8)
        let tape = try #require(JSONTape(bytes[2..<bytes.count - 2]))
        #expect(tape.value == ["a": [1, "b\n"]])
    }

    @Test func findsMembersAndElements() throws {
        let tape = try #require(JSONTape(Array(#"{"a":[1,[2],3],"k\u00e9y":{"":null},"":5}"#.utf8)[...]))
        let list = try #require(tape.member("a", of: 0))
        #expect(tape.element(at: 1, of: list).map(tape.value) == [2])
        #expect(tape.element(at: -1, of: list).map(tape.value) == 3)
        #expect(tape.element(at: 3, of: list) == nil)
        #expect(tape.element(at: -4, of: list) == nil)
        #expect(tape.element(at: 0, of: 0) == nil)
        #expect(tape.member("kéy", of: 0).map(tape.value) == ["": .null])
        #expect(tape.member("ke\u{301}y", of: 0) == nil)
        #expect(tape.member("", of: 0).map(tape.value) == 5)
        #expect(tape.member("a", of: list) == nil)
    }

    @Test func comparesStringsByTheirDecodedText() throws {
        let texts = ["", "a", "ab", "b", "é", "e\u{301}", "\n", "😀", "\u{FFFD}", "a\"b"]
        for left in texts {
            for right in texts {
                let plain = JSONValue.string(left).compactBytes
                let escaped = Array(("\"" + left.utf16.map { "\\u" + Self.hex($0) }.joined() + "\"").utf8)
                for bytes in [plain, escaped] {
                    let tape = try #require(JSONTape(bytes[...]))
                    let other = Array(right.utf8)
                    let order = tape.entries[0].ordering(to: other.span, other.indices, in: tape.bytes.span)
                    let isBefore = left.utf8.lexicographicallyPrecedes(right.utf8)
                    #expect(order.signum() == (Array(left.utf8) == other ? 0 : isBefore ? -1 : 1), "\(left) \(right)")
                    #expect(
                        tape.entries[0].isText(other.span, other.indices, in: tape.bytes.span)
                            == (Array(left.utf8) == other), "\(left) \(right)")
                }
            }
        }
    }

    private static func hex(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }

    @Test(.enabled(if: Conformance.isPresent("json-parsing"), "\(Conformance.absence)"))
    func readsTheParsingSuiteAsTheParserDoes() {
        for name in ParsingSuite.names { Self.check(ParsingSuite.bytes(name), name) }
    }

    @Test func readsTheFuzzersSeedsAsTheParserDoes() throws {
        let folder = "\(PackageFiles.root)/Tools/fuzz/corpus/json"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(!names.isEmpty)
        for name in names {
            Self.check(Array(FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()), name)
        }
    }
}
