import SDPlatform
import SDTestSupport
import Synchronization
import Testing

@testable import SDRegularExpressions

/// What is known of a simple expression before it is compiled, against what its compilation finds.
@Suite struct RegexSummaryTests {
    static let simple = [
        "", "/users/[0-9]+", "/api/depot-000123/[a-z]+/[0-9]+", "/a.*", "^/a/\\d{1,3}/(?:b|c)?$", "/a\\.b/[^/]+",
        "(a|b)+", "/a{2}b{3,}", "[\\w.-]+@x", "a||b", "/[_a-zA-Z0-9-]*+", "x??", "a]b}", "((a|b)|(c|d|e))f", "[a-]",
        "[-a]",
    ]

    @Test(arguments: simple) func recognizesSimpleExpressions(pattern: String) {
        #expect(RegexSummary(pattern) != nil)
        check(pattern)
    }

    @Test(arguments: [
        "(?i)a", "(?=a)", "(?<n>a)", "\\1", "\\p{L}", "\\bx", "é", "a**", "*a", "(", "a)", "[", "[]", "[z-a]", "[a&&b]",
        "a{2", "{2}", "a{100}", "(a){2}", "[a-\\d]", "\\", "a{3,2}", "(*a)", "\\Qa\\E", "[[a]]", "[:a:]", "[..]",
        "[\\b]", "^*",
        String(repeating: "a", count: 257),
    ])
    func leavesOthersAlone(pattern: String) {
        #expect(RegexSummary(pattern) == nil)
    }

    /// Compares a sketch, if there is one, with the tokens of the expression, and what both match.
    private func check(_ pattern: String, on subjects: [String] = ["", "a", "/a", "a-z"]) {
        guard let sketch = RegexSummary(pattern) else { return }
        do throws(RegexProblem) {
            var scanner = RegexScanner(pattern)
            let tokens = try scanner.scan()
            #expect(sketch.literalPrefix == tokens.literalPrefix, "\(pattern)")
            for isAnywhere in [false, true] {
                #expect(sketch.cost(isAnywhere: isAnywhere) == RegexCost(tokens, isAnywhere: isAnywhere), "\(pattern)")
            }
            for options in [JavaRegex.Options(), .anywhere, [.ignoringCase, .dotStopsAtLineEnds]] {
                let program = try RegexProgram(RegexTranslation(tokens), of: scanner, options)
                let simple = RegexProgram(of: pattern, options)
                for subject in subjects {
                    let results = [program, simple].map {
                        $0.run(subject.bytes, isValid: true, .steps(10_000), MatchSpace.current)
                    }
                    #expect(results[0] == results[1], "\(pattern) on \(subject)")
                }
            }
        } catch {
            Issue.record("\(pattern): \(error)")
        }
    }

    @Test func everySimpleExpressionCompiles() {
        var generator = TestGenerator()
        let pieces = [
            "a", "b", "z", "0", "9", "/", "-", "_", ".", "*", "+", "?", "??", "*+", "{2}", "{1,}", "{0,3}", "{3,1}",
            "(", "(?:", ")", "|", "[", "[^", "]", "a-z", "0-9", "\\d", "\\W", "\\.", "\\-", "\\]", "\\", "^", "$", "{",
            "}",
            ",", "&&", " ", "#", "é", "(?", "*", "\\b", "[a-z]", "[0-9]+", "(a|b)", "x*", ":", "[:", ":]", "[.", ".]",
        ]
        var count = 0
        func text(of pieces: [String], _ most: Int) -> String {
            (0..<Int.random(in: 1...most, using: &generator)).map { _ in
                pieces.randomElement(using: &generator) ?? ""
            }.joined()
        }
        for _ in 0..<30_000 {
            let pattern = text(of: pieces, 8)
            if RegexSummary(pattern) != nil { count += 1 }
            let letters = [
                "a", "b", "z", "m", "0", "5", "9", "/", "-", "_", ".", " ", "\n", "]", "}", "#", "A", "é", ":",
            ]
            check(pattern, on: (0..<4).map { _ in text(of: letters, 5) } + [pattern])
        }
        print("\(count) simple expressions, seed \(generator.seed)")
        #expect(count > 2_000)
    }

    /// The first match compiles; here many threads come first.
    @Test func anyNumberOfThreadsMayMatchFirst() throws {
        for round in 0..<50 {
            let regex = try JavaRegex("/api/depot-\(round)/[a-z]+/[0-9]+")
            let counts = Counts()
            try withThreads(8) { thread in
                counts.ready.add(1, ordering: .releasing)
                while counts.ready.load(ordering: .acquiring) < 8 { SystemCalls.pause(milliseconds: 0) }
                for _ in 0..<20 {
                    let matches = regex.matches("/api/depot-\(round)/chairs/\(thread)".bytes)
                    let matchesLess = regex.matches("/api/depot-\(round)/chairs/".bytes)
                    if !matches || matchesLess { counts.wrong.add(1, ordering: .relaxed) }
                }
            }
            #expect(counts.wrong.load(ordering: .acquiring) == 0)
        }
    }

    private final class Counts: Sendable {
        let ready = Atomic(0)
        let wrong = Atomic(0)
    }

    /// Runs `body` on threads, and waits for their end.
    private func withThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) throws {
        let threads = try (0..<count).map { number in try SystemThread(name: "matching") { body(number) } }
        for thread in threads { thread.join() }
    }
}
