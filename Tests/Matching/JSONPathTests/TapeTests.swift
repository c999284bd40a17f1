import SDJSON
import SDJSONPath
import SDTestSupport
import Testing

/// A path finds the same on a tape as in the tree.
@Suite struct TapeTests {
    private static func check(
        _ path: JSONPath, _ document: JSONValue, _ name: String, _ location: SourceLocation = #_sourceLocation
    ) {
        guard let tape = JSONTape(document.compactBytes[...]) else {
            Issue.record("\(document.compactText) has no tape", sourceLocation: location)
            return
        }
        for missing in [JSONPath.MissingMembers.leftOut, .null] {
            let found = path.evaluate(.tape(tape), missing: missing)
            let expected = path.evaluate(document, missing: missing)
            #expect(found == expected, "\(path.text), \(missing), \(name)", sourceLocation: location)
        }
        let expected: JSONPath.Conclusion =
            switch path.evaluate(document) {
            case .notFound: .notFound
            case .failed(let reason): .failed(reason)
            case let evaluation: evaluation.isMatch ? .match : .noMatch
            }
        for source in [JSONDocument.tape(tape), .tree(document)] {
            #expect(path.conclusion(source) == expected, "\(path.text), \(name)", sourceLocation: location)
            #expect(
                path.absence(in: source) == path.absence(in: document), "\(path.text), \(name)",
                sourceLocation: location)
        }
    }

    @Test(.enabled(if: Conformance.isPresent("jsonpath"), "\(Conformance.absence)"))
    func answersTheComplianceSuiteAlike() {
        var count = 0
        for test in ComplianceSuite.cases {
            for dialect in [JSONPath.Dialect.wireMock, .rfc9535] {
                guard let path = try? JSONPath(test.selector, dialect: dialect) else { continue }
                Self.check(path, test.document, test.name)
                count += 1
            }
        }
        #expect(count > 500)
    }

    @Test func answersWireMocksRecordingsAlike() {
        var count = 0
        for test in Recording.cases {
            guard let path = try? JSONPath(test.expression),
                let document = LenientJSON.parse(Array(test.document.utf8)[...])
            else { continue }
            Self.check(path, document, test.key)
            count += 1
        }
        #expect(count > 500)
    }

    static let expressions = [
        "$", "$.a", "$.a.b", "$.a[0]", "$.b[-1].c", "$['a','b']", "$.a['b','c']", "$..a", "$..['a','b']", "$..[0]",
        "$..*",
        "$.*", "$.*.*", "$[1:3]", "$.a[::2]", "$.a[-2:]", "$[?(@.a)]", "$[?(@.a == 1)]", "$..[?(@.b > 0)]",
        "$..[?(@.a == $.a)]", "$.a[?(@ == 1 || @ == 'a')]", "$[?(@.a in ['a', 1])]", "$[?(@.b size 2)]",
        "$..[?(@ =~ /a|b/)]",
        "$[?(@.a empty true)]", "$[?(@['a','b'])]", "$.length()", "$.a.length()", "$..a.length()", "$.a.sum()",
        "$..b.sum()",
        "$.a.first()", "$.a.keys()", "$.keys()", "$.concat($.a, $.b)", "$.a.append(1)", "$[?(!(@.a))].b", "$.a.b.c.d",
        "$..[?(@.a)]..b", "$['d e']", "$['j\\\\k'].a", "$['']",
    ]

    @Test func answersRandomDocumentsAlike() throws {
        var generator = TestGenerator()
        for text in Self.expressions {
            let path = try JSONPath(text)
            for _ in 0..<150 {
                Self.check(path, PropertyTests.value(4, &generator), "seed \(generator.seed)")
            }
        }
    }

    @Test(arguments: BoundsTests.explosive, [JSONPath.Dialect.wireMock, .rfc9535])
    func givesUpOnExplosionsAlike(_ text: String, _ dialect: JSONPath.Dialect) throws {
        guard let path = try? JSONPath(text, dialect: dialect) else { return }
        let document = BoundsTests.nested(14)
        let tape = try #require(JSONTape(document.compactBytes[...]))
        #expect(path.conclusion(.tape(tape)) == path.conclusion(.tree(document)))
    }

    /// Elements of all kinds, and members that are equal, different, missing, or spelt in another way.
    @Test(
        arguments: ["1", "-1", "0", "1.0", "1e2", "12345678901234567890", "'a'", "'ä'", "'1'", "''", "null", "true"],
        ["==", "!=", "===", "<="])
    func comparesAMemberWithAConstantAlike(_ literal: String, _ comparison: String) throws {
        let text = #"""
            [{"id": 1}, {"id": 1.0}, {"id": 100}, {"id": -1}, {"id": 0}, {"id": -0}, {"id": 12345678901234567890}, {"id": "a"},
             {"id": "\u0061"}, {"i\u0064": 1}, {"id": "ä"}, {"id": "\u00e4"}, {"id": "1"}, {"id": ""}, {"id": null}, {"id": true},
             {"id": [1]}, {"id": {"id": 1}}, {}, {"x": 1}, {"x": {"id": 1}, "id": 1}, {"idx": 1, "id": "a", "i": 2}, [], [1],
             [{"id": 1}], 1, "a", "id", null, {"a": [{"id": 1}, {"id": "a"}], "id": 2}]
            """#
        for document in [text, #"{"id": 1, "list": \#(text)}"#] {
            let tape = try #require(JSONTape(Array(document.utf8)[...]))
            let list = document.hasPrefix("[") ? "$" : "$.list"
            for origin in [list, "$..", "\(list)[-1].a"] {
                for dialect in [JSONPath.Dialect.wireMock, .rfc9535] {
                    let expression = "\(origin)[?(@.id \(comparison) \(literal))]"
                    guard let path = try? JSONPath(expression, dialect: dialect) else { continue }
                    for missing in [JSONPath.MissingMembers.leftOut, .null] {
                        let found = path.evaluate(.tape(tape), missing: missing)
                        #expect(found == path.evaluate(tape.value, missing: missing), "\(expression), \(dialect)")
                    }
                }
            }
        }
    }

    /// Each name is searched among all members, which on a tape would take quadratic time.
    @Test func findsManyNamesOfALargeObjectAlike() throws {
        let document = JSONValue.object(JSONObject((0..<20_000).map { ("key\($0)", .number(JSONNumber($0))) }))
        let names = (19_000..<20_000).map { "'key\($0)'" }
        let path = try JSONPath("$[\(names.joined(separator: ","))]")
        Self.check(path, document, "1,000 names")
        let query = names.prefix(300).map { "$[\($0)] == 1" }.joined(separator: "||")
        Self.check(try JSONPath("$[?(\(query) || @.key3 == 3)]"), document, "300 comparisons")
    }

    /// Each level is compared as a whole and contains all those below.
    @Test func comparesEveryLevelOfADeepDocumentAlike() throws {
        let bytes = Array((String(repeating: "[[", count: 250) + "7" + String(repeating: "],1]", count: 250)).utf8)
        let tape = try #require(JSONTape(bytes[...]))
        for text in ["$..[?(@ == [7])]", "$..[?(@ contains 7)]", "$..[?(@.length() == 2)]"] {
            let path = try JSONPath(text)
            #expect(path.evaluate(.tape(tape)) == path.evaluate(tape.value), "\(text)")
        }
    }

    /// What passes by too many elements of a tape goes on with a tree, which has no such bound.
    @Test(arguments: ["$[0:1]", "$[0:1,0:1,0:1,0:1,0:1,0:1,0:1,0:1,0:1,0:1,0:1,0:1,0:1,0:1,0:1,0:1,0:1,0:1,0:1,0:1]"])
    func slicesOfALongListEnd(expression: String) throws {
        let document = JSONValue.array((0..<20_000).map { .number(JSONNumber($0)) })
        let path = try JSONPath(expression, dialect: .rfc9535)
        let tape = try #require(JSONTape(document.compactBytes[...]))
        let found = path.evaluate(document)
        #expect(found == .list(Array(repeating: 0, count: expression.split(separator: ",").count)))
        #expect(path.evaluate(.tape(tape)) == found)
    }
}
