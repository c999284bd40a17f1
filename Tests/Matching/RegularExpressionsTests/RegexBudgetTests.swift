import SDPlatform
import SDTestSupport
import Testing

@testable import SDRegularExpressions

/// What a match may cost is time, and neither a number of steps nor the length of its subject.
@Suite struct RegexBudgetTests {
    private static func repeated(_ text: String, _ count: Int, then tail: String = "") -> ArraySlice<UInt8> {
        (String(repeating: text, count: count) + tail).bytes
    }

    private static let fiveMegabytes = 5_000_000

    /// Ordinary expressions on subjects for which a fixed number of steps is too small.
    static let long: [(pattern: String, options: JavaRegex.Options, subject: ArraySlice<UInt8>, matches: Bool)] = [
        (".*foo.*", [], repeated("x", fiveMegabytes, then: "foo"), true),
        (".*foo.*", [], repeated("x", fiveMegabytes), false),
        (".*foo.*", [], ("foo" + String(repeating: "é", count: fiveMegabytes / 2)).bytes, true),
        ("foo", .anywhere, repeated("x", fiveMegabytes, then: "foo"), true),
        ("[a-z]+[0-9]", .anywhere, repeated("x ", fiveMegabytes / 2, then: "x1"), true),
        ("(?:[^,]*,)*end", [], repeated("abc,", 50_000, then: "end"), true),
        (
            "(.*) \\1", [], (String(repeating: "ab", count: 2_000) + " " + String(repeating: "ab", count: 2_000)).bytes,
            true
        ),
    ]

    @Test(arguments: long.indices) func ordinaryExpressionsAreRightOnLongSubjects(index: Int) throws {
        let (pattern, options, subject, matches) = Self.long[index]
        let budget = WorkBudget(limit: UInt64(ProcessFacts.patience) * WorkBudget.standardLimit)
        let outcome = try JavaRegex(pattern, options).match(subject, budget)
        #expect(outcome == (matches ? .match : .noMatch), "\(pattern): \(String(describing: budget.exhaustion))")
    }

    /// Expressions that cost more than anyone has, each in its own way.
    static let hostile: [(pattern: String, options: JavaRegex.Options, subject: ArraySlice<UInt8>)] = [
        // A backreference compares a part of the subject at each step.
        ("(.*)\\1[bc]", [], repeated("a", 1_000_000)),
        ("(?i)(.*)\\1[bc]", [], repeated("a", 1_000_000)),
        ("(?<all>.*)\\k<all>[bc]", [], repeated("a", 1_000_000)),
        // A repetition walks along the subject at each step.
        (".*a+b", [], repeated("a", 1_000_000)), ("a+b", .anywhere, repeated("a", 1_000_000)),
        ("(?:a+)+[bc]", .anywhere, repeated("a", 100_000)), ("(?=(a+))\\1b", .anywhere, repeated("a", 1_000_000)),
        (".*.*.*[xy]", [], repeated("a", 100_000)), ("(é+)+$", [], repeated("é", 100_000, then: "b")),
        // Alternatives that PCRE2 does not count.
        (String(repeating: "(?:a|aa)", count: 60) + "b", [], repeated("a", 100)),
        (String(repeating: "a?", count: 40) + String(repeating: "a", count: 40), [], repeated("a", 60, then: "!")),
        // Nested repetitions.
        ("(a+)+$", [], repeated("a", 10_000, then: "b")), ("(.*a){20}", [], repeated("a", 10_000, then: "b")),
    ]

    @Test(arguments: hostile.indices) func noExpressionTakesTwiceItsBudget(index: Int) throws {
        let (pattern, options, subject) = Self.hostile[index]
        let regex = try JavaRegex(pattern, options)
        let limit: UInt64 = 5_000_000
        let spent = processorTime(below: 2 * limit * WorkBudget.slowness) {
            let budget = WorkBudget(limit: limit)
            #expect(regex.match(subject, budget) == .abandoned, "\(pattern)")
            #expect(budget.isSpent)
        }
        #expect(spent < 2 * limit * WorkBudget.slowness, "\(pattern) took \(spent / 1_000) µs")
    }

    @Test func whatNeedsTooMuchMemoryIsNamed() throws {
        let budget = WorkBudget(limit: .max)
        let outcome = try JavaRegex("(a|b)*").match(Self.repeated("ab", 2_000_000), budget)
        #expect(outcome == .abandoned)
        #expect(
            budget.exhaustion?.text(of: "Matching", owner: nil)
                == "Matching was given up: the regular expression `(a|b)*` needs more than 16 MiB of memory to "
                + "backtrack on 4000000 bytes")
    }

    /// The watched program gives Java's answers too.
    @Test(arguments: JavaRegexTests.answers.indices) func aWatchedMatchIsTheSame(index: Int) throws {
        let (pattern, subject, matches) = JavaRegexTests.answers[index]
        let regex = try JavaRegex(pattern)
        #expect(
            regex.matchWatched(subject.bytes, isValid: true, .current, WorkBudget()) == (matches ? .match : .noMatch),
            "\(pattern) on \(subject)")
    }

    @Test func aSpentBudgetMatchesNothing() throws {
        let budget = WorkBudget()
        budget.refuse("is over", for: WorkBudget.Work("test", ""))
        #expect(try JavaRegex("a").match("a".bytes, budget) == .abandoned)
    }
}
