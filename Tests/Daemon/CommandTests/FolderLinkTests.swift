import SDPlatform
import Testing

/// Opening what stands in an open folder.
@Suite struct FolderLinkTests {
    /// Why a name in a folder cannot be opened; nil if it can.
    private func refusal(_ name: String, _ mode: SystemCalls.OpenMode, in path: String) throws -> SystemError? {
        let folder = try SystemCalls.open(path, .folder)
        do throws(SystemError) {
            _ = try SystemCalls.open(name, mode, in: folder)
            return nil
        } catch {
            return error
        }
    }

    /// A link that is put in the place of a file or folder, after the path was checked, leads nowhere.
    @Test func linksInAnOpenFolderAreNotFollowed() throws {
        let temporary = try TemporaryFolder()
        try temporary.write("outside/secret.txt", "secret")
        try temporary.write("folder/deep/a.txt", "a")
        try temporary.link("folder/way", to: "../outside")
        try temporary.link("folder/a.txt", to: "../outside/secret.txt")
        let folder = temporary.at("folder")
        #expect(try refusal("deep", .folder, in: folder) == nil)
        #expect(try refusal("a.txt", .read, in: temporary.at("folder/deep")) == nil)
        #expect(try refusal("way", .folder, in: folder) != nil)
        #expect(try refusal("a.txt", .read, in: folder) != nil)
    }
}
