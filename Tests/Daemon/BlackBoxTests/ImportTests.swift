import Foundation
import SDJSON
import SDTestSupport
import Testing

/// `stuntdouble import har`.
@Suite struct ImportTests {
    private let folder: TemporaryFolder
    private let scratch: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        scratch = try TemporaryFolder()
    }

    private func run(_ words: String...) throws -> EndedCommand {
        try EndedCommand(words, in: folder.path, outputsIn: scratch)
    }

    private func entry(
        _ url: String, _ body: String, status: Int = 200, type: String = "application/json", second: Int = 0,
        request: String = "", content: String? = nil
    ) -> String {
        let text = JSONValue.string(body).compactText
        let content = content ?? #""size": \#(body.utf8.count), "text": \#(text)"#
        return """
            { "startedDateTime": "2026-01-31T09:30:0\(second).000Z", "time": 3,
              "request": { "method": "GET", "url": "\(url)", \(request) "headersSize": -1 },
              "response": { "status": \(status), "statusText": "OK",
                "headers": [{ "name": "Content-Type", "value": "\(type)" }, { "name": "Set-Cookie", "value": "s=s3cret" }],
                "content": { "mimeType": "\(type)", \(content) } } }
            """
    }

    private func writeArchive(_ entries: String...) throws {
        try folder.write(
            "a.har", #"{ "log": { "version": "1.2", "entries": ["# + entries.joined(separator: ",") + "] } }")
    }

    /// Names of files that lead out of the archive's folder, and what is no file.
    @Test(arguments: ["link", "folder/secret", "fifo", "folder", "../secret", "/etc/hostname", "gone"])
    func bodiesComeFromTheArchivesFolderAlone(_ name: String) throws {
        let outside = try TemporaryFolder()
        try outside.write("secret", "outside")
        let place = folder.path
        try FileManager.default.createSymbolicLink(
            atPath: place + "/link", withDestinationPath: outside.path + "/secret")
        try FileManager.default.createSymbolicLink(atPath: place + "/folder", withDestinationPath: outside.path)
        #expect(mkfifo(place + "/fifo", 0o644) == 0)
        try writeArchive(
            entry("https://api.example/a", "", content: #""size": 7, "_file": "\#(name)""#),
            entry("https://api.example/b", "{}"))
        let made = try run("import", "har", "a.har", "--to", "mocks")
        #expect(made.status == 0 && made.output.contains("1 entry that cannot be read is left out"), "\(made)")
        #expect(made.output.contains("there is no such file"), "\(made)")
        let text = try String(contentsOfFile: place + "/mocks/api.example.yaml", encoding: .utf8)
        #expect(text.contains("GET /b") && !text.contains("GET /a") && !text.contains("outside"))
    }

    @Test func theSamePathOfTwoHostsIsToldApart() throws {
        try writeArchive(
            entry("https://a.example/x", "one", type: "text/plain"),
            entry("https://b.example/x", "two", type: "text/plain"))
        #expect(try run("import", "har", "a.har", "--to", "mocks").status == 0)
        #expect(try run("validate", "mocks", "--strict").status == 0)
        let daemon = try Daemon(serving: folder.path + "/mocks")
        let answers = try ["http://a.example/x", "http://b.example/x", "/x"].map { try daemon.get($0).text }
        #expect(answers == ["one", "two", "one"])
    }

    @Test(arguments: ["yaml", "wiremock"]) func whatIsWrittenAnswersAsTheArchiveSays(_ format: String) throws {
        try folder.write("picture.bin", "from a file")
        try writeArchive(
            entry("https://api.example/orders?page=1", #"{"id":7}"#),
            entry("https://api.example/orders?page=2", #"{"id":8}"#),
            entry("https://api.example/job", "wait", status: 202, type: "text/plain", second: 1),
            entry("https://api.example/job", "done", type: "text/plain", second: 2),
            entry(
                "https://api.example/picture", "", type: "image/png", content: #""size": -1, "_file": "picture.bin""#),
            entry("wss://api.example/live", ""))
        let made = try run("import", "har", "a.har", "--to", "mocks", "--format", format)
        #expect(made.status == 0, "\(made)")
        #expect(made.output.contains("1 entry of WebSockets is left out"), "\(made)")
        let daemon = try Daemon(serving: folder.path + "/mocks")
        #expect(try daemon.get("/orders?page=1").text == #"{"id":7}"#)
        #expect(try daemon.get("/orders?page=2").text == #"{"id":8}"#)
        #expect(try daemon.get("/orders?page=3").status == 404)
        let turns = try (0..<3).map { _ in try daemon.get("/job") }
        #expect(turns.map(\.status) == [202, 200, 200] && turns.map(\.text) == ["wait", "done", "done"])
        #expect(try daemon.get("/picture").text == "from a file")
        let cookie = try daemon.get("/job")["Set-Cookie"]
        #expect(cookie?.contains("s3cret") == false, "\(cookie ?? "")")
        let checked = try run("validate", "mocks", "--strict")
        #expect(checked.status == 0, "\(checked.output)\(checked.errors)")
        // The same archive makes the same files.
        let again = try run("import", "har", "a.har", "--to", "mocks", "--format", format)
        #expect(again.status == 0 && !again.output.contains("1 stub added"), "\(again.output)")
    }

    /// A body for which there is no room costs its own stub alone, in whatever order they come.
    @Test(arguments: [("yaml", 0), ("yaml", 2), ("wiremock", 0), ("wiremock", 1)])
    func whatFindsRoomIsWritten(_ format: String, _ place: Int) throws {
        let large = String(repeating: "large ", count: 1 << 19)
        var entries = ["one", "two"].map { entry("https://api.example/\($0)", $0, type: "text/plain") }
        entries.insert(entry("https://api.example/large", large, type: "text/plain"), at: place)
        entries.append(entry("https://api.example/third", String(repeating: "3", count: 9_000), type: "text/plain"))
        try folder.write("a.har", #"{ "log": { "entries": ["# + entries.joined(separator: ",") + "] } }")
        let made = EndedCommand(
            try ChildProcess(
                "/bin/sh",
                [
                    "-c", "ulimit -f 200; exec \"$0\" \"$@\"", Daemon.binary, "import", "har", "a.har", "--to", "mocks",
                    "--format", format,
                ], folder: folder.path, outputsIn: scratch))
        #expect(made.status == 1 && made.errors.contains("GET /large is left out"), "\(made)")
        #expect(!made.errors.contains("/one") && !made.errors.contains("/third"), "\(made)")
        #expect(try run("validate", "mocks", "--strict").status == 0)
        let daemon = try Daemon(serving: folder.path + "/mocks")
        #expect(try daemon.get("/one").text == "one" && daemon.get("/two").text == "two")
        #expect(try daemon.get("/third").body.count == 9_000 && daemon.get("/large").status == 404)
    }

    /// A file of bodies where the folder should be: small bodies stay in their stubs, large ones are left out.
    @Test(arguments: ["yaml", "wiremock"]) func bodiesWithoutAFolderCostNoOthers(_ format: String) throws {
        let large = String(repeating: "large ", count: 1 << 19)
        try writeArchive(
            entry("https://api.example/large", large, type: "text/plain"), entry("https://api.example/one", "1"),
            entry(
                "https://api.example/image", "", type: "image/png",
                content: #""text": "iVBORw==", "encoding": "base64""#))
        try folder.write("mocks/__files", "no folder")
        let made = try run("import", "har", "a.har", "--to", "mocks", "--format", format)
        #expect(made.status == 1 && made.errors.contains("GET /large is left out"), "\(made)")
        try FileManager.default.removeItem(atPath: folder.path + "/mocks/__files")
        let daemon = try Daemon(serving: folder.path + "/mocks")
        #expect(try daemon.get("/one").text == "1" && daemon.get("/image").body.starts(with: [0x89, 0x50]))
    }

    /// A link in the place of a file stays, wherever it leads.
    @Test(arguments: ["../elsewhere.yaml", "own.txt", "gone"]) func aLinkIsNotReplaced(_ target: String) throws {
        try folder.write("elsewhere.yaml", "GET /mine: mine\n")
        try folder.write("mocks/own.txt", "mine")
        let link = folder.path + "/mocks/api.example.yaml"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        try writeArchive(entry("https://api.example/a", "1"))
        for _ in 0..<2 {
            let made = try run("import", "har", "a.har", "--to", "mocks")
            #expect(
                made.status == 0 && made.output.contains("api.example.yaml is a link, and stays as it is"), "\(made)")
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
        }
        #expect(try String(contentsOfFile: folder.path + "/elsewhere.yaml", encoding: .utf8) == "GET /mine: mine\n")
        let text = try String(contentsOfFile: folder.path + "/mocks/api.example-2.yaml", encoding: .utf8)
        #expect(text.contains("GET /a") && !FileManager.default.fileExists(atPath: folder.path + "/mocks/gone"))
    }

    @Test func oneHostIsChosen() throws {
        try writeArchive(entry("https://api.example/a", "1"), entry("https://cdn.example/b", "2"))
        #expect(try run("import", "har", "a.har", "--to", "mocks", "--host", "cdn.example").status == 0)
        let daemon = try Daemon(serving: folder.path + "/mocks")
        #expect(try daemon.get("/a").status == 404 && daemon.get("/b").text == "2")
    }

    @Test func aBrokenArchiveIsToldAndNothingWritten() throws {
        try folder.write("a.har", "{ \"log\": {\n  \"entries\": [ { \"request\": {} } ] } }")
        let broken = try run("import", "har", "a.har", "--to", "mocks")
        #expect(broken.status == 2)
        #expect(
            broken.errors.contains("a.har:2:29: error: log.entries[0].request.method: is missing; expected a method"),
            "\(broken)")
        #expect(try run("validate", "mocks").status != 0)
        let missing = try run("import", "har", "none.har")
        #expect(missing.status == 2 && missing.errors.contains("none.har"), "\(missing.errors)")
    }

    @Test func anOpenAPIDocumentBecomesRoutes() throws {
        let document = """
            openapi: 3.0.3
            info: {title: Pets, version: '1'}
            paths:
              /pets/{id}:
                parameters: [{$ref: 'parts.yaml#/id'}]
                get:
                  responses:
                    200: {content: {application/json: {example: {id: 7}}}}
                    404: {description: None}
                post:
                  responses: {200: {content: {application/json: {schema: {type: array, items: {type: integer}}}}}}
            """
        try folder.write("mocks/pets.yaml", document)
        try folder.write("mocks/parts.yaml", "id: {name: id, in: path, required: true, schema: {type: integer}}")
        let made = try run("import", "openapi", "mocks/pets.yaml", "--to", "new")
        #expect(made.status == 0 && made.output.contains("Wrote new/pets.yaml: 3 stubs"), "\(made)")
        #expect(
            made.output.contains(
                "mocks/pets.yaml:10:5: warning: POST /pets/{id} gives every request what the document gives POST /pets/"
            ),
            "\(made)")
        let strict = try run("validate", "new", "--strict")
        #expect(strict.status == 0, "\(strict)")
        let again = try run("import", "swagger", "mocks/pets.yaml", "--to", "new")
        #expect(again.status == 0 && again.output.contains("As before: new/pets.yaml"), "\(again)")
        // Beside the document the routes have another name.
        let beside = try run("import", "openapi", "mocks/pets.yaml", "--to", "mocks")
        #expect(beside.output.contains("Wrote mocks/pets.routes.yaml"), "\(beside)")
        try folder.write("new/pets.yaml", "GET /mine: { status: 204 }")
        let kept = try run("import", "openapi", "mocks/pets.yaml", "--to", "new")
        #expect(kept.status == 1 && kept.errors.contains("already there, and different"), "\(kept)")
    }

    /// Of mappings the last is tried first.
    @Test(arguments: ["yaml", "wiremock"]) func theMoreLiteralPathAnswers(_ format: String) throws {
        let paths = ["/u/{id}", "/u/me", "/{id}", "/me"].map { path in
            let parameters = path.contains("{") ? "parameters: [{name: id, in: path, required: true, schema: {}}]," : ""
            return "  \(path): {\(parameters) get: {responses: {200: {description: a}}}}\n"
        }
        try folder.write("d.yaml", "openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths:\n\(paths.joined())")
        let made = try run("import", "openapi", "d.yaml", "--to", "new", "--format", format)
        #expect(made.status == 0, "\(made)")
        let strict = try run("validate", "new", "--strict")
        #expect(strict.status == 0, "\(strict)")
    }

    @Test func whatIsNoOpenAPIDocumentIsTold() throws {
        try folder.write("data.yaml", "a: 1")
        let made = try run("import", "openapi", "data.yaml")
        #expect(made.status == 2 && made.errors.contains("no OpenAPI document"), "\(made)")
    }

    @Test func anArchiveWithoutStubsIsAnError() throws {
        try writeArchive(entry("data:text/plain,x", "x"))
        let made = try run("import", "har", "a.har")
        #expect(
            made.status == 1 && made.output.contains("is left out") && made.errors.contains("no exchange"), "\(made)")
    }

    @Test(arguments: [
        (["import"], "import har|openapi FILE"), (["import", "har"], "import har|openapi FILE"),
        (["import", "zip", "a.har"], #"expected one of har, openapi, found "zip""#),
        (["import", "har", "a.har", "b.har"], #"unexpected argument "b.har""#),
        (["import", "har", "a.har", "--format", "json"], "one of yaml, wiremock"),
    ])
    func aWrongCommandLineIsTold(_ words: [String], _ expected: String) throws {
        let ended = try EndedCommand(words, in: folder.path, outputsIn: scratch)
        #expect(ended.status == 2 && ended.errors.contains(expected), "\(ended)")
    }
}
