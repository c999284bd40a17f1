import SDJSON
import SDMatching
import SDPlatform
import SDStubModel
import Testing

/// A matcher of a text outside of a request.
@Suite struct CompiledMatcherTests {
    private func matcher(_ json: String) throws -> CompiledMatcher {
        try CompiledMatcher(ValueMatcher(json: JSONValue(parsing: json)))
    }

    @Test(arguments: [
        (#"{"equalTo": "{ }"}"#, "{ }", true), (#"{"equalTo": "{}"}"#, "{ }", false),
        (#"{"matchesJsonPath": "$.a"}"#, #"{"a": 1}"#, true), (#"{"matchesJsonPath": "$.a"}"#, "null", false),
        (#"{"not": {"contains": "x"}}"#, "null", true), (#"{"absent": true}"#, "", false),
        (#"{"absent": false}"#, "", true), (#"{"not": {"absent": "no"}}"#, "", false),
        (#"{"matchesJsonPath": {"expression": "$.a", "absent": true}}"#, #"{"b": 1}"#, true),
        (#"{"matchesJsonPath": {"expression": "$.a", "absent": false}}"#, #"{"b": 1}"#, false),
        (#"{"matchesJsonPath": {"expression": "$.a", "absent": false}}"#, #"{"a": 1}"#, true),
        (#"{"equalTo": "X", "caseInsensitive": "yes"}"#, "x", true),
        (#"{"before": "now"}"#, "2026-01-01T00:00:00Z", true), (#"{"after": "now"}"#, "2026-01-01T00:00:00Z", false),
        (#"{"matches": "(a*)*b"}"#, String(repeating: "a", count: 40), false),
    ])
    func matchesAgainstTheText(json: String, text: String, expected: Bool) throws {
        // A time in the second half of 2026.
        let now: UInt64 = 1_785_000_000_000_000_000
        #expect(try matcher(json).matches(Array(text.utf8), now: now, WorkBudget(limit: 20_000_000)) == expected)
    }

    @Test func namesEveryProblem() {
        let problems = #expect(throws: PatternProblems.self) {
            try matcher(#"{"and": [{"matches": "("}, {"matchesJsonPath": "$["}]}"#)
        }
        #expect(problems?.problems.map(\.pointer) == ["/and/0/matches", "/and/1/matchesJsonPath"])
    }
}
