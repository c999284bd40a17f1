import Platform
import Folders
import Testing

@Suite struct StubStoreTests {
    private let temporary: TemporaryFolder

    init() throws {
        temporary = try TemporaryFolder()
    }
    private var folder: StubFolder { StubFolder(path: temporary.path) }

    @Test func aSavedStubIsReadBack() throws {
        let file = try StubStore(folder: folder).write("a.json", Array("{}".utf8))
        #expect(folder.read().files == [file])
        #expect(file.relativePath == "a.json")
    }

    @Test func aStubIsSavedWhereStubsAreReadFrom() throws {
        try temporary.makeFolder("mappings")
        #expect(try StubStore(folder: folder).write("a.json", []).relativePath == "mappings/a.json")
        #expect(folder.read().files.map(\.relativePath) == ["mappings/a.json"])
    }

    @Test func theFolderOfSavedStubsIsMadeIfNeedBe() throws {
        let folder = StubFolder(path: temporary.at("new"), isMappingsOnly: true)
        #expect(try StubStore(folder: folder).write("a.json", []).path == temporary.at("new/mappings/a.json"))
        #expect(folder.read().files.map(\.relativePath) == ["mappings/a.json"])
    }

    @Test func aSavedStubTakesThePlaceOfTheOldOneAndLeavesNothingElse() throws {
        let store = StubStore(folder: folder)
        try store.write("a.json", Array("old and long".utf8))
        try store.write("a.json", Array("new".utf8))
        #expect(try temporary.read("a.json") == "new")
        #expect(try SystemCalls.names(in: temporary.path) == ["a.json"])
    }

    @Test func aFileAnywhereInTheFolderCanBeRewrittenAndRemoved() throws {
        try temporary.write("deep/down/a.yaml", "old")
        let store = StubStore(folder: folder)
        #expect(try store.rewrite("deep/down/a.yaml", Array("new".utf8)).relativePath == "deep/down/a.yaml")
        #expect(try temporary.read("deep/down/a.yaml") == "new")
        try store.remove("deep/down/a.yaml")
        try store.remove("deep/down/a.yaml")
        #expect(folder.read().files.isEmpty)
    }

    @Test func aLinkStaysALink() throws {
        try temporary.write("real.txt", "old")
        try temporary.link("a.json", to: "real.txt")
        try StubStore(folder: folder).write("a.json", Array("new".utf8))
        #expect(try temporary.read("real.txt") == "new")
        #expect(try SystemCalls.status(of: temporary.at("a.json"), followingLinks: false).kind == .link)
    }

    @Test(arguments: ["../a.json", "b/a.json", ".a.json", "a.txt", "", "a\0.json"])
    func aNameThatIsNoStubFilesNameIsRefused(name: String) throws {
        #expect(throws: SystemError.self) { try StubStore(folder: folder).write(name, []) }
        #expect(try SystemCalls.names(in: temporary.path).isEmpty)
    }

    @Test func whatAnInterruptedSaveLeftIsNotReadAndIsRemoved() throws {
        // No process has this number: it is above the limit of every supported system.
        try temporary.write("mappings/.stuntdouble-2147483646-1.tmp", "{")
        try temporary.write("mappings/deep/.stuntdouble-2147483646-2.tmp", "{")
        try temporary.write("mappings/.stuntdouble-1-1.tmp", "{")
        try temporary.write("mappings/.mine.tmp", "")
        #expect(folder.read().files.isEmpty)
        StubStore(folder: folder).removeLeftovers()
        #expect(
            try SystemCalls.names(in: temporary.at("mappings")).sorted() == [
                ".mine.tmp", ".stuntdouble-1-1.tmp", "deep",
            ])
        #expect(try SystemCalls.names(in: temporary.at("mappings/deep")).isEmpty)
    }
}
