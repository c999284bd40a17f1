import SDJSON
import SDJSONPath
import SDPlatform
import SDTestSupport
import Testing

/// No expression and no document occupies a thread for long or exhausts its stack.
@Suite struct BoundsTests {
    static func nested(_ depth: Int) -> JSONValue {
        var value: JSONValue = 1
        for _ in 0..<depth { value = ["a": value, "b": [value]] }
        return value
    }

    static let explosive = [
        "$..*..*..*..*", "$..*..*..*..*.sum()", "$..[?(@..*)]..[?(@..*)]", "$..[0,0,0,0]..[0,0,0,0]..*",
    ]

    @Test(arguments: explosive, [JSONPath.Dialect.wireMock, .rfc9535])
    func givesUpOnExplosions(_ text: String, _ dialect: JSONPath.Dialect) throws {
        // RFC 9535 has no functions at the end of a path.
        if dialect == .rfc9535, text.hasSuffix(".sum()") {
            #expect(throws: JSONPathProblem.self) { try JSONPath(text, dialect: dialect) }
            return
        }
        let path = try JSONPath(text, dialect: dialect)
        let budget = WorkBudget(limit: 5_000_000)
        let evaluation = path.evaluate(Self.nested(18), budget)
        guard case .failed = evaluation else {
            Issue.record("\(text) was evaluated")
            return
        }
        #expect(budget.exhaustion?.work == WorkBudget.Work("JSONPath", text))
        #expect(!evaluation.isMatch)
        #expect(evaluation.candidates(.unlimited) == [])
    }

    @Test func evaluatesARootQueryInsideOfAFilterOnce() throws {
        let elements = (0..<3_000).map { JSONValue.number(JSONNumber($0)) }
        let document: JSONValue = ["list": .array(elements), "wanted": 2_999]
        #expect(try JSONPath("$.list[?(@ == $.wanted && $.list[*])]").evaluate(document) == .list([2_999]))
        let path = try JSONPath("$.list[?@ == value($..wanted)]")
        #expect(path.evaluate(document) == .list([2_999]))
    }

    @Test func refusesDeepNesting() {
        for text in [
            String(repeating: "$[?(@", count: 1_000), "$[?" + String(repeating: "(", count: 5_000),
            "$[?" + String(repeating: "!(", count: 5_000), "$[?" + String(repeating: "!", count: 5_000) + "@]",
            "$.f(" + String(repeating: "$.f(", count: 3_000), String(repeating: "$..a", count: 20_000),
        ] {
            #expect(throws: JSONPathProblem.self) { try JSONPath(text) }
            #expect(throws: JSONPathProblem.self) { try JSONPath(text, dialect: .rfc9535) }
        }
    }

    @Test func followsPathsOfTheGreatestLength() throws {
        let path = try JSONPath("$" + String(repeating: "..*", count: 5_000))
        #expect(path.evaluate([1]) == .list([]))
        let deep = try JSONPath("$" + String(repeating: "[0]", count: 400))
        let document = try JSONValue(
            parsing: String(repeating: "[", count: 400) + "7" + String(repeating: "]", count: 400))
        #expect(deep.evaluate(document) == .value(7))
    }

    @Test func givesUpOnRegularExpressionsThatBacktrack() throws {
        let subject = JSONValue.string(String(repeating: "a", count: 40) + "!")
        let evaluation = try JSONPath("$[?(@ =~ /(a+)+$/)]").evaluate(.array(Array(repeating: subject, count: 10_000)))
        guard case .failed(let reason) = evaluation else {
            Issue.record("found \(evaluation)")
            return
        }
        #expect(reason.contains("(a+)+$"))
    }

    static let quadratic = [
        "$.list[?(@ in $.list)]", "$.list[?(@ in $.numbers)]", "$.list[?($.long == $.alike)]",
        "$.list[?length($.long) == 1]", "$.list[?($.list == $.copy)]", "$.list[?(@.concat($.list) == 'x')]",
        "$.list[?($.list anyof $.numbers)]", "$.list[?($.long =~ /b/)]", "$.list[?search($.long, 'b')]",
    ]

