import SDJSON
import SDMatching
import SDStubModel
import SDTestSupport
import Testing

/// A document's tape equals the same documents as its tree.
@Suite struct TapeComparisonTests {
    private static func document(
        _ depth: Int, _ placeholders: Bool, _ generator: inout TestGenerator
    ) -> JSONValue {
        switch Int.random(in: 0..<(depth == 0 ? 6 : 10), using: &generator) {
        case 0: return .null
        case 1: return .bool(.random(using: &generator))
        case 2:
            return .number(JSONNumber(text: ["0", "-0", "1", "1.0", "10e-1", "2"].randomElement(using: &generator)!)!)
        case 3, 4: return .string(["", "a", "é", "\n", "b\"", "ab"].randomElement(using: &generator)!)
        case 5:
            let names = [
                "ignore", "ignore-element", "any-string", "any-number", "any-boolean", "missing-or-null", "regex}a|b",
            ]
            guard placeholders, let name = names.randomElement(using: &generator) else { return "a" }
            return .string("${json-unit." + name + (name.contains("}") ? "" : "}"))
        case 6, 7:
            return .array(
                (0..<Int.random(in: 0...4, using: &generator)).map { _ in document(depth - 1, placeholders, &generator)
                })
        default:
            let isLarge = Int.random(in: 0..<4, using: &generator) == 0
            let keys = (0..<(isLarge ? 30 : 5)).filter { _ in Bool.random(using: &generator) }
            return .object(
                JSONObject(keys.map { (key($0), document(isLarge ? 0 : depth - 1, placeholders, &generator)) }))
        }
    }

    private static func key(_ number: Int) -> String {
        number < 5 ? ["", "a", "b", "é", "\t"][number] : "key\(number)"
    }

