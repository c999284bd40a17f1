import Foundation
import SDTestSupport
import Testing

/// A mistake in the dialect's table is told with its line, and nothing is made of it.
@Suite(.enabled(if: ClientSuite.curl.python != nil, "python3 is not here"))
struct DialectTableTests {
    /// A line that is put above one that begins so, and what is said of it.
    struct Mistake: Sendable, CustomTestStringConvertible {
        let file: String
        let above: String
        let line: String
        let message: String

        init(_ line: String, _ message: String, in file: String = "mappings", above: String = "  bodyFileName: text --")
        {
            (self.file, self.above, self.line, self.message) = (file, above, line, message)
        }

        var testDescription: String { line }
    }

    @Test(arguments: [
        Mistake("  odd: text (kitt) -- A text.", "response.odd: nothing is called (kitt); did you mean kit?"),
        Mistake("  odd: @end -- An end.", "response.odd: there is no @end; did you mean ends?"),
        Mistake("  odd: #hodl -- A gate.", "response.odd: there is no #hodl; did you mean hold?"),
        Mistake("  odd: text", "response.odd: expected a sentence for people behind ` -- `"),
        Mistake("  odd: text - A text.", "expected the end of a type, found '- A text.'; a description stands behind"),
        Mistake("   odd: text -- A text.", "expected a margin of two blanks"),
        Mistake("  odd: flag | text -- Two.", "response.odd: it has several types: expected (by f)"),
        Mistake("  odd: 0.0..1.0 (what a share) -- A share.", "response.odd: (what …) is for a range of whole numbers"),
        Mistake("  odd: [int] -- Numbers.", "response.odd: its type does not say what it is in Swift"),
        Mistake("  odd: 1..9 (kit) -- A number.", "response.odd: a word of the kit has a field of"),
        Mistake("  ~ statuss: code", "response has no member statuss; did you mean status?"),
        Mistake(
            "  odd: string -- A text.", "matcher.odd: an operator of matchers has (test T), or is an (option)",
            in: "matchers", above: "  contains: string"),
        Mistake(
            "  odd: string (test OddTest, in bodyy) -- A text.", "matcher.odd: a matcher stands in", in: "matchers",
            above: "  contains: string"),
        Mistake(
            "  odd: string (options caseInsensitiv, test OddTest) -- A text.",
            "matcher.odd: there is no option caseInsensitiv; did you mean caseInsensitive?", in: "matchers",
            above: "  contains: string"),
        Mistake(
            "  odd: boolean (action) -- Does something.", "fault.odd: an action does nothing without (change)",
            in: "faults", above: "  slice: #slice"),
        Mistake(
            "  ~ hnag: stall", "cutEnds: stall is meant as hnag, which is no word of it; did you mean hang?",
            in: "faults", above: "  ~ hang: stall"),
    ])
    func aMistakeIsToldWithItsLine(_ mistake: Mistake) throws {
        let scratch = try TemporaryFolder()
        defer { withExtendedLifetime(scratch) {} }
        let table = URL(fileURLWithPath: PackageFiles.root + "/Sources/Dialect/Table")
        let copy = URL(fileURLWithPath: scratch.path + "/Table")
        try FileManager.default.copyItem(at: table, to: copy)
        let file = copy.appendingPathComponent(mistake.file + ".dialect")
        var lines = try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        let place = try #require(lines.firstIndex { $0.hasPrefix(mistake.above) })
        lines.insert(Substring(mistake.line), at: place)
        try lines.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
        let check = try ChildProcess(
            try #require(ClientSuite.curl.python),
            ["-B", PackageFiles.root + "/Tools/dialect", "--check", "--table", copy.path], outputsIn: scratch)
        #expect(check.wait(milliseconds: 60_000) == .exited(1))
        #expect(check.errors.contains(mistake.message), "\(check.errors)")
        #expect(check.errors.contains("\(mistake.file).dialect:"), "\(check.errors)")
    }
}
