import SDJSON
import SDTestSupport
import Testing

/// `stuntdouble init`: what it writes is valid, and answers as its comments say.
@Suite struct InitTests {
    private func run(_ arguments: [String], in folder: TemporaryFolder) throws -> ChildProcess {
        let process = try ChildProcess(Daemon.binary, arguments, folder: folder.path, outputsIn: folder)
        _ = process.wait()
        return process
    }

    @Test func itWritesAFolderThatIsValid() throws {
        let folder = try TemporaryFolder()
        let written = try run(["init"], in: folder)
        #expect(
            written.output.hasPrefix(
                "Wrote mocks/routes.yaml\nWrote mocks/__files/welcome.html\nWrote mocks/README.md\n"
                    + "Wrote mocks/.stubs.schema.json\n"
            ))
        #expect(
            try folder.read("mocks/routes.yaml").hasPrefix("# yaml-language-server: $schema=./.stubs.schema.json\n"))
        #expect(try folder.read("mocks/.stubs.schema.json") == run(["schema"], in: folder).output)
        #expect(try folder.read("mocks/README.md").contains("    curl http://localhost:8080/api/health\n"))
        #expect(written.output.contains("stuntdouble run mocks -- "))
        let checked = try run(["validate", "--strict", "mocks"], in: folder)
        #expect(checked.output == "1 file, 12 stubs, 0 errors\n")
        let listed = try run(["validate", "-v", "mocks"], in: folder)
        #expect(!listed.output.contains("README"))
    }

    @Test func aReadmeThatIsThereStays() throws {
        let folder = try TemporaryFolder()
        try folder.write("mocks/README.md", "mine")
        let written = try run(["init"], in: folder)
        #expect(written.wait() == .exited(0) && !written.output.contains("README"))
        #expect(try folder.read("mocks/README.md") == "mine")
    }

    @Test func itLeavesWhatIsThere() throws {
        let folder = try TemporaryFolder()
        try folder.write("mocks/routes.yaml", "GET /mine: {}")
        let process = try run(["init", "--json"], in: folder)
        #expect(process.wait() == .exited(1))
        let error = try JSONValue(parsing: process.errors.utf8)["error"]
        #expect(error?["message"] == "already there: mocks/routes.yaml")
        #expect(try folder.read("mocks/routes.yaml") == "GET /mine: {}")
    }

    @Test func everyRouteAnswers() throws {
        let folder = try TemporaryFolder()
        _ = try run(["init", "stubs"], in: folder)
        let daemon = try Daemon(serving: folder.path + "/stubs")
        func ask(_ method: String, _ target: String, _ body: String = "") throws -> HTTPAnswer {
            try daemon.request(
                method, target, headers: body.isEmpty ? [] : ["Content-Type: application/json"], body: body)
        }
        #expect(try ask("GET", "/api/health").text == #"{"status":"up"}"#)
        #expect(try ask("GET", "/api/users/7?page=2").text == #"{"id":"7","name":"Ada","page":"2"}"#)
        #expect(try ask("POST", "/api/login", #"{"user":"ada","password":"secret"}"#).text.contains("mock-token"))
        #expect(try ask("POST", "/api/login", "{}").status == 401)
        #expect(try ask("GET", "/api/books").text.contains("Compilers"))
        #expect(try ask("GET", "/api/books/1").text.contains("Notes"))
        #expect(try ask("POST", "/api/books", #"{"title":"New"}"#).status == 201)
        #expect(try ask("GET", "/").text.contains("It works"))
        #expect(try ask("GET", "/api/slow").text.contains("800ms"))
        #expect(throws: (any Error).self) { try ask("GET", "/api/broken") }
        #expect(try [1, 2, 3].map { _ in try ask("GET", "/api/flaky").status } == [503, 503, 200])
    }
}
