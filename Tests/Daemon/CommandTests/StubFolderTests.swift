import SDFolders
import SDPlatform
import SDTestSupport
import Testing

@Suite struct StubFolderTests {
    private let temporary: TemporaryFolder

    init() throws {
        temporary = try TemporaryFolder()
    }

    private func files(isMappingsOnly: Bool = false) -> [String] {
        StubFolder(path: temporary.path, isMappingsOnly: isMappingsOnly).read().files.map(\.relativePath)
    }

    @Test func stubFilesAreReadInTheOrderOfTheBytesOfTheirPaths() throws {
        for name in ["b.json", "a/z.yaml", "a.yml", "B.JSON", "a/b/c.json", "é.json"] {
            try temporary.write(name, name)
        }
        let contents = StubFolder(path: temporary.path).read()
        #expect(
            contents.files.map(\.relativePath) == ["B.JSON", "a.yml", "a/b/c.json", "a/z.yaml", "b.json", "é.json"])
        #expect(contents.files.allSatisfy { String(decoding: $0.bytes, as: UTF8.self) == $0.relativePath })
        #expect(contents.files.allSatisfy { $0.path == temporary.at($0.relativePath) })
        #expect(contents.problems.isEmpty)
    }

    @Test func hiddenFilesBodyFilesAndOtherFilesAreIgnored() throws {
        for name in [
            ".a.json", ".git/b.json", "__files/c.json", "d/__files/e.json", "f.txt", "json", ".yaml", "g.json~",
        ] {
            try temporary.write(name, "{}")
        }
        #expect(files() == [])
    }

    @Test func theMappingsFolderHoldsTheStubsIfItExists() throws {
        try temporary.write("a.json", "")
        #expect(files() == ["a.json"])
        #expect(files(isMappingsOnly: true) == [])
        try temporary.write("mappings/b.json", "")
        #expect(files() == ["mappings/b.json"])
        #expect(files(isMappingsOnly: true) == ["mappings/b.json"])
    }

    @Test func aMissingFolderHasNoFiles() {
        #expect(StubFolder(path: temporary.at("none")).read() == StubFolderContents())
    }

    @Test func linksAreFollowedButNotInCircles() throws {
        try temporary.write("real/a.json", "{}")
        try temporary.makeFolder("stubs")
        try temporary.link("stubs/a.json", to: "../real/a.json")
        try temporary.link("stubs/folder", to: "../real")
        try temporary.link("stubs/circle", to: "..")
        try temporary.link("stubs/dangling.json", to: "nowhere")
        let paths = StubFolder(path: temporary.at("stubs")).read().files.map(\.relativePath)
        #expect(paths == ["a.json", "folder/a.json"])
    }

    /// What could be meant as a stub file, and is none, is named with the reason.
    @Test func namesThatAreNotUsedAreTold() throws {
        try temporary.write("stubs/a.json", "{}")
        for (link, target) in [
            ("dangling.json", "nowhere"), ("nothing", "nowhere"), ("notes.txt", "nowhere"),
            ("itself.yaml", "itself.yaml"),
            ("here", "."), ("above", "../.."), (".hidden.json", "nowhere"), ("__files", "nowhere"),
        ] { try temporary.link("stubs/" + link, to: target) }
        try temporary.makePipe("stubs/pipe.yaml")
        try temporary.makePipe("stubs/pipe")
        let contents = StubFolder(path: temporary.at("stubs")).read()
        #expect(contents.files.map(\.relativePath) == ["a.json"])
        #expect(contents.problems.isEmpty)
        let told = contents.unused.map { String($0.path.dropFirst(temporary.at("stubs/").count)) }
        #expect(told == ["above", "dangling.json", "here", "itself.yaml", "nothing", "pipe.yaml"])
        let reasons = contents.unused.map { String($0.message.prefix { $0 != "," }) }
        let circle = "a link to a folder in which it is"
        #expect(reasons == [circle, "a link to nowhere", circle, circle, "a link to nowhere", "a pipe"])
    }

    @Test(.enabled(if: mayBeDenied, "nothing is unreadable for root"))
    func anUnreadableFileIsAProblemWithItsPath() throws {
        try temporary.write("a.json", "{}")
        try temporary.setMode("a.json", 0)
        let contents = StubFolder(path: temporary.path).read()
        #expect(contents.problems.map(\.path) == [temporary.at("a.json")])
    }
}

