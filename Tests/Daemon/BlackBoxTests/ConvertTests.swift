import SDJSON
import SDTestSupport
import Testing

/// `stuntdouble convert` by its files.
@Suite struct ConvertTests {
    private let folder: TemporaryFolder
    private let scratch: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        scratch = try TemporaryFolder()
        try folder.write(
            "wm/mappings/a.json",
            #"{ "request": { "method": "GET", "url": "/a" }, "response": { "bodyFileName": "deep/a.txt" } }"#)
        try folder.write(
            "wm/mappings/more/b.json", #"{ "request": { "urlPath": "/b" }, "response": { "status": 204 } }"#)
        try folder.write("wm/__files/deep/a.txt", "from a file")
    }

    private func run(_ words: String...) throws -> (output: String, errors: String, status: ChildProcess.Ending?) {
        let process = try ChildProcess(Daemon.binary, ["convert"] + words, folder: folder.path, outputsIn: scratch)
        let status = process.wait()
        return (process.output, process.errors, status)
    }

    @Test func aFolderIsServedLikeTheOneThatItIsMadeOf() throws {
        let routes = try run("wm", "--to", "routes")
        #expect(
            routes.output
                == "Wrote routes/a.yaml: 1 stub\nWrote routes/more/b.yaml: 1 stub\nBody files: 1 in routes/__files\n",
            "\(routes.errors)")
        let back = try run("routes", "--to", "back")
        #expect(
            back.output
                == "Wrote back/mappings/a.json: 1 stub\nWrote back/mappings/more/b.json: 1 stub\nBody files: 1 in back/__files\n",
            "\(back.errors)")
        for name in ["routes", "back"] {
            let daemon = try Daemon(serving: folder.path + "/" + name)
            #expect(try daemon.get("/a").text == "from a file")
            #expect(try daemon.get("/a?b=c").status == 404)
            #expect(try daemon.request("PUT", "/b").status == 204)
        }
    }

    @Test func filesThatDifferAreNotReplaced() throws {
        _ = try run("wm", "--to", "routes")
        let again = try run("wm", "--to", "routes")
        #expect(again.output.hasPrefix("As before: routes/a.yaml: 1 stub\n"))
        try folder.write("routes/a.yaml", "GET /mine: {}")
        let refused = try run("wm", "--to", "routes", "--json")
        #expect(refused.status == .exited(1))
        let error = try JSONValue(parsing: refused.errors.utf8)["error"]
        #expect(error?["message"] == "already there, and different: routes/a.yaml")
        #expect(error?["fix"] == "stuntdouble convert wm --to routes --force")
        #expect(try folder.read("routes/a.yaml") == "GET /mine: {}")
        #expect(try run("wm", "--to", "routes", "--force").status == .exited(0))
        #expect(try folder.read("routes/a.yaml").hasSuffix("\nANY =/a:\n  file: deep/a.txt\n") == false)
        #expect(try folder.read("routes/a.yaml").contains("GET =/a:"))
    }

    @Test func anErrorIsNamedWithItsPlace() throws {
        try folder.write("bad.json", "{\n  \"request\": { \"urll\": \"/a\" } }")
        let text = try run("bad.json")
        #expect(text.status == .exited(1) && text.output.isEmpty)
        #expect(text.errors.hasPrefix("bad.json:2:16: error: request.urll: unknown field \"urll\""), "\(text.errors)")
        let json = try JSONValue(parsing: run("bad.json", "--json").output.utf8)
        #expect(json["diagnostics"]?[0]?["line"] == 2)
        #expect(try run("missing.json").errors.hasPrefix("missing.json: error: no such file or folder"))
    }

    @Test func oneFileIsPrinted() throws {
        let json = try JSONValue(parsing: run("wm/mappings/a.json", "--json").output.utf8)
        #expect(json["format"] == "yaml" && json["stubs"] == 1 && json["mappings"] == 0)
        #expect(json["text"]?.stringValue?.contains("GET =/a:") == true)
        let several = try run("wm")
        #expect(several.status == .exited(2))
        #expect(several.errors.contains("stuntdouble convert wm --to converted"))
    }

    @Test func whatWireMockHasNoPlaceForGetsAFileOfItsOwn() throws {
        try folder.write("r/a.yaml", "GET /a: { times: 2 }\nchaos: { slow: { delay: 1s } }")
        let made = try run("r", "--to", "made")
        #expect(made.output.contains("Wrote made/mappings/a.chaos.yaml: what WireMock's form has no place for\n"))
        #expect(made.errors == "stuntdouble: r/a.yaml has what WireMock does not: times\n")
        let daemon = try Daemon(serving: folder.path + "/made")
        #expect(try daemon.admin("GET", "/faults").text.contains("slow"))
    }
}
