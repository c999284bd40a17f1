import SDJSON
import SDTestSupport
import Testing

/// Folders with other files beside valid stub files: a file that is no stub file is skipped; an invalid one stops the
/// start unless the daemon is told to keep going.
@Suite struct IgnoredFilesTests {
    private static let others = [
        "notes.yaml": "# nothing yet\n", "notes.json": "// nothing yet\n", "empty.json": "",
        "package.json": #"{"name": "shop", "version": "1.0.0", "scripts": {"test": "vitest"}}"#,
        "tsconfig.json": #"{"compilerOptions": {"strict": true}, "include": ["src"]}"#,
        "data/users.json": #"[{"id": 1, "email": "ada@example.org"}]"#, "data/numbers.json": "[1, 2]",
        "compose.yaml": "services:\n  mocks:\n    image: stuntdouble\n",
        "node_modules/pkg/index.json": #"{"request": {"url": "/no"}}"#, ".idea/x.json": "{",
    ]

    @Test func filesWithoutStubsAreSkipped() throws {
        let daemon = try Daemon(files: Self.others.merging(["a.yaml": "GET /a: { body: a }"]) { $1 }, ["--verbose"])
        #expect(try daemon.get("/a").text == "a")
        #expect(daemon.ready["stubs"] == 1)
        for name in Self.others.keys where !name.hasPrefix("node_modules") && !name.hasPrefix(".") {
            #expect(daemon.says("skipped \(daemon.folder.path)/\(name): it "), "\(name)")
        }
        let quiet = try Daemon(files: Self.others.merging(["a.yaml": "GET /a: {}"]) { $1 })
        #expect(try !log(of: quiet).contains("skipped"))
    }

    /// Without `--verbose` as well: nobody looks for what is not told.
    @Test func filesFromWhichAnswersAreExpectedAreToldBesideGoodOnes() throws {
        let mistaken = [
            "users.yaml": "users: { json: 1 }\n",
            "db.json": #"{"posts": [{"id": 1}]}"#, "routes.yaml": "routes:\n- GET /a: {}\n",
        ]
        let folder = try TemporaryFolder()
        try folder.link("link.json", to: "nowhere.json")
        let others = ["ok.yaml": "GET /ok: {}\n", "package.json": #"{"name": "x", "version": "1"}"#, "x.json": ""]
        for (name, text) in mistaken.merging(others, uniquingKeysWith: { $1 }) { try folder.write(name, text) }
        let names = mistaken.keys.sorted() + ["link.json"]
        let daemon = try Daemon(serving: folder.path)
        #expect(try daemon.get("/ok").status == 200)
        try folder.write("late.yaml", "mocks: [ { path: /a, method: GET } ]\n")
        try folder.write("notes.yaml", "a: 1\n")
        for name in names + ["late.yaml"] {
            #expect(eventually { says(daemon, "/\(name)", "\"warning\"") ? true : nil } == true, "\(name)")
        }
        #expect(eventually { says(daemon, "no stubs in", "notes.yaml: it has no route") ? true : nil } == true)
        #expect(!says(daemon, "no stubs in", "late.yaml"))
        #expect(says(daemon, "no stubs in", "package.json, ", "x.json", "--verbose tells why"))

        let validation = try ChildProcess(Daemon.binary, ["validate", folder.path], outputsIn: scratch)
        #expect(validation.wait() == .exited(0))
        for name in names { #expect(validation.output.contains("/\(name)"), "\(validation.output)") }
        try folder.remove("ok.yaml")
        let alone = try ChildProcess(Daemon.binary, ["validate", folder.path], outputsIn: scratch)
        #expect(alone.wait() == .exited(1))
        #expect(alone.output.contains("nothing to check"))
    }

    @Test func aFileWhoseRoutesWereCommentedOutLosesThem() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /a: {}\n", "b.yaml": "GET /b: {}\n"])
        try daemon.folder.write("a.yaml", "# GET /a: {}\n")
        #expect(try eventually { try daemon.get("/a").status == 404 ? true : nil } == true)
        #expect(try daemon.get("/b").status == 200)
    }

    @Test func aPackageThatIsInstalledWhileServingIsNotRead() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /a: {}\n"])
        try daemon.folder.write("node_modules/pkg/x.yaml", "GET /x: {}\n")
        try daemon.folder.write("b.yaml", "GET /b: {}\n")
        #expect(try eventually { try daemon.get("/b").status == 200 ? true : nil } == true)
        #expect(try daemon.get("/x").status == 404)
    }

