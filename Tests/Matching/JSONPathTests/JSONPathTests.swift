import SDJSON
import SDJSONPath
import Testing

@Suite struct JSONPathTests {
    static let shop: JSONValue = [
        "name": "corner", "open": true, "owner": .null,
        "items": [
            ["sku": "a1", "price": 5, "tags": ["new", "hot"]], ["sku": "b2", "price": 7.5, "tags": []],
            ["sku": "c3", "price": 5.0],
        ],
    ]

    static let definite: [(String, Bool)] = [
        ("$", true), ("$.a.b", true), ("$['a'][0][-1]", true), ("a.b", true), ("$.a['b','c']", true), ("$.a.*", false),
        ("$..a", false), ("$.a[0,1]", false), ("$.a[0:1]", false), ("$.a[?(@.b)]", false), ("$['a','b'].c", false),
        ("$.a.length()", true), ("$.a[*].length()", false), ("$..a.length()", true), ("$['a','b'].length()", false),
    ]

    @Test(arguments: definite)
    func tellsDefiniteFromIndefinitePaths(_ text: String, _ isDefinite: Bool) throws {
        #expect(try JSONPath(text).isDefinite == isDefinite)
    }

    static let evaluations: [(String, JSONPath.Evaluation)] = [
        ("$.name", .value("corner")), ("$.owner", .value(.null)), ("$.nothing", .notFound), ("$.name.x", .notFound),
        ("$.items[1].price", .value(7.5)), ("$.items[-1].sku", .value("c3")), ("$.items[3]", .notFound),
        ("$.items[*].sku", .list(["a1", "b2", "c3"])), ("$.items[*].nothing", .list([])),
        ("$..price", .list([5, 7.5, 5.0])), ("$.items[?(@.price == 5)].sku", .list(["a1", "c3"])),
        ("$.items[?(@.tags contains 'hot')].sku", .list(["a1"])), ("$.items.length()", .value(3)),
        ("$.items[0]['price','sku']", .value(["price": 5, "sku": "a1"])),
        ("$.sum($..price)", .value(17.5)), ("$.items[?count(@.tags[*]) > 1].sku", .list(["a1"])),
        ("$.items[?search(@.sku, '[23]')].sku", .list(["b2", "c3"])), ("$.nothing[*]", .notFound),
        ("$.name.max()", .failed("Aggregation function attempted to calculate value using empty array")),
        ("$.items.nonsense()", .failed("Function with name: nonsense does not exist.")),
    ]

    @Test(arguments: evaluations)
    func findsTheExpectedValues(_ text: String, _ evaluation: JSONPath.Evaluation) throws {
        #expect(try JSONPath(text).evaluate(Self.shop) == evaluation)
    }

    static let problems: [(String, JSONPath.Dialect, String)] = [
        ("", .wireMock, "expected `$`, found an empty text at character 1 of the JSONPath expression ``"),
        ("a", .rfc9535, "expected `$`, found `a` at character 1 of the JSONPath expression `a`"),
        ("$.", .wireMock, "expected a name, `*` or `[`, found the end at character 3 of the JSONPath expression `$.`"),
        (
            "$.'a'", .wireMock,
            "expected a name without quotes, or one in brackets: ['name'], found `'` at character 3 of the JSONPath "
                + "expression `$.'a'`"
        ),
        (
            "$.a[b]", .wireMock,
            "expected a name in quotes, a number, a slice, `*` or `?`, found `b` at character 5 of the JSONPath "
                + "expression `$.a[b]`"
        ),
        ("$.a[0", .wireMock, "expected `,` or `]`, found the end at character 6 of the JSONPath expression `$.a[0`"),
        (
            "$['a", .wireMock,
            "expected a string that ends with `'`, found one without end at character 3 of the JSONPath expression `$['a`"
        ),
        (
            "$[?(@.a = 1)]", .wireMock,
            "expected an operator (== != <= >= < > === !== =~ in nin subsetof anyof noneof all size empty contains), "
                + "found `=` at character 9 of the JSONPath expression `$[?(@.a = 1)]`"
        ),
        (
            "$[?(@.a =~ /(/)]", .wireMock,
            "expected a regular expression, found an invalid one (Unclosed group; write `\\(` for a parenthesis) at "
                + "character 13 of the JSONPath expression `$[?(@.a =~ /(/)]`"
        ),
        (
            "$[?lenght(@.a) > 1]", .wireMock,
            "expected a value or a function (length() count() match() search() value()), found `lenght` at character 4 "
                + "of the JSONPath expression `$[?lenght(@.a) > 1]`"
        ),
        (
            "$[?(@.a)\n", .wireMock,
            "expected `,` or `]`, found the end at character 10 of the JSONPath expression `$[?(@.a) `"
        ),
        (
            "$[01]", .rfc9535,
            "expected a number without leading zeros, found `01` at character 3 of the JSONPath expression `$[01]`"
        ),
    ]

