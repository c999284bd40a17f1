import SDJSON
import SDStubModel
import StuntDoubleClient
import Testing

@Suite struct MatcherLanguageTests {
    private struct Order: Encodable {
        var item = "book"
        var count = 2
    }

    private struct Unencodable: Encodable {
        func encode(to encoder: any Encoder) throws {
            throw EncodingError.invalidValue(1, EncodingError.Context(codingPath: [], debugDescription: "no way"))
        }
    }

    static let texts: [MatcherCase] = [
        MatcherCase("x", ["equalTo": "x"]),
        MatcherCase(2, ["equalTo": "2"]),
        MatcherCase(.equal("x"), ["equalTo": "x"]),
        MatcherCase(.equal("x", ignoringCase: true), ["equalTo": "x", "caseInsensitive": true]),
        MatcherCase(.data([1, 2, 3]), ["binaryEqualTo": "AQID"]),
        MatcherCase(.absent, ["absent": true]),
        MatcherCase(.anything, ["anything": "anything"]),
        MatcherCase(.present, ["matches": ".*"]),
        MatcherCase(.number(5), ["equalToNumber": 5]),
    ]

    static let combinations: [MatcherCase] = [
        MatcherCase(.all("a", .contains("b")), ["and": [["equalTo": "a"], ["contains": "b"]]]),
        MatcherCase(.either("a", .absent), ["or": [["equalTo": "a"], ["absent": true]]]),
        MatcherCase(.not(.contains("b")), ["not": ["contains": "b"]]),
        MatcherCase(.includes("a", .startsWith("b")), ["includes": [["equalTo": "a"], ["startsWith": "b"]]]),
        MatcherCase(.hasExactly("a", "b"), ["hasExactly": [["equalTo": "a"], ["equalTo": "b"]]]),
        MatcherCase(.count(2), ["count": 2]),
        MatcherCase(.count(1...3), ["count": ["atLeast": 1, "atMost": 3]]),
        MatcherCase(.count(2...), ["count": ["atLeast": 2]]),
        MatcherCase(.count(..<3), ["count": ["atLeast": 0, "atMost": 2]]),
    ]

    static let documents: [MatcherCase] = [
        MatcherCase(.json(Order()), ["equalToJson": ["count": 2, "item": "book"]]),
        MatcherCase(
            .json(["b": 1, "a": [.encoding(Order()), "y"]]),
            ["equalToJson": ["b": 1, "a": [["count": 2, "item": "book"], "y"]]]),
        MatcherCase(.json("text"), ["equalToJson": "\"text\""]),
        MatcherCase(.json(.null), ["equalToJson": "null"]),
        MatcherCase(
            .json(raw: "[1]", ignoringOrder: true, ignoringExtra: true, nullsAreMissing: true),
            [
                "equalToJson": "[1]", "ignoreArrayOrder": true, "ignoreExtraElements": true,
                "nullsEqualMissing": true,
            ]),
        MatcherCase(.jsonPath("$.items"), ["matchesJsonPath": "$.items"]),
        MatcherCase(
            .jsonPath("$.count", .greaterThan(5)),
            ["matchesJsonPath": ["expression": "$.count", "greaterThanNumber": 5]]),
        MatcherCase(
            .schema(["required": ["item"]], draft: .draft7),
            ["matchesJsonSchema": ["required": ["item"]], "schemaVersion": "V7"]),
        MatcherCase(.schema(raw: "{}"), ["matchesJsonSchema": "{}"]),
        MatcherCase(
            .graphQL("{ user { name } }", operation: "GetUser", variables: ["id": 1]),
            [
                "matchesGraphql": [
                    "operationName": "GetUser", "query": "{ user { name } }", "variables": ["id": 1],
                ]
            ]),
        MatcherCase(
            .jwt(claims: ["sub": "ada", "scope": .matcher(.contains("admin"))], header: ["alg": "RS256"]),
            [
                "matchesJwt": [
                    "claims": ["sub": "ada", "scope": ["contains": "admin"]], "header": ["alg": "RS256"],
                ]
            ]),
        MatcherCase(.xml("<a/>"), ["equalToXml": "<a/>"]),
        MatcherCase(
            .xml(
                "<a/>", placeholders: .between("<<", ">>"), ignoringOrder: true,
                exempting: ["NAMESPACE_URI", "TEXT_VALUE"], namespaces: .strict),
            [
                "equalToXml": "<a/>", "enablePlaceholders": true, "placeholderOpeningDelimiterRegex": "<<",
                "placeholderClosingDelimiterRegex": ">>", "exemptedComparisons": ["NAMESPACE_URI", "TEXT_VALUE"],
                "ignoreOrderOfSameNode": true, "namespaceAwareness": "STRICT",
            ]),
        MatcherCase(.xml("<a/>", placeholders: .standard), ["equalToXml": "<a/>", "enablePlaceholders": true]),
        MatcherCase(.xPath("//a"), ["matchesXPath": "//a"]),
        MatcherCase(
            .xPath("//s:a/text()", "1", namespaces: ["s": "urn:shop"]),
            [
                "matchesXPath": ["expression": "//s:a/text()", "equalTo": "1"],
                "xPathNamespaces": ["s": "urn:shop"],
            ]),
    ]

