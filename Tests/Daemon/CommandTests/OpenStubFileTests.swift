import SDFolders
import SDPlatform
import SDTestSupport
import Synchronization
import Testing

/// Large stub files, which are read in parts.
@Suite struct OpenStubFileTests {
    private let temporary: TemporaryFolder
    private let folder: StubFolder
    private let large: String

    init() throws {
        temporary = try TemporaryFolder()
        folder = StubFolder(path: temporary.path)
        large = (0..<StubFolder.largeFile / 16).map { number in
            let digits = String(number)
            return String(repeating: "0", count: 15 - digits.count) + digits + "\n"
        }.joined()
    }

    /// Reads a file like the daemon, and calls `between` after the first part.
    private func read(_ between: @escaping @Sendable () -> Void = {}) -> (text: String, StubFolderContents) {
        let read = Mutex<[UInt8]>([])
        let contents = folder.read { _ in
            false
        } inParts: { file in
            var bytes: [UInt8] = []
            while let part = file.part(after: bytes.suffix(10), at: bytes.count) {
                // What was not used comes again.
                #expect(Array(part.prefix(min(10, bytes.count))) == bytes.suffix(10))
                let isFirst = bytes.isEmpty
                bytes += part.dropFirst(min(10, bytes.count))
                if isFirst { between() }
            }
            read.withLock { $0 = bytes }
            return true
        } consume: { values in
            #expect(values == [true])
        }
        return (String(decoding: read.withLock { $0 }, as: UTF8.self), contents)
    }

    @Test func itsPartsMakeUpTheFile() throws {
        try temporary.write("a.json", large)
        let (text, contents) = read()
        #expect(text == large)
        #expect(contents.problems.isEmpty)
        #expect(contents.files.map(\.relativePath) == ["a.json"])
        #expect(contents.files.allSatisfy { $0.bytes.isEmpty && $0.identity.size == large.utf8.count })
    }

    @Test func whatIsNotUsedInPartsIsReadAsAWhole() throws {
        try temporary.write("a.json", large)
        try temporary.write("b.json", String(large.dropLast()))
        let tried = Mutex<[String]>([])
        var used: [Int] = []
        let contents = folder.read {
            $0.bytes.count
        } inParts: { file in
            _ = file.part(after: [], at: 0)
            tried.withLock { $0.append(file.relativePath) }
            return nil
        } consume: { counts in
            used += counts
        }
        #expect(tried.withLock { $0 } == ["a.json"])
        #expect(used == [large.utf8.count, large.utf8.count - 1])
        #expect(contents.files.map(\.bytes.count) == used)
    }

    /// What is written while a file is read is read when the watch finds that the file has changed.
    @Test func aFileThatGrowsEndsWhereItEnded() throws {
        try temporary.write("a.json", large)
        let (temporary, large) = (temporary, large)
        let (text, contents) = read { try? temporary.overwrite("a.json", large + "more") }
        #expect(text == large)
        #expect(contents.files.first?.identity.size == Int64(large.utf8.count))
    }

    @Test func aFileThatShrinksEndsEarlier() throws {
        try temporary.write("a.json", large)
        let (temporary, large) = (temporary, large)
        let (text, contents) = read { try? temporary.overwrite("a.json", String(large.prefix(1_000_000))) }
        #expect(text == large.prefix(1_000_000))
        #expect(contents.problems.isEmpty)
    }

    /// Otherwise a file of one long mapping would be in memory twice.
    @Test func veryMuchThatIsNotUsedEndsTheParts() throws {
        try temporary.write("a.json", String(repeating: large, count: 10))
        let parts = Mutex<[Int]>([])
        _ = folder.read { _ in
        } inParts: { file in
            var bytes: [UInt8] = []
            while let part = file.part(after: bytes[...], at: bytes.count) {
                bytes = part
                parts.withLock { $0.append(part.count) }
            }
            return nil
        } consume: { _ in
        }
        let sizes = parts.withLock { $0 }
        // Each part is as large as all before it.
        #expect(sizes == sizes.indices.map { (128 << 10) << $0 })
        #expect(sizes.last == 32 << 20)
    }
}
