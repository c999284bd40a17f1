import SDJSON
import SDStubModel
import Testing

@testable import SDLinting

/// Texts in a wanted JSON that other tools take for any value.
@Suite struct ForeignPlaceholderTests {
    private func findings(_ operand: String) throws -> [LintFinding] {
        StubLint.findings(
            in: try StubMapping(
                json: JSONValue(parsing: #"{"request": {"bodyPatterns": [{"equalToJson": \#(operand)}]}}"#)))
    }

    @Test(
        arguments: [
            (#"{"a": "*"}"#, "/a", "${json-unit.ignore}"), (#"{"a": [1, "*"]}"#, "/a/1", "${json-unit.ignore}"),
            (#"{"a": "{any}"}"#, "/a", "${json-unit.ignore}"),
            (##"{"a": "#string"}"##, "/a", "${json-unit.any-string}"),
            (#"{"a": "<number>"}"#, "/a", "${json-unit.any-number}"),
            (#"{"a": "{{any}}"}"#, "/a", "${json-unit.ignore}"),
            (#"{"a": "{{request.path.id}}"}"#, "/a", "${json-unit.ignore}"),
            (#"{"a": ".*"}"#, "/a", "${json-unit.regex}.*"),
            (#"{"a": {"b": "^[a-z]$"}}"#, "/a/b", "${json-unit.regex}^[a-z]$"),
            (#"{"a": "\\d+"}"#, "/a", #"${json-unit.regex}\d+"#), (#"{"a": {"matches": "[a-z]+"}}"#, "/a", nil),
            (#"{"a": {"b": {"contains": "x"}}}"#, "/a/b", nil), (#"{"a": {"absent": true}}"#, "/a", nil),
        ] as [(String, String, String?)])
    func whatOtherToolsTakeForAnyValueIsReported(document: String, place: String, suggestion: String?) throws {
        let found = try findings(document)
        #expect(found.map(\.code) == [.jsonRemark])
        #expect(found.map(\.suggestion) == [suggestion])
        #expect(found.map(\.pointer.text) == ["/request/bodyPatterns/0/equalToJson" + place])
    }

    @Test func theMessageNamesThePlaceholder() throws {
        let found = try findings(#"{"a": "*"}"#) + findings(JSONValue.string(#"{"a": {"b": "*"}}"#).compactText)
        #expect(found.map(\.message) == ["\"*\" is compared as a text", "at /a/b: \"*\" is compared as a text"])
        #expect(Set(found.map(\.expected)) == ["a value, or a placeholder such as ${json-unit.any-string}"])
        #expect(
            found.map(\.pointer.text) == [
                "/request/bodyPatterns/0/equalToJson/a", "/request/bodyPatterns/0/equalToJson",
            ])
    }

    @Test(arguments: [
        ##"{"a": "x*y", "b": "5 * 3", "c": "**bold**", "d": "a <b> c", "e": "#1", "f": "$5"}"##,
        #"{"a": "${json-unit.ignore}"}"#,
        #"{"a": "${json-unit.regex}.*"}"#, #"{"url": "http://a/.*"}"#, #"{"a": "any", "b": "string"}"#,
        #"{"contains": "x"}"#,
        #"{"a": {"contains": "x", "b": 1}}"#, #"{"a": "see .* here", "b": ""}"#, #"{"matches": []}"#,
    ])
    func otherTextsAreNot(document: String) throws {
        #expect(try findings(document).map(\.problem.description) == [])
    }
}
