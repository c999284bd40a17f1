import SDJSON
import SDStubFiles
import Testing

@Suite struct YAMLReaderTests {
    @Test func readsTheShorthandOfTheDocumentation() throws {
        let value = try JSONValue(
            parsingYAML: """
                # mocks/dogs.yaml
                GET /api/breed/{breed}/images:            # METHOD path
                  headers: { X-Source: mock }
                  json: { message: [https://images.example/hound/1.jpg], status: success }

                GET ~/v[12]/.*:
                  - when: { headers: { Authorization: { absent: true } } }
                    status: 401
                  - json: { id: 1, name: Ada }
                    delay: 120ms
                ANY /a/**?x={y}: { file: articles.json }
                """)
        #expect(
            value == [
                "GET /api/breed/{breed}/images": [
                    "headers": ["X-Source": "mock"],
                    "json": ["message": ["https://images.example/hound/1.jpg"], "status": "success"],
                ],
                "GET ~/v[12]/.*": [
                    ["when": ["headers": ["Authorization": ["absent": true]]], "status": 401],
                    ["json": ["id": 1, "name": "Ada"], "delay": "120ms"],
                ],
                "ANY /a/**?x={y}": ["file": "articles.json"],
            ])
        #expect(value.objectValue?.keys.first == "GET /api/breed/{breed}/images")
    }

    @Test(
        arguments: [
            ("null", "null"), ("~", "null"), ("''", #""""#), ("Null", "null"), ("nULL", #""nULL""#),
            ("true", "true"), ("False", "false"), ("yes", #""yes""#), ("no", #""no""#), ("on", #""on""#),
            ("off", #""off""#), ("y", #""y""#),
            ("1", "1"), ("-1", "-1"), ("+1", "1"), ("007", "7"), ("0", "0"), ("-0", "-0"), ("00", "0"),
            ("0x1F", "31"), ("0o17", "15"), ("0x", #""0x""#), ("0xG", #""0xG""#), ("0b1", #""0b1""#),
            ("1.5", "1.5"), ("+.5", "0.5"), ("-.5", "-0.5"), ("1.", "1.0"), ("1.e3", "1.0e3"), ("1E+05", "1E+05"),
            ("00.10", "0.10"), ("1_000", #""1_000""#), ("12:30:45", #""12:30:45""#), ("2021-01-01", #""2021-01-01""#),
            ("1.2.3", #""1.2.3""#), (".", #"".""#), ("-", nil), ("+", #""+""#), ("1e", #""1e""#), ("e1", #""e1""#),
            ("'1'", #""1""#), (#""true""#, #""true""#), ("|\n  12", #""12""#), ("!!str 12", #""12""#),
            ("! 12", #""12""#),
            ("!!int 12", "12"), ("!!int '12'", "12"), ("!!float 1", "1"), ("!!null ''", "null"),
            ("9007199254740993", "9007199254740993"), ("1e400", "1e400"),
            ("0xFFFFFFFFFFFFFFFF", "18446744073709551615"),
        ] as [(String, String?)])
    func scalarsFollowTheCoreSchema(text: String, expected: String?) {
        #expect((try? JSONValue(parsingYAML: "a: " + text))?["a"]?.compactText == expected)
    }

    @Test func everyNumberIsValidJSON() throws {
        for text in ["+.5", "007", "-.5", "1.", "0x10", "-00.50e-03"] {
            let number = try #require(JSONValue(parsingYAML: text).numberValue)
            #expect(JSONNumber(text: number.text) != nil, "\(text) became \(number.text)")
        }
    }

    @Test(arguments: ["", "# nothing", "---", "--- \n...\n"])
    func anEmptyStreamIsNull(text: String) throws {
        #expect(try JSONValue(parsingYAML: text) == .null)
    }

    @Test func anchorsAliasesAndMergeKeysAreResolved() throws {
        let value = try JSONValue(
            parsingYAML: """
                base: &base { a: 1, b: 2 }
                other: &other { b: 3, c: 4 }
                one: { <<: *base, b: 9 }
                two: { b: 8, <<: [ *base, *other ] }
                list: [ *base, &x text, *x ]
                quoted: { "<<": plain }
                """)
        #expect(value["one"] == ["a": 1, "b": 9])
        #expect(value["two"] == ["a": 1, "b": 8, "c": 4])
        #expect(value["list"] == [["a": 1, "b": 2], "text", "text"])
        #expect(value["quoted"] == ["<<": "plain"])
    }

    @Test func aBillionLaughsAreRefused() {
        var text = "a0: &a0 [ha, ha, ha, ha, ha, ha, ha, ha, ha]\n"
        for level in 1...9 {
            let alias = "*a\(level - 1)"
            text += "a\(level): &a\(level) [\(Array(repeating: alias, count: 9).joined(separator: ", "))]\n"
        }
        let error = #expect(throws: YAMLError.self) { try JSONValue(parsingYAML: text) }
        #expect(error?.message.contains("too many values") == true)
    }

    @Test func aChainOfAliasesCannotNestTooDeeply() {
        let open = String(repeating: "[", count: 300)
        let close = String(repeating: "]", count: 300)
        let text = "a: &a \(open)\(close)\nb: \(open)*a\(close)\n"
        let error = #expect(throws: YAMLError.self) { try JSONValue(parsingYAML: text) }
        #expect(error?.message == "nested too deeply")
    }

    @Test(arguments: [512, 513, 20_000])
    func deepNestingIsAnErrorWithoutACrash(depth: Int) {
        let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let isRead = (try? JSONValue(parsingYAML: text)) != nil
        #expect(isRead == (depth <= JSONValue.maximumDepth))
    }

    @Test(arguments: [
        ("a: 1\nb: 2\na: 3\n", 3, 1, "duplicate key \"a\", first in line 1, column 1"),
        ("a: *b\n", 1, 4, "the alias *b has no anchor"),
        ("a: &a [1, *a]\n", 1, 11, "the alias *a is within its own anchor"),
        ("a: 1\n---\nb: 2\n", 2, 1, "a second document in the same file"),
        ("? [a]\n: b\n", 1, 3, "a key that is not a string"),
        ("?\n: b\n", 1, 2, "an empty key"),
        ("a: !ruby/object x\n", 1, 4, "the tag !ruby/object is not supported"),
        ("a: !!binary AAAA\n", 1, 4, "the tag !!binary is not supported"),
        ("a: !!seq {}\n", 1, 4, "the tag !!seq is not supported"),
        ("a: !!int x\n", 1, 4, "the value does not match its tag !!int"),
        ("a: .inf\n", 1, 4, "JSON has no number .inf"),
        ("a: { <<: x }\n", 1, 10, "the value of << is not a mapping"),
    ])
    func errorsNamePlaceAndProblem(text: String, line: Int, column: Int, message: String) {
        let error = #expect(throws: YAMLError.self) { try JSONValue(parsingYAML: text) }
        #expect(error?.line == line)
        #expect(error?.column == column)
        #expect(error?.message == message)
    }

    @Test func invalidUTF8IsAnErrorAtItsByte() {
        let error = #expect(throws: YAMLError.self) { try JSONValue(parsingYAML: [0x61, 0x3A, 0x20, 0xFF]) }
        #expect(error?.position.offset == 3)
    }

    @Test func sourceMapsPlaceValuesAndNames() {
        let text = """
            # ä
            GET /a:
              json:
                ä: { key: value }
              list:
                - 1
                - sub: 2
            """
        let map = SourceMap(
            scanningYAML: text.utf8,
            for: [
                JSONPointer(["GET /a", "json", "ä", "key"]), JSONPointer(["GET /a", "list", "1", "sub"]),
                JSONPointer(["GET /a", "list", "7"]),
            ])
        #expect(map.position(ofKeyAt: JSONPointer(["GET /a"])) == TextPosition(line: 2, column: 1, offset: 5))
        #expect(map[JSONPointer(["GET /a", "json", "ä", "key"])]?.key?.line == 4)
        #expect(map[JSONPointer(["GET /a", "json", "ä", "key"])]?.key?.column == 10)
        #expect(map[JSONPointer(["GET /a", "list", "1", "sub"])]?.value.line == 7)
        #expect(map.position(ofValueAt: JSONPointer(["GET /a", "list", "7"]))?.line == 6)
    }
}
