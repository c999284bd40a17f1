import Foundation
import SDTestSupport
import Testing

/// Every Swift example of the documentation is part of a file that is compiled and run.
@Suite struct DocumentedSwiftTests {
    /// The files that examples are taken from, as lines without their indentation.
    private static let sources: [[Substring]] = {
        let files = ["Tests/Kit", "Examples"].flatMap { SourceTree.files(in: $0, "swift") }
        return files.filter { !$0.contains("/.build/") }.map { file in
            (try? SourceTree.text(file)).map(lines) ?? []
        }
    }()

    @Test(arguments: Fence.of("swift")) func anExampleStandsInAFileThatIsCompiled(_ fence: Fence) {
        let pieces = pieces(of: fence.text)
        #expect(!pieces.isEmpty)
        let isCompiled = Self.sources.contains { stand(pieces, in: $0) }
        #expect(
            isCompiled, "\(furthest(pieces)) is where the example differs from every file of Tests/Kit and Examples")
    }

    @Test(arguments: [
        ("let a = 1\nlet b = 2\n", true), ("let b = 2\n// …\nlet d = 4\n", true), ("let a = 1\nlet c = 3\n", false),
        ("let d = 4\n// …\nlet b = 2\n", false), ("let e = 5\n", false), ("let a = 1\n\nlet b = 2\n", true),
    ])
    func linesAreFoundInOrder(_ example: String, isThere: Bool) {
        let source = Self.lines("    let a = 1\n    let b = 2\n\n    let c = 3\n    let d = 4\n")
        #expect(stand(pieces(of: example), in: source) == isThere)
    }

    /// Swift in the pages is compiled; what is only parsed is other people's, which a reader comes from.
    @Test(arguments: Fence.of("swift before")) func onlyPagesForThoseWhoMoveInShowWhatIsNotCompiled(_ fence: Fence) {
        #expect(fence.page.hasPrefix("docs/swift/from-"))
    }

    /// The README's manifest is that of a package that `.ci/package` builds.
    @Test(arguments: Fence.of("swift manifest")) func aManifestIsTheOneThatIsBuilt(_ fence: Fence) throws {
        let built = try #require(Fence.of("swift manifest").first { $0.page == "README.md" })
        #expect(fence.text == built.text)
    }

    /// A fence that is not at the beginning of its line is none for these tests.
    @Test(arguments: Set(Fence.all.map(\.page)).sorted()) func everyFenceIsSeen(page: String) throws {
        let marks = try SourceTree.text(page).split(separator: "\n").filter { line in
            let text = line.drop { $0 == " " || $0 == "\t" || $0 == ">" }
            return text.hasPrefix("```") || text.hasPrefix("~~~")
        }
        #expect(marks.allSatisfy { $0.hasPrefix("```") } && marks.count == 2 * Fence.all.count { $0.page == page })
    }

    /// What an example replaces uses other people's packages: it is parsed, not compiled.
    @Test(arguments: Fence.of("swift before")) func whatIsReplacedParses(_ fence: Fence) throws {
        let scratch = try TemporaryFolder()
        try scratch.write("Before.swift", fence.text)
        let parse = try ChildProcess(
            "/usr/bin/env", ["swiftc", "-frontend", "-parse", scratch.path + "/Before.swift"], outputsIn: scratch)
        #expect(parse.wait() == .exited(0), "\(parse.errors)")
    }

    // MARK: Lines

    /// The lines that are not empty, without white space at their ends.
    private static func lines(_ text: String) -> [Substring] {
        text.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }.map { line in
            line.dropLast(line.reversed().prefix { $0 == " " }.count)
        }.filter { !$0.isEmpty }
    }

    /// The pieces between lines that stand for others left out.
    private func pieces(of example: String) -> [ArraySlice<Substring>] {
        Self.lines(example).split { $0 == "// …" }
    }

    private func stand(_ pieces: [ArraySlice<Substring>], in source: [Substring]) -> Bool {
        var rest = source[...]
        for piece in pieces {
            guard let place = rest.firstRange(of: piece) else { return false }
            rest = rest[place.upperBound...]
        }
        return true
    }

    /// The first line of an example that no file has after the lines before it.
    private func furthest(_ pieces: [ArraySlice<Substring>]) -> Substring {
        let lines = pieces.joined()
        let isKnown = { (line: Substring) in Self.sources.contains { $0.contains(line) } }
        return lines.first { !isKnown($0) } ?? lines.first ?? ""
    }
}