    /// A stub file with a mistake is not taken for another kind of file.
    @Test(arguments: [
        ("a.json", #"{"requst": {"url": "/a"}, "respons": {}}"#), ("a.json", #"{"method": "GET", "url": "/a"}"#),
        ("a.json", #"[{"maping": 1}, {"request": {"urll": "/a"}}]"#), ("a.yaml", "mapings: []\n"),
        ("a.yaml", "get /a: {}\n"), ("a.yaml", "/a: {}\n"), ("a.yaml", "GET a: {}\n"), ("a.yaml", "Get a: {}\n"),
        ("a.yaml", "GET: { url: /a }\n"), ("a.yaml", "GET /a\n"), ("a.yaml", "DELET a: {}\n"), ("a.json", "{"),
    ])
    func anAlmostValidStubFileStopsTheStart(name: String, text: String) throws {
        let process = try folder.startDaemon(with: ["ok.yaml": "GET /ok: {}\n", name: text], outputsIn: scratch)
        #expect(process.wait() == .exited(1))
        #expect(process.errors.contains("/\(name):1:"))
        #expect(process.errors.contains("--keep-going serves the rest"))
    }

    @Test func keepGoingServesTheRest() throws {
        let daemon = try Daemon(
            files: [
                "broken.yaml": "GET /broken: [\n", "ok.yaml": "GET /ok: { body: ok }\n",
                "routes.yaml": "GET /one: { staus: 200 }\nGET /two: { body: two }\n",
                "list.json": """
                { "mappings": [
                  { "request": { "url": "/three" }, "response": { "body": "three" } },
                  { "request": { "urlPattern": "/(" } },
                  { "request": { "url": "/four" }, "respnse": {} }
                ] }
                """,
            ], ["--keep-going"])
        #expect(try daemon.get("/ok").text == "ok")
        #expect(try daemon.get("/two").text == "two")
        #expect(try daemon.get("/three").text == "three")
        for path in ["/broken", "/one", "/four", "/("] { #expect(try daemon.get(path).status == 404) }
        for place in ["broken.yaml:", "routes.yaml:1:13", "list.json:3:", "list.json:4:36"] {
            #expect(daemon.says(place), "\(place)")
        }
        #expect(daemon.ready["stubs"] == 3)
    }

    /// Of several stubs with the same id only the first is served; other stubs in their files are served as well.
    @Test func keepGoingLeavesOutOnlyTheSecondStubOfAnID() throws {
        let id = "6f6d0b5e-0000-4000-8000-000000000001"
        func stub(_ path: String, _ id: String?) -> String {
            #"{ \#(id.map { #""id": "\#($0)", "# } ?? "")"request": {"url": "\#(path)"}, "response": {"body": "\#(path)"} }"#
        }
        let daemon = try Daemon(
            files: [
                "a.json": "[\(stub("/1", id)),\n\(stub("/2", id)), {\"respnse\": 1},\n\(stub("/3", nil))]",
                "b.json": "[\(stub("/4", id)),\n\(stub("/5", nil))]",
            ], ["--keep-going"])
        for path in ["/1", "/3", "/5"] { #expect(try daemon.get(path).text == path) }
        for path in ["/2", "/4"] { #expect(try daemon.get(path).status == 404, "\(path)") }
        let log = try log(of: daemon)
        #expect(log.contains("a.json:2:9: error: [1].id: duplicate id \(id)"))
        #expect(log.contains("b.json:1:10: error: [0].id: duplicate id \(id)"))
    }

    @Test func keepGoingReportsThatTheLastGoodStubsStay() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /a: { body: one }\n"], ["--keep-going"])
        try daemon.folder.write("a.yaml", "GET /a: { body: two\n")
        #expect(
            eventually { daemon.process.errors.contains("the file's last valid stubs are kept") ? true : nil } == true)
        #expect(try daemon.get("/a").text == "one")
    }

    /// What a message says of earlier stubs is true: there may be none.
    @Test func aBrokenFileWithoutEarlierStubsIsServedByNone() throws {
        let daemon = try Daemon(
            files: [
                "broken.yaml": "GET /broken: [\n", "half.yaml": "GET /one: { staus: 200 }\nGET /two: {}\n",
                "wrong.yaml": "GET /three: { staus: 200 }\n",
            ], ["--keep-going"])
        #expect(
            eventually { says(daemon, "broken.yaml:", "; none of the file's stubs are served") ? true : nil } == true)
        #expect(eventually { says(daemon, "half.yaml:", "; the file's valid stubs are served") ? true : nil } == true)
        #expect(
            eventually { says(daemon, "wrong.yaml:", "; none of the file's stubs are served") ? true : nil } == true)
        try daemon.folder.write("new.yaml", "GET /new: [\n")
        #expect(eventually { says(daemon, "new.yaml:", "; none of the file's stubs are served") ? true : nil } == true)
        #expect(!daemon.process.errors.contains("are kept"))
    }

    @Test func withoutKeepGoingOnlyAFileThatHadStubsKeepsThem() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /a: {}\n"])
        try daemon.folder.write("b.yaml", "GET /b: { staus: 200 }\nGET /c: {}\n")
        #expect(eventually { says(daemon, "b.yaml:", "; none of the file's stubs are served") ? true : nil } == true)
        try daemon.folder.write("a.yaml", "GET /a: {\n")
        #expect(eventually { says(daemon, "a.yaml:", "; the file's last valid stubs are kept") ? true : nil } == true)
        #expect(try daemon.get("/a").status == 200)
    }

