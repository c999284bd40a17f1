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

    private func run(_ words: String...) throws -> EndedCommand {
        try EndedCommand(["convert"] + words, in: folder.path, outputsIn: scratch)
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
        #expect(refused.status == 1)
        let error = refused.error
        #expect(error?["message"] == "already there, and different: routes/a.yaml")
        #expect(error?["fix"] == "stuntdouble convert wm --to routes --force")
        #expect(try folder.read("routes/a.yaml") == "GET /mine: {}")
        #expect(try run("wm", "--to", "routes", "--force").status == 0)
        #expect(try folder.read("routes/a.yaml").hasSuffix("\nANY =/a:\n  file: deep/a.txt\n") == false)
        #expect(try folder.read("routes/a.yaml").contains("GET =/a:"))
    }

    @Test func anErrorIsNamedWithItsPlace() throws {
        try folder.write("bad.json", "{\n  \"request\": { \"urll\": \"/a\" } }")
        let text = try run("bad.json")
        #expect(text.status == 1 && text.output.isEmpty)
        #expect(text.errors.hasPrefix("bad.json:2:16: error: request.urll: unknown field \"urll\""), "\(text.errors)")
        let error = try run("bad.json", "--json").error
        #expect(error?["line"] == 2 && error?["nearest"] == "url")
        #expect(try run("missing.json").errors.hasPrefix("missing.json: error: no such file or folder"))
    }

    /// Those of a folder that is served with `--global-response-templating`.
    @Test func templatesStayTemplates() throws {
        for (name, response) in [
            ("a", #"{ "body": "{{request.path}}" }"#), ("b", #"{ "bodyFileName": "b.txt" }"#),
            ("c", #"{ "body": "plain" }"#),
            ("d", #"{ "body": "{{request.path}}", "transformers": ["response-template"] }"#),
        ] {
            try folder.write(
                "t/mappings/\(name).json", #"{ "request": { "url": "/\#(name)" }, "response": \#(response) }"#)
        }
        try folder.write("t/__files/b.txt", "{{request.path}}")
        let all = try run("--global-response-templating", "t", "--to", "all")
        #expect(all.status == 0 && all.errors == "", "\(all)")
        let daemon = try Daemon(serving: folder.path + "/all")
        #expect(try ["/a", "/b", "/c", "/d"].map { try daemon.get($0).text } == ["/a", "/b", "plain", "/d"])
        let texts = try run("t", "--to", "texts")
        #expect(texts.errors.hasPrefix("stuntdouble: the templates of 1 stub are written as texts"), "\(texts)")
        #expect(try folder.read("texts/a.yaml").contains("template: false"))
    }

    @Test func oneFileIsPrinted() throws {
        let json = try JSONValue(parsing: run("wm/mappings/a.json", "--json").output.utf8)
        #expect(json["format"] == "yaml" && json["stubs"] == 1 && json["mappings"] == 0)
        #expect(json["text"]?.stringValue?.contains("GET =/a:") == true)
        let several = try run("wm")
        #expect(several.status == 2)
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
