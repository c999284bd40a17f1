import SDTestSupport
import Testing

@testable import SDLinting

@Suite struct QueryInExpressionTests {
    @Test(arguments: [
        ("/thing?x=1", "/thing\\?x=1"),
        ("/thing?x=1&y=.*", "/thing\\?x=1&y=.*"),
        ("/things/[0-9]+?page=(\\d+)", "/things/[0-9]+\\?page=(\\d+)"),
        ("/things/\\d+?page=1", "/things/\\d+\\?page=1"),
        ("/thing/?x=1", "/thing/\\?x=1"),
        ("/(cats|dogs)?page=1", "/(cats|dogs)\\?page=1"),
        ("/(?:cats|dogs)?page=1", "/(?:cats|dogs)\\?page=1"),
        ("/a\\.json?x=1", "/a\\.json\\?x=1"),
        ("/thing\\\\?x=1", "/thing\\?x=1"),
        ("/colou?rs?x=1", "/colou?rs\\?x=1"),
        ("^/thing?sort-by=name$", "^/thing\\?sort-by=name$"),
    ]) func aQueryWhoseQuestionMarkIsNotEscapedIsCorrected(_ expression: String, _ corrected: String) {
        #expect(QueryInExpression(expression).corrected == corrected)
    }

    @Test(arguments: [
        "", "?", "/", "/things?", "/things/?", "/https?/x", "/a(?:b|c)/d", "/a/.*?", "/a.*?x=1", "/a{1,2}?",
        "/a{1,2}?/x",
        "/a[?]x=1", "/a\\?x=1", "/a\\?colou?r=red", "/search\\?items?=3", "/[^/]+?x=1", "/\\S+?x=1", "/a?b", "/colou?r",
        "/a(\\?x=1)?", "/a(/b)?", "/(v1/)?x=1", "/(?<id>\\d+)?x=1", "/(?=a)x", "/\\Qa?x=1\\E", "/a(?x) b?x=1", "/a??x",
        "/a?=1", "/a\\", "/[a", "/(a", "/a)?", "/[]a]?", "/[ -~]?x=1", "/a?é",
    ]) func anIntendedQuestionMarkIsNotReported(_ expression: String) {
        #expect(QueryInExpression(expression).corrected == nil)
    }

    @Test(arguments: [
        ("/a\\?x=1", true), ("/a\\??x=1", false), ("/a(\\?x=1)?", false), ("/a|/b\\?", false), ("/a\\?x|/b", false),
        ("/a", false), ("/a.\\?", false),
    ]) func aRequiredQuestionMarkIsRecognized(_ expression: String, _ isRequired: Bool) {
        #expect(QueryInExpression(expression).requiresQuestionMark == isRequired)
    }

    @Test func noTextCrashesIt() {
        let pieces = ["?", "\\", "[", "]", "(", ")", "(?", "x=", "^", "-", "{", "|", "a", "é", ".", "(?:", "\\?"]
        let seed = TestGenerator.newSeed
        print("query in expression seed \(seed)")
        var random = TestGenerator(seed: seed)
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
            if let corrected = QueryInExpression(text).corrected { #expect(corrected != text, "seed \(seed)") }
        }
    }
}
