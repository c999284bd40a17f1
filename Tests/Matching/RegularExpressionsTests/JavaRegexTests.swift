import SDPlatform
import SDRegularExpressions
import SDTestSupport
import Testing

@Suite struct JavaRegexTests {
    /// The answers of `java.util.regex` 17 for a full match with DOTALL.
    static let answers: [(pattern: String, subject: String, matches: Bool)] = [
        ("abc", "abc", true), ("abc", "xabc", false), ("abc", "abcx", false), ("", "", true), ("", "a", false),
        ("a|ab", "ab", true), ("a.c", "a\nc", true), ("(?-s)a.c", "a\nc", false), ("a|", "", true), ("(?:)", "", true),
        ("/users/[0-9]+", "/users/12", true), ("/users/[0-9]+", "/users/", false), (".*", "", true),
        ("^/a$", "/a", true), ("a$", "a\n", false), ("a\\Z", "a\n", false), ("\\bfoo\\b.*", "foo bar", true),
        ("(?i)abc", "aBC", true), ("(?i:A)b", "ab", true), ("(?i:A)b", "aB", false), ("a(?i)b|c", "C", true),
        ("(?<year>\\d{4})-\\k<year>", "2026-2026", true), ("(a)\\1", "aa", true), ("(a)\\11", "aa1", true),
        ("\\1(a)", "a", false), ("(a)\\2", "a", false), ("x*+x", "xx", false), ("(?>a|ab)c", "abc", false),
        ("(?=a).+", "ab", true), ("(?!a).+", "ab", false), (".*(?<=b)", "ab", true), (".*(?<!b)", "ab", false),
        ("\\Qa.b\\E+", "a.bbb", true), ("\\Qa.b\\E", "axb", false), ("\\Q[", "[", true), ("[\\Qa-z\\E]", "b", false),
        ("[\\Qa-z\\E]", "-", true), ("[a-z&&[^aeiou]]", "b", true), ("[a-z&&[^aeiou]]", "a", false),
        ("[^a[b]]", "b", false), ("[^a[b]]", "c", true), ("[^a&&b]", "a", true), ("[^a-z&&[aeiou]]", "a", false),
        ("[^a-z&&[aeiou]]", "b", true), ("[^a-z&&[aeiou]]", "1", true), ("[a-z&&[def]x]", "x", true),
        ("[a-z&&[def]x]", "d", true), ("[a-z&&def]", "g", false), ("[a-z&&[d-g]&&[f-z]]", "f", true),
        ("[a-z&&[d-g]&&[f-z]]", "d", false), ("[ab&&bc&&cb]", "b", true), ("[[:alpha:]]", "x", false),
        ("[[:alpha:]]", "a", true), ("[]a]", "]", true), ("[^]a]", "b", true), ("[a&&]", "a", true),
        ("[&&a]", "a", true), ("[a&b]", "&", true), ("[a-]", "-", true), ("[-a]", "-", true), ("[\\d-z]", "-", true),
        ("[a[^b]]", "b", false), ("[a[^b]]", "a", true), ("[^[a]b]", "b", false), ("[^[a]b]", "c", true),
        ("[a-c[e-g]&&[b-f]]", "e", true), ("[a-c[e-g]&&[b-f]]", "a", false), ("[^a-c[e-g]&&[b-f]]", "e", false),
        ("[^a-c[e-g]&&[b-f]]", "d", true), ("[^a-c[e-g]&&[b-f]]", "z", true), ("[\\p{L}&&[^\\p{Lu}]]", "a", true),
        ("[\\p{L}&&[^\\p{Lu}]]", "A", false), ("[^\\p{L}]", "1", true), ("[#a]", "#", true),
        ("(?x) a b # c", "ab", true), ("(?x)[a b]", " ", false), ("(?x:a b)c d", "abc d", true),
        ("a}", "a}", true), ("a]", "a]", true), ("\\_", "_", true), ("\\/", "/", true), ("\\0101", "A", true),
        ("\\x41", "A", true), ("\\x{1F600}", "😀", true), ("\\u0041", "A", true), ("\\uD83D\\uDE00", "😀", true),
        ("\\cA", "\u{1}", true), ("\\t\\n\\r\\f\\a\\e", "\t\n\r\u{C}\u{7}\u{1B}", true), ("\\h", "\t", true),
        ("\\R", "\r\n", true), ("\\p{Alpha}", "é", false), ("\\p{Alpha}", "e", true), ("\\P{Alpha}", "é", true),
        ("\\p{IsAlphabetic}", "é", true), ("\\p{L}", "é", true), ("\\p{Lu}{2}", "AB", true), ("\\pLx", "ax", true),
        ("\\P{L}", "1", true), ("\\p{javaLowerCase}", "a", true), ("\\p{IsLatin}", "a", true),
        ("\\p{IsGreek}", "α", true), ("\\p{script=Greek}", "a", false), ("\\p{Punct}", "$", true),
        ("\\p{Punct}", "+", true), ("\\w", "é", false), ("(?U)\\w", "é", true), ("\\d", "٣", false),
        (".", "é", true), (".", "😀", true), ("..", "é", false), ("[é-ü]", "ö", true), ("x?+", "x", true),
        ("(?d)a", "a", true), ("(?-i)a", "a", true), ("(?i-s)A", "a", true), ("a{2}", "aa", true),
        ("a{2,}", "aaa", true), ("a{1,2}", "aaa", false), ("a{2}+", "aa", true), ("#", "#", true), (" ", " ", true),
    ]

