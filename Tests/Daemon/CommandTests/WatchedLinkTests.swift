import SDFolders
import Testing

/// Links among the stubs: an edit of what they lead to is live as any edit is.
@Suite struct WatchedLinkTests {
    private let temporary: TemporaryFolder

    init() throws {
        temporary = try TemporaryFolder()
        try temporary.makeFolder("stubs")
    }

    private func watch(_ method: FolderWatch.Method) throws -> (mirror: FolderMirror, watch: FolderWatch) {
        let mirror = FolderMirror()
        let watch = try FolderWatch(
            StubFolder(path: temporary.at("stubs")), known: StubFolderContents(), method: method,
            onProblem: { Issue.record("the system cannot watch: \($0)") }, onChange: mirror.apply)
        return (mirror, watch)
    }

    @Test(arguments: [FolderWatch.Method.system, .polling])
    func anEditOfALinksTargetIsOneOfTheLink(method: FolderWatch.Method) async throws {
        try temporary.write("shared/real.json", "1")
        try temporary.link("stubs/a.json", to: "../shared/real.json")
        try temporary.link("stubs/b.json", to: temporary.at("shared/real.json"))
        let (mirror, watch) = try watch(method)
        await mirror.expect(["a.json": "1", "b.json": "1"])
        try temporary.overwrite("shared/real.json", "22")
        await mirror.expect(["a.json": "22", "b.json": "22"])
        // Editors replace the file by another.
        try temporary.write("shared/real.json~", "333")
        try temporary.move("shared/real.json~", to: "shared/real.json")
        await mirror.expect(["a.json": "333", "b.json": "333"])
        try temporary.overwrite("shared/real.json", "4444")
        await mirror.expect(["a.json": "4444", "b.json": "4444"])
        try temporary.remove("shared/real.json")
        await mirror.expect([:])
        try temporary.write("shared/real.json", "5")
        await mirror.expect(["a.json": "5", "b.json": "5"])
        watch.stop()
    }

    @Test(arguments: [FolderWatch.Method.system, .polling])
    func aLinkThatComesLaterIsFollowed(method: FolderWatch.Method) async throws {
        try temporary.write("shared/real.json", "1")
        try temporary.write("stubs/z.json", "z")
        let (mirror, watch) = try watch(method)
        await mirror.expect(["z.json": "z"])
        try temporary.link("stubs/a.json", to: "../shared/real.json")
        await mirror.expect(["a.json": "1", "z.json": "z"])
        try temporary.overwrite("shared/real.json", "22")
        await mirror.expect(["a.json": "22", "z.json": "z"])
        try temporary.remove("stubs/a.json")
        await mirror.expect(["z.json": "z"])
        try temporary.overwrite("shared/real.json", "333")
        try temporary.write("stubs/z.json", "zz")
        await mirror.expect(["z.json": "zz"])
        watch.stop()
    }

    /// Kubernetes mounts configuration like that: it replaces the link `..data`.
    @Test(arguments: [FolderWatch.Method.system, .polling])
    func aLinkOnTheWayMayBeSwitched(method: FolderWatch.Method) async throws {
        for (version, text) in [("one", "1"), ("two", "22"), ("three", "333")] {
            try temporary.write("config/..\(version)/a.json", text)
            try temporary.write("config/..\(version)/in/b.json", text)
        }
        try temporary.link("config/..data", to: "..one")
        try temporary.link("config/a.json", to: "..data/a.json")
        try temporary.link("stubs/a.json", to: "../config/a.json")
        try temporary.link("stubs/folder", to: "../config/..data/in")
        let (mirror, watch) = try watch(method)
        await mirror.expect(["a.json": "1", "folder/b.json": "1"])
        for (version, old, text) in [("two", "one", "22"), ("three", "two", "333")] {
            try temporary.link("config/..data_tmp", to: "..\(version)")
            try temporary.move("config/..data_tmp", to: "config/..data")
            try temporary.remove("config/..\(old)")
            await mirror.expect(["a.json": text, "folder/b.json": text])
        }
        try temporary.overwrite("config/..three/in/b.json", "4444")
        await mirror.expect(["a.json": "333", "folder/b.json": "4444"])
        watch.stop()
    }

    @Test(arguments: [FolderWatch.Method.system, .polling])
    func theTargetOfADanglingLinkIsWaitedFor(method: FolderWatch.Method) async throws {
        try temporary.link("stubs/a.json", to: "../shared/in/a.json")
        try temporary.link("stubs/folder", to: "../shared/in")
        try temporary.write("stubs/z.json", "z")
        let (mirror, watch) = try watch(method)
        await mirror.expect(["z.json": "z"])
        try temporary.makeFolder("shared")
        try temporary.write("stubs/z.json", "zz")
        await mirror.expect(["z.json": "zz"])
        try temporary.write("shared/in/a.json", "1")
        await mirror.expect(["a.json": "1", "folder/a.json": "1", "z.json": "zz"])
        watch.stop()
    }

    /// At the start as later: nothing is read twice, and each is told once.
    @Test(arguments: [FolderWatch.Method.system, .polling])
    func linksToFoldersInWhichTheyAreAreLeftOut(method: FolderWatch.Method) async throws {
        try temporary.write("stubs/in/a.json", "1")
        try temporary.link("stubs/in/first", to: "..")
        let (mirror, watch) = try watch(method)
        await mirror.expect(["in/a.json": "1"])
        try temporary.link("stubs/in/second", to: ".")
        try temporary.link("stubs/in/third", to: temporary.path)
        try temporary.link("stubs/in/fourth.json", to: "fourth.json")
        try temporary.write("stubs/in/b.json", "2")
        await mirror.expect(["in/a.json": "1", "in/b.json": "2"])
        try temporary.write("stubs/in/a.json", "11")
        await mirror.expect(["in/a.json": "11", "in/b.json": "2"])
        watch.stop()
        let told = mirror.changes.compactMap(\.unusedName).map { $0.path.dropFirst(temporary.at("stubs/in/").count) }
        #expect(told.sorted() == ["first", "fourth.json", "second", "third"])
    }
}
