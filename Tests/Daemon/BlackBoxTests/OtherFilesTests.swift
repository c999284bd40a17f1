import JSON
import TestSupport
import Testing

/// Folders with other files beside valid stub files: a file that is no stub file is skipped; an invalid one stops the
/// start unless the daemon is told to keep going.
@Suite struct OtherFilesTests {
    private static let others = [
        "notes.yaml": "# nothing yet\n", "notes.json": "// nothing yet\n", "empty.json": "",
        "package.json": #"{"name": "shop", "version": "1.0.0", "scripts": {"test": "vitest"}}"#,
        "tsconfig.json": #"{"compilerOptions": {"strict": true}, "include": ["src"]}"#,
        "data/users.json": #"[{"id": 1, "email": "ada@example.org"}]"#, "data/numbers.json": "[1, 2]",
        "compose.yaml": "services:\n  mocks:\n    image: stuntdouble\n",
        "node_modules/pkg/index.json": #"{"request": {"url": "/no"}}"#, ".idea/x.json": "{",
    ]

    @Test func whatIsNoStubFileIsSkipped() throws {
        let daemon = try Daemon(files: Self.others.merging(["a.yaml": "GET /a: { body: a }"]) { $1 }, ["--verbose"])
        #expect(try daemon.get("/a").text == "a")
        #expect(daemon.ready["stubs"] == 1)
        for name in Self.others.keys where !name.hasPrefix("node_modules") && !name.hasPrefix(".") {
            #expect(daemon.process.errors.contains("skipped \(daemon.folder.path)/\(name): it "), "\(name)")
        }
        let quiet = try Daemon(files: Self.others.merging(["a.yaml": "GET /a: {}"]) { $1 })
        #expect(!quiet.process.errors.contains("skipped"))
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
    func whatIsNearlyAStubFileStopsTheStart(name: String, text: String) throws {
        let process = try started(["ok.yaml": "GET /ok: {}\n", name: text])
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
        let errors = daemon.process.errors
        for place in ["broken.yaml:", "routes.yaml:1:13", "list.json:3:", "list.json:4:36"] {
            #expect(errors.contains(place), "\(place)")
        }
        #expect(daemon.ready["stubs"] == 3)
    }

    @Test func keepGoingHoldsForWhatChanges() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /a: { body: one }\n"], ["--keep-going"])
        try daemon.folder.write("a.yaml", "GET /a: { body: two }\nGET /b: { staus: 200 }\n")
        #expect(try eventually { try daemon.get("/a").text == "two" ? true : nil } == true)
        #expect(eventually { daemon.process.errors.contains("the file's good stubs are served") ? true : nil } == true)
    }

    // MARK: Nothing to serve

    @Test func servingNothingIsToldWithTheFoldersThatWereLookedAt() throws {
        let daemon = try Daemon()
        #expect(daemon.process.errors.contains("no stubs are served: looked in \(daemon.folder.path) (no stub file)"))
        let other = try Daemon(files: ["mappings/notes.yaml": "# nothing\n"])
        #expect(other.process.errors.contains("looked in \(other.folder.path)/mappings (no stub in 1 file)"))
        let full = try Daemon(files: ["a.yaml": "GET /a: {}\n"])
        #expect(!full.process.errors.contains("no stubs are served"))
    }

    private let folder: TemporaryFolder
    private let scratch: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        scratch = try TemporaryFolder()
    }

    private func started(_ files: [String: String]) throws -> ChildProcess {
        for (name, text) in files { try folder.write(name, text) }
        return try ChildProcess(Daemon.binary, [folder.path, "--port", "0"], outputsIn: scratch)
    }
}