@Suite struct StubFileNameTests {
    /// WireMock 3.13.2's result, except for the last three.
    @Test(
        arguments: [
            ("My Stub: Größe/1  two  ", "GET", "/x", "my-stub-gre1--two---7.json"),
            (nil, "GET", "/a/b.c?d=e&f=%20 g", "get-ab.cdef20-g-7.json"),
            (nil, "ANY", "/v[12]/.*", "any-v12.-7.json"),
            (nil, "POST", nil, "post-always-7.json"),
            (nil, "POST", "/u/{id}", "post-uid-7.json"),
            ("", "PUT", "/", "put--7.json"),
            ("   ", "PUT", "/", "----7.json"),
            (nil, "purge x", "/Ünï", "purge-x-n-7.json"),
            ("..", "PUT", "/", "-7.json"),
            ("../../etc/passwd\0", "PUT", "/", "etcpasswd-7.json"),
            (String(repeating: "n", count: 300), "PUT", "/", String(repeating: "n", count: 180) + "-7.json"),
        ] as [(String?, String, String?, String)])
    func isWireMocksDefault(name: String?, method: String, url: String?, file: String) {
        #expect(StubFileName.make(name: name, method: method, url: url, id: "7") == file)
    }
}

@Suite struct BodyFilesTests {
    private let temporary: TemporaryFolder

    init() throws {
        temporary = try TemporaryFolder()
    }

    private func bodies() throws -> BodyFiles {
        try temporary.write("__files/a.txt", "a")
        try temporary.write("__files/deep/b c.txt", "b")
        try temporary.write("secret.txt", "secret")
        try temporary.write("__files-too/secret.txt", "secret")
        try temporary.link("__files/inside.txt", to: "deep/b c.txt")
        try temporary.link("__files/inside", to: "deep")
        try temporary.link("__files/outside.txt", to: "../secret.txt")
        try temporary.link("__files/outside", to: "..")
        try temporary.link("__files/absolute.txt", to: temporary.at("secret.txt"))
        try temporary.link("__files/sibling", to: "../__files-too")
        return BodyFiles(path: temporary.at("__files"))
    }

    @Test(arguments: [
        ("a.txt", "a"), ("deep/b c.txt", "b"), ("./a.txt", "a"), ("deep//b c.txt", "b"), ("inside.txt", "b"),
        ("inside/b c.txt", "b"),
    ])
    func aFileIsReadByItsPath(path: String, content: String) throws {
        let bodies = try bodies()
        #expect(bodies.mayHave(path))
        #expect(try bodies.read(path).bytes == Array(content.utf8))
        #expect(try bodies.read(path).bytes == Array(content.utf8))
    }