    @Test(arguments: answers)
    func answersAsJavaDoes(_ pattern: String, _ subject: String, _ matches: Bool) throws {
        #expect(try JavaRegex(pattern).matches(subject.bytes) == matches)
    }

    static let refused: [(pattern: String, offset: Int, reason: String)] = [
        ("/a/{id}", 3, "Illegal repetition"), ("{", 0, "Illegal repetition"), ("a{,2}", 1, "Illegal repetition"),
        ("a{2", 3, "Unclosed repetition"), ("a{3,2}", 1, "Illegal repetition range"), ("*a", 0, "Dangling `*`"),
        ("a**", 2, "Dangling `*`"), ("a|+", 2, "Dangling `+`"), ("(*UTF)a", 1, "Dangling `*`"),
        ("(a", 0, "Unclosed group"),
        ("x(?i", 1, "Unclosed group"), ("a)", 1, "Unmatched `)`"), ("[a", 0, "Unclosed character class"),
        ("[z-a]", 1, "Illegal character range"), ("[a-\\d]", 1, "Illegal character range"),
        ("a\\", 1, "A lone backslash"), ("\\y", 0, "Illegal or unsupported escape sequence"),
        ("a\\E", 1, "Illegal or unsupported escape sequence"), ("[\\b]", 1, "Illegal or unsupported escape sequence"),
        ("\\x4", 0, "Illegal hexadecimal"), ("\\u12", 0, "Illegal Unicode"), ("\\uD83D", 0, "Half of a surrogate"),
        ("(?#c)a", 2, "Unknown inline modifier"), ("(?P<n>a)", 2, "Unknown inline modifier"),
        ("(?R)", 2, "Unknown inline"),
        ("(?<n_a>a)", 4, "A group's name"), ("\\p{^L}", 0, "Unknown or unsupported character property"),
        ("\\p{InGreek}", 0, "Unknown or unsupported character property"), ("\\p{IsNoSuch}", 0, "unknown property"),
        ("abc(?<=a*)", 3, "lookbehind"), ("\\k<n>", 0, "No group `n`"),
    ]

    @Test(arguments: refused)
    func errorsNamePlaceAndReason(_ pattern: String, _ offset: Int, _ reason: String) throws {
        let problem = try #require(throws: RegexProblem.self) { try JavaRegex(pattern) }
        #expect(problem.reason.contains(reason), "\(problem.reason)")
        #expect(problem.offset == offset, "\(problem)")
    }

