import SDRegularExpressions
import Testing

@Suite struct LiteralPrefixTests {
    static let prefixes: [(pattern: String, prefix: String)] = [
        ("/users/[0-9]+", "/users/"), ("/users/\\d+", "/users/"), ("/users", "/users"), ("", ""), (".*", ""),
        ("/a.*", "/a"), ("/ab?", "/a"), ("/ab*", "/a"), ("/ab+", "/ab"), ("/ab{0,3}", "/a"), ("/ab{2}c", "/ab"),
        ("/ab{0}", "/a"), ("/ab??", "/a"), ("/ab*+", "/a"), ("/a|/b", ""), ("/a(b|c)", "/a"), ("/a(?:b)c", "/a"),
        ("(/a)b", ""), ("(/a|/b)", ""), ("^/a$", "/a"), ("^^/a", "/a"), ("\\A/a\\z", "/a"), ("/a\\b/c", "/a/c"),
        ("(?i)/a", ""), ("/a(?i)b", "/a"), ("(?s)/a", "/a"), ("(?-i)/a", "/a"), ("(?i:/a)", ""),
        ("(?x) /a b", "/ab"), ("(?x)/a # c|d\n b", "/ab"), ("/a\\.b", "/a.b"), ("/a\\?b=.*", "/a?b="),
        ("\\Q/a.b\\E.*", "/a.b"), ("\\Q/a.b\\E*", "/a."), ("\\Q/a|b\\E", "/a|b"), ("\\u002Fa.", "/a"),
        ("\\x2Fa[b]", "/a"), ("/[ab]/c", "/"), ("/a[|]b", "/a"), ("/a\\|b", "/a|b"), ("/a\\Qb|c\\E", "/ab|c"),
        ("/é.*", "/é"), ("/é?x", "/"), ("(?=/a)/a", ""), ("/a(?!b).*", "/a"), ("/(a|b)|/c", ""), ("/a\\R", "/a"),
        ("/a$b", "/ab"), ("a\\\\b", "a\\b"), ("/api/v[12]/x", "/api/v"), ("(?i-i)/a", ""), ("/a}b", "/a}b"),
    ]

    @Test(arguments: prefixes)
    func isWhatEveryMatchBeginsWith(_ pattern: String, _ prefix: String) throws {
        #expect(String(decoding: try JavaRegex(pattern).literalPrefix, as: UTF8.self) == prefix)
    }
}
