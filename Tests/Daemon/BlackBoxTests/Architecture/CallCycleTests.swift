import Testing

/// Call cycles among the C files of the server: at most `maxFiles` files of one target may call each other in a cycle.
@Suite struct CallCycleTests {
    private static let maxFiles = 8

    /// Each file with the files whose functions and tables it names.
    private let calls: [String: Set<String>]

    init() throws {
        let folders = SourceTree.targets.filter { $0.layer == "Wire" && $0.name.hasPrefix("C") }.map(\.folder)
        let texts = try Dictionary(
            uniqueKeysWithValues: folders.flatMap { SourceTree.files(in: $0, "c") }.map {
                ($0, try SourceTree.text($0))
            })
        let definition = /^(?!static\b|extern\b|typedef\b)[A-Za-z_][\w *]*\b(c[ru]_\w+)(?:\(| = )/
            .anchorsMatchLineEndings()
        var owners: [Substring: String] = [:]
        for (file, text) in texts {
            for match in text.matches(of: definition) { owners[match.output.1] = file }
        }
        var calls: [String: Set<String>] = [:]
        for file in texts.keys {
            calls[file] = Set(try SourceTree.words(file).compactMap { owners[$0] }).subtracting([file])
        }
        #expect(owners.count > 200)
        self.calls = calls
    }

    private func reached(from file: String) -> Set<String> {
        var reached: Set<String> = []
        var next = Array(calls[file] ?? [])
        while let file = next.popLast() {
            if reached.insert(file).inserted { next += calls[file] ?? [] }
        }
        return reached
    }

    @Test func aCycleIsSmallAndWithinOneTarget() {
        let reached = Dictionary(uniqueKeysWithValues: calls.keys.map { ($0, self.reached(from: $0)) })
        var cycles: Set<Set<String>> = []
        for (file, others) in reached where others.contains(file) {
            cycles.insert(others.filter { reached[$0]?.contains(file) == true })
        }
        #expect(!cycles.isEmpty)
        for cycle in cycles {
            #expect(cycle.count <= Self.maxFiles, "\(cycle.sorted())")
            #expect(Set(cycle.map(folder)).count == 1, "\(cycle.sorted())")
        }
    }

    /// A file calls functions of its own target and of those that its target imports.
    @Test func aFileCallsOnlyWhatItsTargetImports() throws {
        for (file, others) in calls {
            let target = try #require(SourceTree.targets.first { $0.folder == folder(file) })
            let imports = try SourceTree.imports(of: target)
            for other in others where folder(other) != target.folder {
                let name = folder(other).split(separator: "/").last.map(String.init) ?? ""
                #expect(imports.contains(name), "\(file) calls \(other)")
            }
        }
    }

    private func folder(_ file: String) -> String {
        file.split(separator: "/").dropLast().joined(separator: "/")
    }
}
