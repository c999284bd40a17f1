import SDExplaining
import SDJSON
import SDMatching
import SDStubModel
import SDTestSupport
import Testing

/// How far values are from the matchers that they do not pass: what near misses are ranked by.
@Suite struct ValueDistanceTests {
    @Test(arguments: [
        (#"{"equalTo": "abcd"}"#, "abcd", 0), (#"{"equalTo": "abcd"}"#, "abcx", 0.25),
        (#"{"equalTo": "ab"}"#, "xyz", 1),
        (#"{"equalTo": "abcd", "caseInsensitive": true}"#, "ABCD", 0), (#"{"contains": "b"}"#, "abc", 0),
        (#"{"contains": "x"}"#, "abc", 1), (#"{"doesNotContain": "b"}"#, "abc", 1),
        (#"{"startsWith": "ab"}"#, "xab", 1),
        (#"{"endsWith": "ab"}"#, "abx", 1), (#"{"glob": "a*"}"#, "ba", 1), (#"{"matches": "a+"}"#, "aab", 1),
        (#"{"doesNotMatch": "a+"}"#, "aa", 1), (#"{"equalToNumber": 5}"#, "5.0", 0), (#"{"equalToNumber": 5}"#, "6", 1),
        (#"{"after": "2026-01-01T00:00:00Z"}"#, "2025-12-31T23:59:59Z", 1), (#"{"not": {"equalTo": "a"}}"#, "a", 1),
        (#"{"and": [{"contains": "a"}, {"contains": "x"}]}"#, "abc", 0.5),
        (#"{"or": [{"equalTo": "abcx"}, {"equalTo": "xxxx"}]}"#, "abcd", 0.25),
    ])
    func theDistanceIsBetweenAPassAndNothingInCommon(matcher: String, text: String, expected: Double) throws {
        let pattern = try CompiledPattern(
            RequestPattern(json: ["bodyPatterns": [JSONValue(parsing: matcher)]]))
        let request = TestRequest("POST", "/", body: text.utf8)
        var views = RequestViews(request)
        let condition = try #require(pattern.evaluate(request, &views).conditions.last)
        #expect(condition.attribute == .body)
        #expect(condition.distance == expected)
        #expect(condition.passes == (expected == 0))
    }
}
