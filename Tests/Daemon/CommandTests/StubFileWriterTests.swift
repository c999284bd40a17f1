import Foundation
import SDFolders
import SDPlatform
import SDTestSupport
import Testing

@Suite struct StubFileWriterTests {
    private let temporary: TemporaryFolder

    init() throws {
        temporary = try TemporaryFolder()
    }
    private var folder: StubFolder { StubFolder(path: temporary.path) }

    @Test func aSavedStubIsReadBack() throws {
        let file = try StubFileWriter(folder: folder).write("a.json", Array("{}".utf8))
        #expect(folder.read().files == [file])
        #expect(file.relativePath == "a.json")
    }

    @Test func aStubIsSavedWhereStubsAreReadFrom() throws {
        try temporary.makeFolder("mappings")
        #expect(try StubFileWriter(folder: folder).write("a.json", []).relativePath == "mappings/a.json")
        #expect(folder.read().files.map(\.relativePath) == ["mappings/a.json"])
    }

    @Test func theFolderForSavedStubsIsCreatedIfNecessary() throws {
        let folder = StubFolder(path: temporary.at("new"), isMappingsOnly: true)
        #expect(try StubFileWriter(folder: folder).write("a.json", []).path == temporary.at("new/mappings/a.json"))
        #expect(folder.read().files.map(\.relativePath) == ["mappings/a.json"])
    }

    @Test func aSavedStubReplacesTheOldOneAndLeavesNothingElse() throws {
        let store = StubFileWriter(folder: folder)
        try store.write("a.json", Array("old and long".utf8))
        try store.write("a.json", Array("new".utf8))
        #expect(try temporary.read("a.json") == "new")
        #expect(try SystemCalls.names(in: temporary.path) == ["a.json"])
    }

    @Test func aFileAnywhereInTheFolderCanBeRewrittenAndRemoved() throws {
        try temporary.write("deep/down/a.yaml", "old")
        let store = StubFileWriter(folder: folder)
        #expect(try store.rewrite("deep/down/a.yaml", Array("new".utf8)).relativePath == "deep/down/a.yaml")
        #expect(try temporary.read("deep/down/a.yaml") == "new")
        try store.remove("deep/down/a.yaml")
        try store.remove("deep/down/a.yaml")
        #expect(folder.read().files.isEmpty)
    }

    @Test func aFileKeepsItsPermissions() throws {
        try temporary.write("a.json", "old")
        try temporary.setMode("a.json", 0o640)
        try StubFileWriter(folder: folder).write("a.json", Array("new".utf8))
        #expect(try temporary.read("a.json") == "new")
        #expect(try temporary.mode("a.json") == 0o640)
    }

    @Test func aLinkStaysALink() throws {
        try temporary.write("real.txt", "old")
        try temporary.link("a.json", to: "real.txt")
        try StubFileWriter(folder: folder).write("a.json", Array("new".utf8))
        #expect(try temporary.read("real.txt") == "new")
        #expect(try SystemCalls.status(of: temporary.at("a.json"), followingLinks: false).kind == .link)
    }

    @Test(arguments: ["../a.json", "b/a.json", ".a.json", "a.txt", "", "a\0.json"])
    func aNameThatIsNotAStubFilesIsRefused(name: String) throws {
        #expect(throws: SystemError.self) { try StubFileWriter(folder: folder).write(name, []) }
        #expect(try SystemCalls.names(in: temporary.path).isEmpty)
    }

    @Test func remainsOfAnInterruptedSaveAreNotReadAndAreRemoved() throws {
        // No process has this number, which is above the limit of every supported system.
        try temporary.write("mappings/.stuntdouble-2147483646-1.tmp", "{")
        try temporary.write("mappings/deep/.stuntdouble-2147483646-2.tmp", "{")
        try temporary.write("mappings/.stuntdouble-1-1.tmp", "{")
        try temporary.write("mappings/.mine.tmp", "")
        #expect(folder.read().files.isEmpty)
        StubFileWriter(folder: folder).removeLeftovers(folder.read())
        #expect(
            try SystemCalls.names(in: temporary.at("mappings")).sorted() == [
                ".mine.tmp", ".stuntdouble-1-1.tmp", "deep",
            ])
        #expect(try SystemCalls.names(in: temporary.at("mappings/deep")).isEmpty)
    }
}

/// `kill -9` in the middle of a save.
@Suite struct InterruptedSaveTests {
    private let temporary: TemporaryFolder

    init() throws {
        temporary = try TemporaryFolder()
    }

    /// The length that the saved file states, which another save changes; nil if the file is not whole.
    private var savedLength: Int? {
        get throws {
            let file = try SystemCalls.open(temporary.at("saved.json"), .read)
            let bytes = try SystemCalls.readAll(file, limit: 1 << 20)
            guard let end = bytes.firstIndex(of: 0x0a), let length = Int(String(decoding: bytes[..<end], as: UTF8.self))
            else { return nil }
            let body = bytes[(end + 1)...]
            return body.count == length && body.allSatisfy { $0 == body.first } ? length : nil
        }
    }

    /// Reads the file until another save has ended, at most a minute long: the process that saves has not got its turn
    /// before. Each read asserts that no half of a file is seen.
    private func awaitSave() throws {
        let first = try #require(try savedLength)
        let end = ContinuousClock.now + .seconds(60)
        while try #require(try savedLength) == first { try #require(ContinuousClock.now < end) }
    }

    @Test func aKilledSaveLeavesTheOldFileOrTheNewOne() throws {
        let seed = TestGenerator.newSeed
        print("aKilledSaveLeavesTheOldFileOrTheNewOne: seed \(seed)")
        var generator = TestGenerator(seed: seed)
        let folder = StubFolder(path: temporary.path)
        var leftovers = 0
        var rounds = 0
        // A kill that hits no save shows nothing, so rounds are added until one does.
        while rounds < 15 || (leftovers == 0 && rounds < 100) {
            rounds += 1
            let process = Process()
            process.executableURL = URL(fileURLWithPath: Program.built("SDSaveLoop").path)
            process.arguments = [temporary.path]
            let output = Foundation.Pipe()
            process.standardOutput = output
            try process.run()
            #expect(output.fileHandleForReading.availableData == Data("saving\n".utf8))
            for _ in 0..<Int.random(in: 1...3, using: &generator) { try awaitSave() }
            // Each check takes an unknown time.
            for _ in 0..<Int.random(in: 0...20, using: &generator) { #expect(try savedLength != nil) }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            #expect(process.terminationReason == .uncaughtSignal, "it ended by itself: \(process.terminationStatus)")
            #expect(try savedLength != nil)
            #expect(folder.read().files.map(\.relativePath) == ["saved.json"])
            leftovers += try SystemCalls.names(in: temporary.path).count - 1
            StubFileWriter(folder: folder).removeLeftovers(folder.read())
            #expect(try SystemCalls.names(in: temporary.path) == ["saved.json"])
        }
        #expect(leftovers > 0)
    }
}
