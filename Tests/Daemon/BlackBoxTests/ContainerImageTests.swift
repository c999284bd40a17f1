import Foundation
import SDTestSupport
import Testing

/// The sources of the container image reach its build.
@Suite struct ContainerImageTests {
    @Test func everyCopiedPathIsInTheBuildContext() throws {
        let copied = try copiedPaths()
        #expect(copied.contains("Sources") && copied.contains(".ci/archives"))
        let ignore = try IgnoreList(text(".dockerignore"))
        for path in copied {
            #expect(FileManager.default.fileExists(atPath: PackageFiles.root + "/" + path), "\(path) is not there")
            #expect(!ignore.excludes(path), ".dockerignore keeps \(path) out")
        }
    }

    /// The Makefile calls these scripts in the build stage.
    @Test func everyScriptOfTheBuildIsCopied() throws {
        let makefile = try text("Makefile")
        let copied = try copiedPaths()
        for script in [".ci/deps", ".ci/archives", ".ci/linked"] {
            #expect(makefile.contains(script))
            #expect(copied.contains(script), "`make build` calls \(script), which the Dockerfile does not copy")
        }
    }

    @Test(arguments: [
        ("*\n!.ci/deps", ".ci/archives", true),
        ("*\n!.ci/deps", ".ci/deps", false),
        ("*\n!Sources", "Sources/Dialect/JSON/JSONValue.swift", false),
        ("*\n!Sources\n**/.build", "Sources/x/.build/debug", true),
        ("# Sources\n\nTests", "Sources", false),
        ("Sources/*.swift", "Sources/main.swift", true),
        ("Sources/*.swift", "Sources/a/main.swift", false),
    ])
    func anIgnoreListIsReadAsDockerReadsIt(list: String, path: String, isExcluded: Bool) {
        #expect(IgnoreList(list).excludes(path) == isExcluded)
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOfFile: PackageFiles.root + "/" + path, encoding: .utf8)
    }

    /// The sources of all `COPY` instructions that copy from the build context.
    private func copiedPaths() throws -> [String] {
        try text("Dockerfile").split(separator: "\n").flatMap { line -> [String] in
            let words = line.split(separator: " ").map(String.init)
            guard words.first == "COPY", !words.contains(where: { $0.hasPrefix("--from") }) else { return [] }
            return words.dropFirst().dropLast().filter { !$0.hasPrefix("--") }
        }
    }
}

/// The rules of a `.dockerignore`: the last one that matches a path or one of its folders decides.
private struct IgnoreList {
    private let rules: [(pattern: [String], excludes: Bool)]

    init(_ text: String) {
        rules = text.split(separator: "\n").compactMap { line in
            let rule = line.trimmingCharacters(in: .whitespaces)
            if rule.isEmpty || rule.hasPrefix("#") { return nil }
            let pattern = rule.hasPrefix("!") ? String(rule.dropFirst()) : rule
            return (pattern.split(separator: "/").map(String.init), !rule.hasPrefix("!"))
        }
    }

    func excludes(_ path: String) -> Bool {
        let parts = path.split(separator: "/").map(String.init)
        let decisive = rules.last { rule in
            (1...parts.count).contains { Self.matches(rule.pattern[...], parts[..<$0]) }
        }
        return decisive?.excludes ?? false
    }

    private static func matches(_ pattern: ArraySlice<String>, _ path: ArraySlice<String>) -> Bool {
        guard let first = pattern.first else { return path.isEmpty }
        if first == "**" {
            return (path.startIndex...path.endIndex).contains { matches(pattern.dropFirst(), path[$0...]) }
        }
        guard let part = path.first, fnmatch(first, part, 0) == 0 else { return false }
        return matches(pattern.dropFirst(), path.dropFirst())
    }
}