    /// Whether a line of the log has all parts.
    private func says(_ daemon: Daemon, _ parts: String...) -> Bool {
        daemon.process.errors.split(separator: "\n").contains { line in parts.allSatisfy { line.contains($0) } }
    }

    /// All that is wrong is told at once, in the order of the files and of their lines.
    @Test func allProblemsAreReportedInTheOrderOfTheFiles() throws {
        let process = try folder.startDaemon(
            with: [
                "b.yaml":
                    "GET /b: { when: { headers: { A: { matches: '(' } } } }\nGET /c: { when: { path: { matches: '(' } } }\n",
                "a.yaml": "GET /x: { file: x.png }\nGET /y: { file: y.png }\nGET ~/(: {}\n",
            ], outputsIn: scratch)
        #expect(process.wait() == .exited(1))
        let places = process.errors.split(separator: "\n").compactMap { line -> String? in
            guard let name = line.firstRange(of: ".yaml:") else { return nil }
            let letter = line[line.index(before: name.lowerBound)]
            return "\(letter)\(line[name.upperBound...].prefix { $0 != ":" })"
        }
        #expect(places == ["a1", "a2", "a3", "b1", "b2"], "\(process.errors)")
    }

    @Test func stubFilesBesideAMappingsFolderAreReportedInOneLine() throws {
        let daemon = try Daemon(files: [
            "mappings/a.yaml": "GET /a: {}\n", "b.yaml": "GET /b: {}\n", "c.json": #"{"request": {"url": "/c"}}"#,
            "package.json": #"{"name": "shop", "version": "1.0.0"}"#, "sub/d.yaml": "GET /d: {}\n",
        ])
        let lines = try log(of: daemon).split(separator: "\n")
        #expect(lines.count == 1)
        #expect(lines.first?.contains("b.yaml and c.json in \(daemon.folder.path) are not read: ") == true)
        let plain = try Daemon(files: [
            "mappings/a.yaml": "GET /a: {}\n", "package.json": #"{"name": "shop", "version": "1"}"#,
        ])
        #expect(try log(of: plain).isEmpty)
        let wireMock = try TemporaryFolder()
        try wireMock.write("mappings/a.yaml", "GET /a: {}\n")
        try wireMock.write("b.yaml", "GET /b: {}\n")
        let layout = try Daemon(serving: "--root-dir=\(wireMock.path)")
        #expect(try log(of: layout).isEmpty)
    }