    @Test(arguments: problems)
    func errorsNameTheMistake(_ text: String, _ dialect: JSONPath.Dialect, _ description: String) {
        let problem = #expect(throws: JSONPathProblem.self) { try JSONPath(text, dialect: dialect) }
        #expect(problem?.description == description)
    }

    static let candidates: [(String, [String?]?)] = [
        ("$.name", ["corner"]), ("$.open", ["true"]), ("$.owner", nil), ("$.nothing", nil), ("$.items[9]", nil),
        ("$.items[2].price", ["5.0"]), ("$.items[1].tags", nil), ("$.items[0].tags", ["new", "hot"]),
        ("$.items[*].price", ["5", "7.5", "5.0"]), ("$..nothing", nil), ("$.items.nonsense()", []),
        ("$.items[2]", ["{\n  \"sku\" : \"c3\",\n  \"price\" : 5.0\n}"]),
        ("$['name','owner']", ["{\n  \"name\" : \"corner\"\n}"]),
        ("$.items[1:]", ["{sku=b2, price=7.5, tags=[]}", "{sku=c3, price=5.0}"]), ("$['owner','open'].*", nil),
        (
            "$.*",
            [
                "corner", "true", nil,
                "[{\"sku\":\"a1\",\"price\":5,\"tags\":[\"new\",\"hot\"]},{\"sku\":\"b2\",\"price\":7.5,\"tags\":[]},{\"sku\":\"c3\",\"price\":5.0}]",
            ]
        ),
    ]

    @Test(arguments: candidates)
    func subMatchersGetTheSameTextsAsInWireMock(_ text: String, _ texts: [String?]?) throws {
        #expect(try JSONPath(text).candidates(in: Self.shop)?.map(\.text) == texts)
    }

    @Test func aBodyThatIsNullNeverMatches() throws {
        let path = try JSONPath("$")
        #expect(!path.matches(.null))
        #expect(path.candidates(in: .null) == [])
        #expect(path.wholeValue(in: .null) == nil)
    }

    @Test func equalToJsonGetsTheWholeList() throws {
        #expect(try JSONPath("$.items[*].sku").wholeValue(in: Self.shop) == ["a1", "b2", "c3"])
        #expect(try JSONPath("$.items[1].tags").wholeValue(in: Self.shop) == [])
        #expect(try JSONPath("$.items[7].tags").wholeValue(in: Self.shop) == nil)
    }

    static let numbers: [(String, String)] = [
        ("1", "1"), ("-0", "0"), ("-0.0", "-0.0"), ("1.0", "1.0"), ("1.50", "1.5"), ("1e3", "1000.0"),
        ("1e-3", "0.001"),
        ("1e-4", "1.0E-4"), ("9999999.5", "9999999.5"), ("1e7", "1.0E7"), ("12345678.5", "1.23456785E7"),
        ("-1.25e-9", "-1.25E-9"), ("1e400", "Infinity"), ("-1e400", "-Infinity"), ("1e-400", "0.0"),
        ("12345678901234567890", "12345678901234567890"), ("0.1234567890123456789", "0.1234567890123456789"),
    ]

    @Test(arguments: numbers)
    func printsNumbersAsJavaDoes(_ number: String, _ text: String) throws {
        let document = try JSONValue(parsing: number)
        #expect(try JSONPath("$").candidates(in: document)?.map(\.text) == [text])
    }

    @Test func comparesWholeNumbersExactly() throws {
        let document: JSONValue = try JSONValue(
            parsing: "[9007199254740993, 12345678901234567890, -12345678901234567891]")
        #expect(try JSONPath("$[?@ == 9007199254740992]").evaluate(document) == .list([]))
        #expect(try JSONPath("$[?@ > 12345678901234567889]").evaluate(document) == .list([document[1] ?? .null]))
        #expect(try JSONPath("$[?@ < -12345678901234567890]").evaluate(document) == .list([document[2] ?? .null]))
    }
}