    /// What is made of a file that stays on the disk is kept as long as the file is the same.
    @Test func anUnchangedLargeFileHasOneVersion() throws {
        let bodies = try bodies()
        func version() throws -> UInt64? {
            guard case .large(_, let version, _) = try bodies.open("large.txt") else { return nil }
            return version
        }
        let text = String(repeating: "x", count: BodyFiles.largestInMemory + 1)
        try temporary.write("__files/large.txt", text)
        // Soon after a change, another one might not show.
        let settled = try #require(
            eventually { (try? version()).flatMap { now in (try? version()) == now ? now : nil } })
        #expect(try version() == settled)
        try temporary.write("__files/large.txt", text + "y")
        #expect(try version() != settled)
    }

    @Test(arguments: [
        (".", true), ("./", true), ("deep", true), ("deep/", true), ("", false), ("none", false), ("a.txt/x", false),
        ("deep/none", false), ("../secret.txt", false), ("/etc/passwd", false), ("a.txt\0", false),
        (String(repeating: "x", count: 5_000), false),
    ])
    func whatIsMissingOrOutsideIsKnownToBe(path: String, mayBeThere: Bool) throws {
        #expect(try bodies().mayHave(path) == mayBeThere)
        #expect(!BodyFiles(path: temporary.at("gone")).mayHave("a.txt"))
    }

    @Test(arguments: [
        ("../secret.txt", BodyFileProblem.escapes("../secret.txt")),
        ("deep/../a.txt", .escapes("deep/../a.txt")),
        ("..", .escapes("..")),
        ("/etc/passwd", .escapes("/etc/passwd")),
        ("//a.txt", .escapes("//a.txt")),
        ("/\u{301}a.txt", .escapes("/\u{301}a.txt")),
        ("../\u{301}", .escapes("../\u{301}")),
        ("outside.txt", .escapes("outside.txt")),
        ("outside/secret.txt", .escapes("outside/secret.txt")),
        ("absolute.txt", .escapes("absolute.txt")),
        ("sibling/secret.txt", .escapes("sibling/secret.txt")),
        ("a.txt\0", .notFound("a.txt\0")),
        ("", .notFound("")),
        (".", .notAFile(".")),
        ("deep", .notAFile("deep")),
        ("outside", .escapes("outside")),
        ("a.txt/x", .notFound("a.txt/x")),
        ("none.txt", .notFound("none.txt")),
        ("..\\secret.txt", .notFound("..\\secret.txt")),
        ("%2e%2e/secret.txt", .notFound("%2e%2e/secret.txt")),
    ])
    func nothingOutsideIsRead(path: String, error: BodyFileProblem) throws {
        let bodies = try bodies()
        #expect(throws: error) { try bodies.read(path) }
    }

    @Test(.enabled(if: namesAreBytes, "the file system takes both names for one"))
    func namesThatDifferOnlyInBytesAreDifferentFiles() throws {
        try temporary.write("__files/\u{e9}", "composed")
        try temporary.write("__files/e\u{301}", "decomposed")
        let bodies = BodyFiles(path: temporary.at("__files"))
        for _ in 0..<2 {
            #expect(try bodies.read("\u{e9}").bytes == Array("composed".utf8))
            #expect(try bodies.read("e\u{301}").bytes == Array("decomposed".utf8))
        }
    }

    @Test func aChangedFileIsReadAgain() throws {
        let bodies = try bodies()
        #expect(try bodies.read("a.txt").bytes == Array("a".utf8))
        try temporary.write("__files/new", "other")
        try temporary.move("__files/new", to: "__files/a.txt")
        #expect(try bodies.read("a.txt").bytes == Array("other".utf8))
        try temporary.remove("__files/a.txt")
        #expect(throws: BodyFileProblem.notFound("a.txt")) { try bodies.read("a.txt") }
    }

    /// Shows that contents are cached: time, size and inode of the file do not reveal the change below.
    @Test func aFileOfTheSameTimeSizeAndInodeIsNotReadAgain() throws {
        try temporary.write("__files/a", "old")
        try temporary.setTime("__files/a", 1_000_000)
        let bodies = BodyFiles(path: temporary.at("__files"))
        #expect(try bodies.read("a").bytes == Array("old".utf8))
        try temporary.overwrite("__files/a", "new")
        try temporary.setTime("__files/a", 1_000_000)
        #expect(try bodies.read("a").bytes == Array("old".utf8))
        try temporary.setTime("__files/a", 1_000_001)
        #expect(try bodies.read("a").bytes == Array("new".utf8))
    }

    @Test func aFileThatHasJustChangedIsReadEachTime() throws {
        try temporary.write("__files/a", "old")
        let bodies = BodyFiles(path: temporary.at("__files"))
        for round in 0..<100 {
            try temporary.overwrite("__files/a", String(round + 100))
            #expect(try bodies.read("a").bytes == Array(String(round + 100).utf8))
        }
    }

    @Test func theCacheIsCountedUntilItIsForgotten() throws {
        for (number, size) in [100, 200, 400, 450].enumerated() {
            try temporary.write("__files/\(number)", String(repeating: "x", count: size))
            try temporary.setTime("__files/\(number)", 1_000_000)
        }
        let memory = MemoryLedger()
        let bodies = BodyFiles(path: temporary.at("__files"), cacheLimit: 1000, memory: memory)
        func read(_ names: String...) throws -> Int {
            for name in names { _ = try bodies.read(name) }
            return memory.bytes(of: .bodies)
        }
        #expect(try read("0", "1", "0") == 300)
        #expect(try read("2") == 700)
        #expect(try read("3") == 850, "the first two have left, and the last has come")
        try temporary.overwrite("__files/3", "y")
        try temporary.setTime("__files/3", 2_000_000)
        #expect(try read("3") == 401)
        bodies.forgetContents()
        #expect(memory.total == 0)
        #expect(try bodies.read("0").bytes.count == 100)
        #expect(memory.total == 100)
    }

    @Test func aSmallCacheStillYieldsEveryFile() throws {
        for number in 0..<50 {
            try temporary.write("__files/\(number)", String(repeating: "\(number % 10)", count: 100))
            try temporary.setTime("__files/\(number)", 1_000_000)
        }
        let bodies = BodyFiles(path: temporary.at("__files"), cacheLimit: 1000)
        for _ in 0..<3 {
            for number in 0..<50 {
                let expected = String(repeating: "\(number % 10)", count: 100)
                #expect(try bodies.read("\(number)").bytes == Array(expected.utf8))
            }
        }
    }

    @Test func aPipeIsSkippedWithoutWaiting() throws {
        try temporary.write("__files/a", "")
        try temporary.makePipe("__files/pipe")
        #expect(throws: BodyFileProblem.notAFile("pipe")) {
            try BodyFiles(path: temporary.at("__files")).read("pipe")
        }
    }
}
