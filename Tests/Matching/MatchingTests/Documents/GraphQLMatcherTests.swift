import SDJSON
import SDMatching
import SDTestSupport
import Testing

@Suite struct GraphQLMatcherTests {
    private static func matches(_ expected: String, _ actual: String) throws -> Bool {
        try GraphQLMatcher(["query": .string(expected)]).matches(["query": .string(actual)])
    }

    private static let equalDocuments: [(String, String)] = [
        ("{ a b }", "query{b,a}"), ("{a}", "\u{FEFF}\n# comment\n{ a # more\r\n}"),
        ("query Q($a: Int = 1, $b: [String!]!) { f(x: $a, y: $b) }", "query Q($b:[String!]!$a:Int=1){f(y:$b x:$a)}"),
        ("{ hero { ...F } } fragment F on H { name id }", "fragment F on H { id name } { hero { ...F } }"),
        ("query A { a } query B { b }", "query B { b } query A { a }"),
        ("{ a(o: {x: 1, y: [1, 2]}) }", "{ a(o: {y: [1 2] x: 1}) }"),
        (#"{ a(s: "x\ny") }"#, "{ a(s: \"\"\"\n    x\n    y\n  \"\"\") }"),
        (#"{ a(s: "\u00e9\u{1F600}\ud83d\ude00\/") }"#, #"{ a(s: "é😀😀/") }"#), (#"{ a(s: "") }"#, #"{ a(s: """""") }"#),
        (#"{ a(s: """ \""" """) }"#, #"{ a(s: " \"\"\" ") }"#),
        ("mutation { a @include(if: true) @x(b: 1, c: 2) { b } }", "mutation {a@include(if:true)@x(c:2 b:1){b}}"),
        ("{ ... on T { a } ... @skip(if: $x) { b } }", "{ ...@skip(if:$x){b} ... on T {a} }"),
        ("{ a: b(c: -1.5e+3, d: ENUM, e: null, f: true) }", "{a:b(f:true,e:null,d:ENUM,c:-1.5e+3)}"),
        ("subscription S { on }", "subscription S { on }"), (#""A query." query Q { a }"#, "query Q { a }"),
    ]

    @Test(arguments: equalDocuments)
    func documentsOfOneStructureAreEqual(left: String, right: String) throws {
        #expect(try Self.matches(left, right))
        #expect(try Self.matches(right, left))
    }

    private static let unequalDocuments: [(String, String)] = [
        ("{ a }", "{ b }"), ("{ a }", "{ a a }"), ("{ a }", "mutation { a }"), ("query A { a }", "query B { a }"),
        ("{ a }", "query A { a }"),
        ("{ a b }", "{ a { b } }"), ("{ x: a }", "{ a }"), ("{ a(x: 1) }", "{ a(x: 2) }"),
        ("{ a(x: 1) }", "{ a(x: \"1\") }"),
        ("{ a(x: [1, 2]) }", "{ a(x: [2, 1]) }"), ("{ a(x: \"E\") }", "{ a(x: E) }"), ("{ a @x @y }", "{ a @y @x }"),
        ("{ ...F }", "{ ... on F { a } }"), ("{ ab }", "{ a b }"), ("{ a(x: \"é\") }", "{ a(x: \"e\u{301}\") }"),
        ("query($a: Int) { a }", "query($a: Int!) { a }"), ("query($a: Int) { a }", "query($a: Int = 1) { a }"),
        ("{ a } fragment F on T { b }", "{ a } fragment F on U { b }"), ("{ a }", "{ a"), ("{ a }", "no query"),
        ("{ a }", ""),
        (#"{ a(x: "b,c") }"#, #"{ a(x: "b", c: "") }"#),
    ]

    @Test(arguments: unequalDocuments)
    func documentsOfDifferentStructureAreNotEqual(left: String, right: String) throws {
        #expect(try !Self.matches(left, right))
    }

    private static let invalidQueries: [(String, message: String)] = [
        ("", "line 1, column 1: expected query, mutation, subscription, fragment or \"{\", found the end of the text"),
        ("{ a", "line 1, column 4: expected a field, found the end of the text"),
        ("{\n  a(x 1)\n}", "line 2, column 7: expected \":\", found \"1\""),
        ("{ }", "line 1, column 3: expected a field or \"...\", found \"}\""),
        ("query { a(x: ) }", "line 1, column 14: expected a value, found \")\""),
        ("{ a() }", "line 1, column 5: expected an argument, found \")\""),
        ("type T { a: Int }", "expected query, mutation, subscription, fragment or \"{\", found \"type\""),
        ("query($a Int) { a }", "line 1, column 10: expected \":\", found \"Int\""),
        ("query($a: Int = $b) { a }", "expected a value without variables, found \"$\""),
        ("fragment on on T { a }", "found \"on\""),
        ("{ a(x: 01) }", "column 8: expected a number without leading zeros, found \"01\""),
        ("{ a(x: 1.) }", "expected a digit, found \")\""),
        ("{ a(x: 1x) }", "expected the end of the number, found \"x\""),
        ("{ a(x: \"b) }", "expected a string that ends with a quote"),
        ("{ a(x: \"\\q\") }", "line 1, column 9: expected an escape"),
        ("{ a(x: \"\\u{110000}\") }", "expected an escape"),
        ("{ a(x: \"\\ud800\") }", "expected an escape"), ("{ a(x: \"\"\"b) }", "expected a block string"),
        ("{ é }", "found \"é\""),
        ("{ a ? }", "column 5: expected a name, a value or a punctuator, found \"?\""), ("{ .. }", "found \".\""),
        ("{ a } }", "found \"}\""),
        (String(repeating: "{a", count: 200), "at most 128 levels of nesting"),
        ("{ a(x: \u{0}) }", "found the character U+0"),
    ]

    @Test(arguments: invalidQueries)
    func anInvalidQueryIsRefusedWithItsPlace(query: String, message: String) {
        let problem = #expect(throws: GraphQLMatcher.Problem.self) { try GraphQLMatcher(["query": .string(query)]) }
        #expect(problem?.pointer.description == "/query")
        #expect(problem?.message.hasPrefix("not a GraphQL document: line ") == true)
        #expect(problem?.message.contains(message) == true, "\(problem?.message ?? "")")
    }

    private static let requests: [(String, body: String, matches: Bool)] = [
        (#"{"operationName":"A"}"#, #"{"query":"{a}","operationName":"A"}"#, true),
        (#"{"operationName":"A"}"#, #"{"query":"{a}","operationName":"B"}"#, false),
        (#"{"operationName":"A"}"#, #"{"query":"{a}"}"#, false),
        (#"{"operationName":null}"#, #"{"query":"{a}"}"#, true),
        (#"{"operationName":null}"#, #"{"query":"{a}","operationName":"A"}"#, false),
        (#"{"variables":{"a":1}}"#, #"{"query":"{a}","variables":{"a":1.0}}"#, true),
        (#"{"variables":{"a":1}}"#, #"{"query":"{a}","variables":{"a":1,"b":2}}"#, false),
        (#"{"variables":{}}"#, #"{"query":"{a}"}"#, true),
        (#"{"variables":{}}"#, #"{"query":"{a}","variables":null}"#, true),
        (#"{"variables":{"id":"${json-unit.any-string}"}}"#, #"{"query":"{a}","variables":{"id":"x"}}"#, true),
        (
            #"{"query":"{a}","operationName":"A","variables":{"x":1}}"#,
            #"{"query":"{ a }","operationName":"A","variables":{"x":1}}"#, true
        ),
        (#"{"query":"{a}"}"#, #"{"query":1}"#, false), (#"{"query":"{a}"}"#, "[]", false),
        (#"{"operationName":null}"#, "{}", false),
    ]

    @Test(arguments: requests)
    func eachKeyRestrictsAndAnAbsentOneDoesNot(operand: String, body: String, matches: Bool) throws {
        let matcher = try GraphQLMatcher(JSONValue(parsing: operand))
        #expect(try matcher.matches(JSONValue(parsing: body)) == matches)
    }

    @Test(arguments: [
        ("{}", "", "an empty object"), ("[]", "", "an empty list"), (#"{"qery":"{a}"}"#, "/qery", "found \"qery\""),
        (#"{"query":1}"#, "/query", "the number 1"), (#"{"operationName":1}"#, "/operationName", "a text or null"),
        (#"{"variables":[]}"#, "/variables", "expected an object"),
        (#"{"variables":{"a":["${json-unit.regex}("]}}"#, "/variables/a/0", "regular expression"),
    ])
    func badOperandsAreRefusedWithTheirPlace(operand: String, pointer: String, message: String) throws {
        let operand = try JSONValue(parsing: operand)
        let problem = #expect(throws: GraphQLMatcher.Problem.self) { try GraphQLMatcher(operand) }
        #expect(problem?.pointer.description == pointer)
        #expect(problem?.message.contains(message) == true, "\(problem?.message ?? "")")
    }

    /// Parts of valid documents in any order: most are refused, none may crash the parser.
    @Test func noTextCrashesTheParser() throws {
        var generator = TestGenerator()
        let seed = generator.seed
        let pieces = [
            "{", "}", "(", ")", "[", "]", "...", "on", "a", "$", ":", "=", "!", "@", "|", "&", "query", "fragment",
            "\"", "\"\"\"", "\\", "\\u", "1",
            "-", ".", "e", "#", "\n", ",", "é", "\u{0}", "{", "}", "a", "a",
        ]
        let query = "query a ( $ a : a = 1 ) { a : a ( a : $ a ) @ a { ... on a { a } } }".split(separator: " ").map(
            String.init)
        var parsed = 0
        for _ in 0..<5_000 {
            // One half is of pieces alone, the other a query in which a few pieces take the place of others.
            var text = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                pieces.randomElement(using: &generator) ?? ""
            }
            if Bool.random(using: &generator) {
                let strays = text.prefix(Int.random(in: 0...3, using: &generator))
                text = query
                for stray in strays { text[Int.random(in: text.indices, using: &generator)] = stray }
            }
            let joined = text.joined(separator: Bool.random(using: &generator) ? " " : "")
            let operand: JSONValue = ["query": .string(joined)]
            if let matcher = try? GraphQLMatcher(operand) {
                parsed += 1
                #expect(matcher.matches(operand), "seed \(seed): \(joined)")
            }
        }
        #expect(parsed > 100, "seed \(seed)")
    }
}
