import JSON
import MockEngine
import StubModel
import Testing

/// What is odd about a stub by itself.
@Suite struct StubLintTests {
    private func findings(_ request: String) throws -> [StubFinding] {
        try LintedFile(request: request).session.findings()
    }

    @Test(arguments: [
        (#"{"urlPattern": "/thing?x=1"}"#, "unescaped-question-mark /request/urlPattern"),
        (#"{"urlPathPattern": "/thing?x=1"}"#, "unescaped-question-mark /request/urlPathPattern"),
        (#"{"urlPathPattern": "/thing\\?x=1"}"#, "query-in-path /request/urlPathPattern"),
        (#"{"urlPath": "/thing?x=1"}"#, "query-in-path /request/urlPath"),
        (#"{"urlPathTemplate": "/{a}?x={b}"}"#, "query-in-path /request/urlPathTemplate"),
        (#"{"customMatcher": {"name": "grapqhl-body-matcher"}}"#, "unknown-custom-matcher /request/customMatcher/name"),
        (
            #"{"bodyPatterns": [{"matchesJsonSchema": {"pattern": "("}}]}"#,
            "invalid-json-schema /request/bodyPatterns/0/matchesJsonSchema/pattern"
        ),
        (
            #"{"bodyPatterns": [{"matchesJsonSchema": "{\"pattern\": \"(\"}"}]}"#,
            "invalid-json-schema /request/bodyPatterns/0/matchesJsonSchema"
        ),
        (
            ##"{"bodyPatterns": [{"matchesJsonSchema": {"$ref": "#/nowhere"}}]}"##,
            "json-schema-problem /request/bodyPatterns/0/matchesJsonSchema/$ref"
        ),
        (
            #"{"bodyPatterns": [{"matchesXPath": "//["}]}"#,
            "invalid-xpath /request/bodyPatterns/0/matchesXPath"
        ),
        (
            #"{"bodyPatterns": [{"matchesXPath": {"expression": "//[", "equalTo": "a"}}]}"#,
            "invalid-xpath /request/bodyPatterns/0/matchesXPath/expression"
        ),
        (
            #"{"headers": {"D": {"before": "12 of May"}}}"#,
            "unreadable-date /request/headers/D/before"
        ),
        (
            #"{"bodyPatterns": [{"matchesJsonPath": {"expression": "$.d", "not": {"after": "12 of May"}}}]}"#,
            "unreadable-date /request/bodyPatterns/0/matchesJsonPath/not/after"
        ),
        (
            #"{"bodyPatterns": [{"equalToJson": {"a": ["${json-unit.any-nmber}"]}}]}"#,
            "equal-to-json-remark /request/bodyPatterns/0/equalToJson/a/0"
        ),
        (
            #"{"headers": {"A": {"and": [{"contains": "x"}, {"absent": true}]}}}"#,
            "contradiction /request/headers/A/and/1"
        ),
        (
            #"{"headers": {"A": {"and": [{"equalTo": "x"}, {"equalTo": "y"}]}}}"#,
            "contradiction /request/headers/A/and/1"
        ),
        (
            #"{"bodyPatterns": [{"absent": true}, {"matchesJsonPath": "$.a"}]}"#,
            "contradiction /request/bodyPatterns/1"
        ),
        (
            #"{"multipartPatterns": [{"bodyPatterns": [{"matchesXPath": "//["}]}]}"#,
            "invalid-xpath /request/multipartPatterns/0/bodyPatterns/0/matchesXPath"
        ),
        (
            #"{"headers": {"A": {"includes": [{"before": "12 of May"}]}}}"#,
            "unreadable-date /request/headers/A/includes/0/before"
        ),
    ]) func aStubThatCanHardlyBeMeantIsReported(_ request: String, _ expected: String) throws {
        #expect(try findings(request).map(\.summary) == [expected])
    }

    @Test(arguments: [
        "{}", #"{"url": "/thing?x=1"}"#, #"{"urlPattern": "/thing\\?x=1"}"#, #"{"urlPathPattern": "/things?/?"}"#,
        #"{"urlPathTemplate": "/{a?}/b"}"#,
        #"{"customMatcher": {"name": "graphql-body-matcher", "parameters": {"query": "{a}"}}}"#,
        #"{"bodyPatterns": [{"matchesJsonSchema": {"type": "object", "required": ["a"]}}]}"#,
        #"{"bodyPatterns": [{"matchesXPath": "//a[@b='c']"}]}"#,
        #"{"headers": {"D": {"before": "now +3 days"}, "E": {"after": "2026-03-01T10:00:00Z"}}}"#,
        #"{"headers": {"D": {"equalToDateTime": "2026-03-01"}}}"#,
        #"{"bodyPatterns": [{"equalToJson": {"a": "${json-unit.any-number}"}}]}"#,
        #"{"headers": {"A": {"or": [{"contains": "x"}, {"absent": true}]}}}"#,
        #"{"headers": {"A": {"and": [{"doesNotContain": "x"}, {"absent": true}]}}}"#,
        #"{"headers": {"A": {"and": [{"equalTo": "x", "caseInsensitive": true}, {"equalTo": "X"}]}}}"#,
        #"{"bodyPatterns": [{"equalTo": "a"}, {"equalTo": "a"}]}"#,
        #"{"headers": {"A": {"includes": [{"equalTo": "x"}, {"equalTo": "y"}]}}}"#,
        #"{"bodyPatterns": [{"absent": true}, {"binaryEqualTo": ""}]}"#,
    ]) func aStubThatCanBeMeantIsNot(_ request: String) throws {
        #expect(try findings(request).map(\.summary) == [])
    }

    @Test func theCorrectedExpressionIsSuggested() throws {
        #expect(try findings(#"{"urlPattern": "/thing?x=1"}"#).first?.suggestion == "/thing\\?x=1")
        let custom = try findings(#"{"customMatcher": {"name": "grapqhl-body-matcher"}}"#)
        #expect(custom.first?.suggestion == "graphql-body-matcher")
    }

    @Test func whatMatchesNothingIsToldAtTheStart() throws {
        var stub = StubMapping()
        let session = Session()
        #expect(session.prepare([stub]).startProblems.isEmpty)
        stub.request.customMatcher = CustomMatcher(name: "nobody")
        stub.request.bodyPatterns = [
            ValueMatcher(.not, operand: ["matchesJsonSchema": ["pattern": "("]]), ValueMatcher(.matchesXPath, "//["),
        ]
        let problems = session.prepare([StubMapping(), stub]).startProblems
        #expect(problems.map(\.stub) == [1, 1])
        #expect(
            problems.map(\.problem.pointer.text) == [
                "/request/customMatcher/name", "/request/bodyPatterns/0/not/matchesJsonSchema/pattern",
            ])
    }

    @Test func whatIsWrongInASchemaThatIsATextIsPlacedInTheText() throws {
        let schema = #"{"properties": {"a": {"pattern": "("}}}"#
        let found = try findings(
            #"{"bodyPatterns": [{"matchesJsonSchema": \#(JSONValue.string(schema).compactText)}]}"#)
        let message = try #require(found.first?.message)
        #expect(message.hasPrefix("no valid JSON Schema, so this never matches at /properties/a/pattern: "))
    }

    @Test func everyOddPartOfEverySchemaIsReported() throws {
        let found = try findings(
            ##"""
            {"multipartPatterns": [{"bodyPatterns": [
                {"and": [
                    {"matchesJsonSchema": {"anyOf": [{"$ref": "#/a"}, {"$ref": "#/b"}]}},
                    {"matchesJsonSchema": {"pattern": "("}}]}]}]}
            """##)
        let place = "/request/multipartPatterns/0/bodyPatterns/0/and"
        #expect(
            found.map(\.summary).sorted() == [
                "invalid-json-schema \(place)/1/matchesJsonSchema/pattern",
                "json-schema-problem \(place)/0/matchesJsonSchema/anyOf/0/$ref",
                "json-schema-problem \(place)/0/matchesJsonSchema/anyOf/1/$ref",
            ])
    }
}