    /// Of both folders in one, the command line or the names decide which is served, and the other one is named.
    @Test(
        arguments: [
            // Nothing is named, the folder itself, its folder `mocks`, WireMock's layout.
            ("--log-format=json", "/ours", "the stubs in mappings are not served, as there is a folder mocks"),
            (".", "/theirs", "the stubs in ./mocks are not served, as those in ./mappings are"),
            ("mocks", "/ours", "the stubs in mappings are not served"),
            ("mappings", "/theirs", nil),
            ("--root-dir=.", "/theirs", "the stubs in ./mocks are not served, as those in ./mappings are"),
        ] as [(String, String, String?)])
    func ofMocksAndMappingsTheOneThatIsNotServedIsNamed(root: String, served: String, warning: String?) throws {
        let folder = try TemporaryFolder()
        try folder.write("mappings/a.json", #"{"request": {"url": "/theirs"}}"#)
        try folder.write("mocks/b.yaml", "GET /ours: {}\n")
        let daemon = try Daemon(
            serving: root, startedBy: ["/bin/sh", "-c", "cd '\(folder.path)' && exec \"$@\"", "sh"])
        #expect(try daemon.get(served).status == 200)
        let lines = try log(of: daemon).split(separator: "\n")
        #expect(lines.count == (warning == nil ? 0 : 1), "\(lines)")
        if let warning { #expect(lines.first?.contains(warning) == true, "\(lines)") }
    }

    /// The container image has an empty folder `mappings`.
    @Test func anEmptyFolderIsNotNamed() throws {
        let folder = try TemporaryFolder()
        try folder.write("mocks/b.yaml", "GET /ours: {}\n")
        try folder.write("mappings/README.md", "For WireMock.")
        let daemon = try Daemon(
            serving: "--log-format=json", startedBy: ["/bin/sh", "-c", "cd '\(folder.path)' && exec \"$@\"", "sh"])
        #expect(try log(of: daemon).isEmpty)
    }

    @Test func keepGoingAppliesToChangedFiles() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /a: { body: one }\n"], ["--keep-going"])
        try daemon.folder.write("a.yaml", "GET /a: { body: two }\nGET /b: { staus: 200 }\n")
        #expect(try eventually { try daemon.get("/a").text == "two" ? true : nil } == true)
        #expect(eventually { daemon.process.errors.contains("the file's valid stubs are served") ? true : nil } == true)
    }

    // MARK: Nothing to serve

    @Test func servingNothingIsReportedWithTheFoldersThatWereSearched() throws {
        let daemon = try Daemon()
        #expect(
            daemon.says("no stubs: searched \(daemon.folder.path) (no stub files) for names that end in .json, .yaml"))
        #expect(daemon.says("a first file could be \(daemon.folder.path)/hello.yaml with the line"))
        let other = try Daemon(files: ["mappings/notes.yaml": "# nothing\n"])
        #expect(other.says("searched \(other.folder.path)/mappings (no stubs in 1 file)"))
        let full = try Daemon(files: ["a.yaml": "GET /a: {}\n"])
        #expect(try !log(of: full).contains("no stubs: "))
    }

    /// All that a daemon has logged; it is ended for that, as lines are written behind its back.
    private func log(of daemon: Daemon) throws -> String {
        daemon.process.signal(15)
        #expect(daemon.process.wait() != nil)
        return daemon.process.errors
    }

    private let folder: TemporaryFolder
    private let scratch: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        scratch = try TemporaryFolder()
    }
}