    /// Expressions that backtrack without end on this number of repetitions of a text, followed by another.
    static let catastrophes: [(pattern: String, repeated: String, count: Int, tail: String)] = [
        ("(a+)+$", "a", 10_000, "b"), ("(a|aa)+", "a", 5_000, "b"), ("(.*a){20}", "a", 10_000, "b"),
        ("(x+x+)+y", "x", 10_000, "yx"), ("([a-zA-Z]+)*!", "z", 10_000, "!z"), ("(é+)+$", "é", 10_000, "b"),
    ]

    @Test(arguments: catastrophes)
    func givesUpAtItsLimit(_ pattern: String, _ repeated: String, _ count: Int, _ tail: String) throws {
        let regex = try JavaRegex(pattern)
        let subject = (String(repeating: repeated, count: count) + tail).bytes
        let budget = WorkBudget(limit: 5_000_000)
        #expect(regex.match(subject, budget) == .abandoned)
        #expect(budget.exhaustion?.work == WorkBudget.Work("regular expression", pattern))
    }

    @Test func deepRepetitionsOfOrdinarySubjectsStillMatch() throws {
        let body = String(repeating: "ab", count: 20_000)
        #expect(try JavaRegex("(a|b)*").matches(body.bytes))
        #expect(try JavaRegex("(a+)+$").matches(String(repeating: "a", count: 10_000).bytes))
        #expect(try JavaRegex(".*ba.*").matches(body.bytes))
    }

    @Test func brokenUTF8CountsAsReplacementCharacters() throws {
        let broken: [UInt8] = [0x61, 0xFF, 0x62]
        #expect(try JavaRegex("a.b").match(broken[...], WorkBudget()) == .match)
        #expect(try JavaRegex("a\u{FFFD}b").match(broken[...], WorkBudget()) == .match)
        #expect(try JavaRegex("ab").match(broken[...], WorkBudget()) == .noMatch)
        #expect(try JavaRegex("a").match([0xC3], WorkBudget()) == .noMatch)
    }

    @Test func matchesOnManyThreadsAtOnce() async throws {
        let regex = try JavaRegex("/users/([a-z]+|[0-9]+)/(?<rest>.*)é?")
        await withTaskGroup(of: Int.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    (0..<2_000).count { round in
                        regex.matches("/users/\(thread * round)/x".bytes) && !regex.matches("/users/A\(round)/x".bytes)
                    }
                }
            }
            for await count in group { #expect(count == 2_000) }
        }
    }

    @Test func unboundedNestingIsRefused() {
        #expect(throws: RegexProblem.self) { try JavaRegex(String(repeating: "[", count: 10_000)) }
        #expect(throws: RegexProblem.self) {
            try JavaRegex(String(repeating: "(", count: 10_000) + String(repeating: ")", count: 10_000))
        }
        #expect(throws: RegexProblem.self) { try JavaRegex("a{99999}") }
    }

    @Test func noTextCrashesTheCompiler() {
        let seed = TestGenerator.newSeed
        var random = TestGenerator(seed: seed)
        print("regex fuzz seed \(seed)")
        let parts = [
            "(", ")", "[", "]", "{", "}", "?", "*", "+", "|", "\\", "^", "$", ".", "&&", "-", ":", "<", ">", "=", "!",
            "a", "1",
            "2", ",", "Q", "E", "p", "x", "u", "i", "é", " ", "#", "\\Q", "\\E", "(?", "\\p{", "[^",
        ]
        var compiled = 0
        for _ in 0..<20_000 {
            let count = Int.random(in: 1...12, using: &random)
            let pattern = (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
            guard let regex = try? JavaRegex(pattern) else { continue }
            compiled += 1
            for subject in ["", "a1", "aa", "é(\\Q"] where regex.matches(subject.bytes) {
                #expect(
                    subject.utf8.starts(with: regex.literalPrefix),
                    "pattern \(pattern), subject \(subject), seed \(seed)")
            }
        }
        #expect(compiled > 1_000, "seed \(seed)")
    }
}