    /// The same document with members reordered, and a share of real changes.
    private static func changed(_ json: JSONValue, _ share: Double, _ generator: inout TestGenerator) -> JSONValue {
        if Double.random(in: 0..<1, using: &generator) < share { return document(1, false, &generator) }
        switch json {
        case .array(let elements):
            var elements = elements.map { changed($0, share, &generator) }
            if Double.random(in: 0..<1, using: &generator) < 2 * share { elements.shuffle(using: &generator) }
            if Double.random(in: 0..<1, using: &generator) < share { elements.append(document(1, false, &generator)) }
            return .array(elements)
        case .object(let object):
            var members = object.members.map { ($0.key, changed($0.value, share, &generator)) }
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: members.reverse()
            case 1: members.shuffle(using: &generator)
            default: break
            }
            if Double.random(in: 0..<1, using: &generator) < share { members = Array(members.dropLast()) }
            var result = JSONObject(members)
            if Double.random(in: 0..<1, using: &generator) < share { result["more"] = document(1, false, &generator) }
            return .object(result)
        default: return json
        }
    }

    /// The document with every second character of its texts as an escape.
    private static func escaped(_ json: JSONValue) -> [UInt8] {
        var isEven = false
        var bytes: [UInt8] = []
        for scalar in json.compactText.unicodeScalars {
            isEven.toggle()
            if isEven, scalar.value >= 0x80 || scalar == "a" && !json.compactText.contains("false") {
                let digits = String(scalar.value, radix: 16)
                bytes += Array(("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
            } else {
                bytes += Array(String(scalar).utf8)
            }
        }
        return bytes
    }

    @Test(arguments: 0..<8)
    func answersAlike(_ options: Int) throws {
        var generator = TestGenerator()
        var matches = 0
        var matchesAtOnce = 0
        var texts = 0
        for round in 0..<3_000 {
            let expected = Self.document(4, round % 2 == 0, &generator)
            let actual = Self.changed(expected, Double(round % 4) * 0.03, &generator)
            let equality = try JSONEquality(
                expected: expected, ignoreArrayOrder: options & 1 != 0, ignoreExtraElements: options & 2 != 0,
                nullsEqualMissing: options & 4 != 0)
            for bytes in [actual.compactBytes, actual.prettyBytes, Self.escaped(actual)] {
                guard let tree = try? JSONValue(parsing: bytes), let tape = JSONTape(bytes[...]) else { continue }
                texts += 1
                let isMatch = equality.matches(tree)
                matches += isMatch ? 1 : 0
                #expect(
                    equality.matches(tape) == isMatch,
                    "seed \(generator.seed), options \(options): \(expected.compactText) and \(tree.compactText)")
                let isFound = equality.certainlyMatches(bytes[...])
                matchesAtOnce += isFound ? 1 : 0
                #expect(
                    isMatch || !isFound,
                    "seed \(generator.seed), options \(options): \(expected.compactText) and \(tree.compactText)")
            }
        }
        #expect(texts > 6_000, "seed \(generator.seed)")
        #expect(matches > texts / 10, "seed \(generator.seed)")
        #expect(matches < texts * 9 / 10, "seed \(generator.seed)")
        #expect(matchesAtOnce > matches / 10, "seed \(generator.seed)")
    }

    @Test(arguments: [
        (#"{"a":1,"a":2}"#, #"{"a":2}"#, true), (#"{"a":1,"a":2}"#, #"{"a":1}"#, false),
        (#"{"a":2,"\u0061":1}"#, #"{"a":1}"#, true), (#"{/* c */'a':1}"#, #"{"a":1}"#, true),
        ("{a:1}", #"{"a":1}"#, false),
        ("[1] x", "[1]", false), ("\u{FEFF}[1.0]", "[1]", true), (#"{"\u0061":"\u00e9\n"}"#, "{\"a\":\"é\\n\"}", true),
    ])
    func aBodyMatchesTheSameOnTapeAndTree(_ body: String, _ expected: String, _ isMatch: Bool) throws {
        let pattern = try CompiledPattern(RequestPattern(json: ["bodyPatterns": [["equalToJson": .string(expected)]]]))
        #expect(pattern.matches(TestRequest("POST", body: body.utf8)) == isMatch)
    }

    /// Texts that are written like the expected document, with and without blanks, need not be read; others tell nothing
    /// before they are.
    @Test(arguments: [
        ("null", "null", true), (" true\n", "true", true), ("false", "false", true), ("-1.50", "-1.50", true),
        ("1", "1.0", false), ("12", "1", false), ("1", "12", false), ("nullx", "null", false), ("1 2", "1", false),
        (#""""#, #""""#, true), (#""a""#, #""a""#, true), (#""a" x"#, #""a""#, false), (#""a"#, #""a""#, false),
        (#""12345678""#, #""12345678""#, true), (#""123456789é""#, #""123456789é""#, true), (#""ab""#, #""a""#, false),
        (#""\u0061""#, #""a""#, false), (#""a\"b""#, #""a\"b""#, false), (#""a"b""#, #""a\"b""#, false),
        ("\"a\nb\"", #""a\nb""#, false), ("[]", "[]", true), ("[ ]", "[]", true), ("[1]", "[]", false),
        ("[]", "[1]", false), ("[ 1 ,\t2\r]", "[1,2]", true), ("[1,2,3]", "[1,2]", false), ("[2,1]", "[1,2]", false),
        ("[1 2]", "[1,2]", false), ("[1,]", "[1]", false), ("[\u{B}1]", "[1]", false), ("{ }", "{}", true),
        (#"{"a":1}"#, "{}", false), ("{}", #"{"a":1}"#, false),
        (#"{ "a" : 1 , "b" : [ { } ] }"#, #"{"a":1,"b":[{}]}"#, true),
        (#"{"c":3,"b":2,"a":1}"#, #"{"a":1,"b":2,"c":3}"#, true),
        (#"{"b":2,"a":1,"c":3}"#, #"{"a":1,"b":2,"c":3}"#, false),
        (#"{"a":1,"a":1}"#, #"{"a":1,"b":1}"#, false), (#"{"a":1,"b":2,}"#, #"{"a":1,"b":2}"#, false),
        (#"{"a":1 "b":2}"#, #"{"a":1,"b":2}"#, false), (#"{"a" 1}"#, #"{"a":1}"#, false),
        (#"{"a":1}}"#, #"{"a":1}"#, false),
        (#"{"a":1}"#, #"{"a":"${json-unit.any-number}"}"#, false), ("", "null", false), ("{", "{}", false),
        ("[", "[]", false),
    ])
    func aTextWrittenLikeTheExpectedDocumentNeedNotBeRead(_ text: String, _ expected: String, _ isFound: Bool) throws {
        let equality = try JSONEquality(
            expected: JSONValue(parsing: Array(expected.utf8)), ignoreArrayOrder: false, ignoreExtraElements: false)
        #expect(equality.certainlyMatches(Array(text.utf8)[...]) == isFound)
    }

    /// The lenient reader accepts texts that are not JSON, and takes the last of equal keys.
    @Test(arguments: [
        (#"{"a":1,"a":2}"#, "$[?(@.a == 2)]", true), (#"{"a":1,"a":2}"#, "$[?(@.a == 1)]", false),
        ("{a:'b',}", "$[?(@.a == 'b')]", true), ("[1] x", "$[0]", true), ("", "$", false), ("null", "$", false),
        ("[]", "$", false), ("[0]", "$", true), ("<a/>", "$", false), (#"{"a":null}"#, "$.a", false),
        ("{}", "$.a", false),
    ])
    func aPathFindsTheSameOnTapeAndTree(_ body: String, _ path: String, _ isMatch: Bool) throws {
        let pattern = try CompiledPattern(RequestPattern(json: ["bodyPatterns": [["matchesJsonPath": .string(path)]]]))
        #expect(pattern.matches(TestRequest("POST", body: body.utf8)) == isMatch)
    }
}