    static let lists: JSONValue = {
        let list = (0..<3_000).map { JSONValue.string("\($0 + 100_000)") }
        let long = String(repeating: "a", count: 60_000)
        return [
            "list": .array(list), "copy": .array(list), "numbers": .array((0..<3_000).map { .number(JSONNumber($0)) }),
            "long": .string(long), "alike": .string(long.dropLast() + "b"),
        ]
    }()

    /// Comparing everything with everything counts as visits, so it ends.
    @Test(arguments: quadratic)
    func givesUpOnQuadraticExpressions(_ text: String) throws {
        let budget = WorkBudget(limit: 1_000_000)
        #expect(try JSONPath(text).evaluate(Self.lists, budget) == .failed("its budget of work is spent"))
        // Of a search it is whichever took longer: what is searched, or the search.
        let works = [WorkBudget.Work("JSONPath", text), WorkBudget.Work("regular expression", "b")]
        #expect(works.contains { $0 == budget.exhaustion?.work })
    }

    /// What looks quadratic and is not, as lengths or types settle it, is answered.
    @Test(arguments: [
        ("$.list[?(@ contains $.long)]", JSONPath.Evaluation.list([])), ("$.list[?($.long size 1)]", .list([])),
        ("$.list[?(@ == $.long)]", .list([])), ("$.list[?(@.append($.list) == 1)]", .list([])),
        (
            "$.list[?(@.sum($.list) > 1)]",
            .failed("Aggregation function attempted to calculate value using empty array")
        ),
    ])
    func answersWhatIsSettledWithoutALoop(_ text: String, _ expected: JSONPath.Evaluation) throws {
        #expect(try JSONPath(text).evaluate(Self.lists) == expected)
    }

    @Test func searchesTextsInLinearTime() throws {
        let text = String(repeating: "a", count: 400_000)
        let document: JSONValue = ["list": [.string(text)], "sought": .string(String(text.dropLast(200_000)) + "b")]
        #expect(try JSONPath("$.list[?(@ contains $.sought)]").evaluate(document) == .list([]))
        #expect(try JSONPath("$.list[?(@ contains 'aaa')]").evaluate(document) == .list([.string(text)]))
    }

    /// Random texts made of the parts of expressions.
    @Test func survivesAnyExpression() throws {
        let pieces = [
            "$", "@", ".", "..", "*", "[", "]", "(", ")", "?", "!", "'", "\"", ",", ":", "-", "0", "1", "99", "a", "b",
            "é", " ",
            "\\", "\\u00", "\\ud83d", "/", "==", "!=", "<", "=~", "&&", "||", " in ", " nin ", " contains ", " size ",
            " empty ", "true", "null", "length", "count(", "match(", "value(", ".length()", ".sum()", ".index(-1)",
            ".concat(", "{", "}", "[1,2]", "1e5", "\n", "\u{0}", "/a+/i", "[?(@.a", "[?@", "['a']", "[0]", "[1:]",
            "$..*",
        ]
        var generator = TestGenerator()
        var accepted = 0
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 1...9, using: &generator)).map { _ in
                pieces.randomElement(using: &generator) ?? ""
            }.joined()
            for dialect in [JSONPath.Dialect.wireMock, .rfc9535] {
                do throws(JSONPathProblem) {
                    let path = try JSONPath(text, dialect: dialect)
                    accepted += 1
                    _ = path.isDefinite
                    for document in [JSONPathTests.shop, Self.nested(4), [1, "a", .null, ["b": [2]]], "a", .null] {
                        _ = path.evaluate(document)
                        _ = path.evaluate(document, missing: .null)
                        _ = path.candidates(in: document)
                        _ = path.matches(document)
                    }
                } catch {
                    #expect((0...text.unicodeScalars.count).contains(error.offset), "\(text), seed \(generator.seed)")
                    #expect(!error.description.contains("\n"), "\(text), seed \(generator.seed)")
                }
            }
        }
        #expect(accepted > 500, "seed \(generator.seed)")
    }
}
