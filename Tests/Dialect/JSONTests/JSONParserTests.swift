import SDJSON
import SDTestSupport
import Testing

@Suite struct JSONParserTests {
    @Test func keepsOrderAndNumberTexts() throws {
        let text = #"{"b":1.0,"a":1,"c":1e0,"d":-0,"e":12345678901234567890.5}"#
        let value = try JSONValue(parsing: text)
        #expect(value.objectValue?.keys == ["b", "a", "c", "d", "e"])
        #expect(value.compactText == text)
    }

    @Test(arguments: JSONDialects.both)
    func theLastOfEqualKeysCounts(dialect: JSONValue.Dialect) throws {
        let value = try JSONValue(parsing: #"{"a":1,"b":2,"a":3}"#, dialect: dialect)
        #expect(value.compactText == #"{"a":3,"b":2}"#)
    }

    @Test func keysThatDifferInCodePointsAreDifferent() throws {
        let value = try JSONValue(parsing: #"{"\u00e9":1,"e\u0301":2}"#)
        #expect(value.objectValue?.count == 2)
        #expect(value["\u{E9}"] == 1)
        #expect(value["e\u{301}"] == 2)
    }

    /// A quadratic parser would not finish within a test's time.
    @Test(.timeLimit(.minutes(30))) func readsAndComparesAMillionKeys() throws {
        var text = "{"
        for key in 0..<1_000_000 { text += "\"key\(key)\":\(key)," }
        text += "\"key7\":-1}"
        let value = try JSONValue(parsing: text)
        #expect(value == value)
        #expect(value.objectValue?.count == 1_000_000)
        #expect(value["key7"] == -1)
        #expect(value["key999999"] == 999_999)
    }

    @Test func lenientTextsMayHaveCommentsAndSingleQuotes() throws {
        let text = """
            // head
            { /* one */ 'a' : 'it\\'s', // two
              "b": [1, /* * / ** */ 2] } /**/ // end
            """
        let value = try JSONValue(parsing: text, dialect: .lenient)
        #expect(value == ["a": "it's", "b": [1, 2]])
        #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: text) }
    }

    @Test func skipsAByteOrderMark() throws {
        #expect(try JSONValue(parsing: [0xEF, 0xBB, 0xBF, 0x31]) == 1)
    }

    @Test(arguments: [
        (#""\ud83d\ude00""#, "😀"), (#""\ud83d""#, "\u{FFFD}"), (#""\ude00""#, "\u{FFFD}"),
        (#""\ud83dx""#, "\u{FFFD}x"), (#""\ud83d\ud83d\ude00""#, "\u{FFFD}😀"), (#""\ud83d\u0041""#, "\u{FFFD}A"),
        (#""\u0000\/\b\f\n\r\t\"\\""#, "\0/\u{8}\u{C}\n\r\t\"\\"),
    ])
    func readsEscapes(text: String, expected: String) throws {
        #expect(try JSONValue(parsing: text) == .string(expected))
    }

    @Test(arguments: [512, 513, 100_000])
    func deepNestingIsAnErrorWithoutACrash(depth: Int) {
        let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let isRead = (try? JSONValue(parsing: text)) != nil
        #expect(isRead == (depth <= JSONValue.maximumDepth))
        #expect((try? JSONValue(parsing: String(repeating: #"{"a":"#, count: depth))) == nil)
    }

    @Test(arguments: [
        ("", 1, 1, "a value", "an empty text"),
        ("{\n  \"a\": ä }", 2, 8, "a value", "\"ä\""),
        ("{\n  \"ä\": 1 \"b\"}", 2, 10, "\",\" or \"}\"", "\"\"\""),
        ("[1, 2", 1, 6, "\",\" or \"]\"", "the end of the text"),
        ("{\"a\" 1}", 1, 6, "\":\"", "\"1\""),
        ("{a: 1}", 1, 2, "a member name in quotes or \"}\"", "\"a\""),
        ("{\"a\": 1,}", 1, 9, "a member name in quotes", "\"}\""),
        ("[tru]", 1, 2, "a value", "\"tru\""),
        ("\"a\nb\"", 1, 3, "a character or the closing quote", "the end of the line"),
        ("\"abc", 1, 1, "a string that ends with a quote", "one without end"),
        ("01", 1, 1, "a number without leading zeros", "\"01\""),
        ("1.x", 1, 3, "a digit", "\"x\""),
        ("\r\n\r\n  x", 3, 3, "a value", "\"x\""),
        ("1 2", 1, 3, "the end of the text", "\"2\""),
        (#""\x""#, 1, 2, #"one of the escapes \" \\ \/ \b \f \n \r \t \uXXXX"#, #""\""#),
    ])
    func errorsNamePlaceExpectedAndFound(text: String, line: Int, column: Int, expected: String, found: String) {
        let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: text) }
        #expect(error?.line == line)
        #expect(error?.column == column)
        #expect(error?.expected == expected)
        #expect(error?.found == found)
    }

    @Test func invalidUTF8IsAnErrorAtItsByte() {
        let error = #expect(throws: JSONSyntaxError.self) {
            try JSONValue(parsing: [0x22, 0x61, 0xC3, 0xA4, 0xFF, 0x22])
        }
        #expect(error?.offset == 4)
        #expect(error?.column == 4)
        #expect(error?.found == "the byte 0xFF, which is not UTF-8")
    }

    @Test func randomValuesSurviveARoundTrip() throws {
        let seed = TestGenerator.newSeed
        var generator = TestGenerator(seed: seed)
        print("randomValuesSurviveARoundTrip: seed \(seed)")
        for _ in 0..<300 {
            let value = RandomJSON.value(depth: 4, using: &generator)
            #expect(try JSONValue(parsing: value.compactBytes) == value, "seed \(seed)")
            #expect(try JSONValue(parsing: value.prettyBytes, dialect: .lenient) == value, "seed \(seed)")
        }
    }

    /// Large texts hold equal texts once.
    @Test func largeTextsMeanWhatTheySay() throws {
        let items = (0..<20_000).map {
            #"{"a name that is not short":"the same text \#($0 % 7)","n\u00e4me":"also \n the same","k":\#($0)}"#
        }
        let value = try JSONValue(parsing: "[" + items.joined(separator: ",") + "]")
        for index in [0, 1, 8, 9_999, 19_999] {
            #expect(
                value[index] == [
                    "a name that is not short": .string("the same text \(index % 7)"), "näme": "also \n the same",
                    "k": .number(JSONNumber(index)),
                ])
        }
    }

    @Test func mutatedTextsNeverCrashTheReader() throws {
        let seed = TestGenerator.newSeed
        var generator = TestGenerator(seed: seed)
        print("mutatedTextsNeverCrashTheReader: seed \(seed)")
        for _ in 0..<2_000 {
            let value = RandomJSON.value(depth: 2, using: &generator)
            let bytes = RandomJSON.mutate(value.prettyBytes, using: &generator)
            do throws(JSONSyntaxError) {
                let read = try JSONValue(parsing: bytes, dialect: .lenient)
                #expect(try JSONValue(parsing: read.compactBytes) == read, "seed \(seed)")
            } catch {
                #expect((0...bytes.count).contains(error.offset), "seed \(seed)")
                #expect(error.position == LineIndex(bytes).position(of: error.offset), "seed \(seed)")
            }
            _ = SourceMap(scanningJSON: bytes, for: [JSONPointer(["0", "a"])])
        }
    }
}

enum JSONDialects {
    static let both: [JSONValue.Dialect] = [.rfc8259, .lenient]
}