    static let dates: [MatcherCase] = [
        MatcherCase(.before("2026-03-01"), ["before": "2026-03-01"]),
        MatcherCase(.after("now +3 days"), ["after": "now +3 days"]),
        MatcherCase(
            .date(
                "now -1 months", format: "dd/MM/yyyy", truncating: "first day of month", last: true,
                truncatingActual: "first hour of day"),
            [
                "equalToDateTime": "now -1 months", "actualFormat": "dd/MM/yyyy",
                "truncateExpected": "first day of month", "truncateActual": "first hour of day",
                "applyTruncationLast": true,
            ]),
    ]

    static let all = PrintedCases.matchers + texts + combinations + documents + dates

    @Test(arguments: all) func aTypedMatcherIsTheDialectsOwn(_ example: MatcherCase) throws {
        #expect(example.value.model.json.members == example.json.objectValue?.members)
        // What the daemon reads is the same matcher.
        let request = Stub.Request.any.header("X", example.value)
        let body = Stub.Request.any.body(example.value)
        let read = [request, body].compactMap { try? SDStubModel.RequestPattern(json: $0.json) }
        #expect(read.contains { $0 == request.model || $0 == body.model })
    }

    @Test(arguments: SDStubModel.ValueMatcher.Operator.allCases) func everyOperatorHasATypedForm(
        _ operator: SDStubModel.ValueMatcher.Operator
    ) {
        #expect(Self.all.contains { $0.value.model.operator == `operator` })
    }

    @Test(arguments: SDStubModel.ValueMatcher.Operator.allCases) func everyOptionHasATypedForm(
        _ operator: SDStubModel.ValueMatcher.Operator
    ) {
        // The three matchers of dates are made by one function.
        let dates: [SDStubModel.ValueMatcher.Operator] = [.before, .after, .equalToDateTime]
        let family = dates.contains(`operator`) ? dates : [`operator`]
        let used = Self.all.filter { family.contains($0.value.model.operator) }.flatMap { $0.value.model.json.keys }
        // A distance stands in the date's own text.
        let offset = ["expectedOffset", "expectedOffsetUnit"]
        #expect(Set(`operator`.options).subtracting(used + offset) == [])
    }

    @Test func bothConditionsOfANameMustHold() {
        let request = Stub.Request.any.query("tag", "a").query("tag", .contains("b")).query("tag", "c")
        #expect(
            request.json["queryParameters"] == [
                "tag": ["includes": [["equalTo": "a"], ["contains": "b"], ["equalTo": "c"]]]
            ])
        let header = Stub.Request.any.header("X-A", .present).header("x-a", .doesNotContain("b"))
        #expect(header.json["headers"] == ["X-A": ["and": [["matches": ".*"], ["doesNotContain": "b"]]]])
        let list = Stub.Request.get("/a?tag=x&tag=y").query("tag", .doesNotContain("z"))
        #expect(
            list.json["queryParameters"] == [
                "tag": ["includes": [["equalTo": "x"], ["equalTo": "y"], ["doesNotContain": "z"]]]
            ])
        let cookie = Stub.Request.any.cookie("a", .contains("1")).cookie("A", "2").cookie("a", .contains("3"))
        #expect(
            cookie.json["cookies"] == [
                "a": ["and": [["contains": "1"], ["contains": "3"]]], "A": ["equalTo": "2"],
            ])
    }

    @Test func conditionsThatCannotBothBeSaidAreRefused() {
        let request = Stub.Request.any.query("tag", .count(2)).query("tag", "x")
        let problems = #expect(throws: ModelProblems.self) { try SDStubModel.RequestPattern(json: request.json) }
        #expect(problems?.description.contains("\"count\" cannot be used here") == true)
    }

    @Test func aValueThatCannotBeEncodedIsRefusedWithItsReason() throws {
        for matcher in [Stub.Match.json(Unencodable()), .not(.json(["a": [1, .encoding(Unencodable())]]))] {
            let problem = #expect(throws: Stub.Problem.self) { try Stub.Request.any.body(matcher).checked() }
            #expect(problem?.description.hasPrefix("cannot encode Unencodable as JSON") == true)
            #expect(problem?.description.contains("no way") == true)
        }
    }
}
