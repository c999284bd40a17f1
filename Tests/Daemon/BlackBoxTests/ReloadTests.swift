import SDJSON
import SDTestSupport
import Testing

/// The real daemon reloads files that change while it serves them.
@Suite struct ReloadTests {
    @Test func aChangeIsLive() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /a: { body: one }"])
        #expect(try daemon.get("/a").text == "one")
        try daemon.folder.write("a.yaml", "GET /a: { body: two }")
        #expect(try eventually { try daemon.get("/a").text == "two" ? true : nil } == true)
        try daemon.folder.write("new/b.json", #"{"request": {"url": "/b"}, "response": {"body": "b"}}"#)
        #expect(try eventually { try daemon.get("/b").text == "b" ? true : nil } == true)
        try daemon.folder.remove("a.yaml")
        #expect(try eventually { try daemon.get("/a").status == 404 ? true : nil } == true)
        #expect(try daemon.get("/b").text == "b")
    }

    @Test func aBadFileKeepsItsLastGoodStubs() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /a: { body: one }"])
        try daemon.folder.write("a.yaml", "GET /a:\n  staus: 201\n")
        #expect(eventually { daemon.process.errors.contains("staus") ? true : nil } == true)
        #expect(daemon.process.errors.contains("a.yaml:2:3"))
        #expect(daemon.process.errors.contains(#"did you mean \"status\"?"#))
        #expect(try daemon.get("/a").text == "one")
        try daemon.folder.write("a.yaml", "GET /a: { body: two }")
        #expect(try eventually { try daemon.get("/a").text == "two" ? true : nil } == true)
    }

    /// An editor or a script truncates a file before it writes it.
    @Test func aFileWithoutAByteKeepsItsLastStubs() throws {
        let daemon = try Daemon(files: ["a.json": #"{"request": {"url": "/a"}, "response": {"body": "one"}}"#])
        try daemon.folder.write("a.json", "")
        #expect(
            eventually { daemon.process.errors.contains("it is empty; its last stubs are kept") ? true : nil } == true)
        #expect(try daemon.request("POST", "/__admin/reset").status == 200)
        #expect(try daemon.get("/a").text == "one")
        try daemon.folder.write("a.json", "{")
        #expect(
            eventually { daemon.process.errors.contains("the file's last valid stubs are kept") ? true : nil } == true)
        #expect(try daemon.get("/a").text == "one")
        try daemon.folder.write("a.json", "// all routes are commented out")
        #expect(try eventually { try daemon.get("/a").status == 404 ? true : nil } == true)
    }

    @Test func anUnsupportedStubKeepsTheOldOnes() throws {
        let daemon = try Daemon(files: ["a.json": #"{"request": {"url": "/a"}, "response": {"body": "one"}}"#])
        let response = #"{"status": "{{x}}", "stream": {"events": [{"data": "x"}]}}"#
        try daemon.folder.write("a.json", "{\"request\": {\"url\": \"/a\"},\n \"response\": \(response)}")
        #expect(eventually { daemon.process.errors.contains("`status` the status of a stream") ? true : nil } == true)
        #expect(daemon.process.errors.contains("a.json:2:15"))
        #expect(try daemon.get("/a").text == "one")
    }

    /// Large files are read in parts, by several threads.
    @Test func aLargeFileBehavesLikeASmallOne() throws {
        func text(_ last: String) -> String {
            let filler = String(repeating: "x", count: 500)
            let mappings = (0..<600).map { number in
                #"{"request": {"urlPath": "/\#(number)"}, "response": {"body": "\#(number) \#(filler)"}}"#
            }
            return "{\"mappings\": [\n" + (mappings + [last]).joined(separator: ",\n") + "\n]}"
        }
        let good = #"{"request": {"urlPath": "/last"}, "response": {"body": "one"}}"#
        let daemon = try Daemon(files: ["a.json": text(good)])
        #expect(try daemon.get("/599").text.hasPrefix("599 "))
        #expect(try daemon.get("/last").text == "one")
        let bad = #"{"request": {}, "respons": {}}"#
        let unserved = #"{"response": {"status": "{{x}}", "stream": {"events": [{"data": "x"}]}}}"#
        try daemon.folder.write("a.json", text(bad))
        #expect(eventually { daemon.process.errors.contains("a.json:602:17") ? true : nil } == true)
        try daemon.folder.write("a.json", text(unserved))
        #expect(eventually { daemon.process.errors.contains("a.json:602:15") ? true : nil } == true)
        try daemon.folder.write("a.json", text(good + ",\n" + #"{"id": "6e5b1f6c-0b8a-4b7e-9f0e-111111111111"}"#))
        #expect(try eventually { try daemon.get("/nowhere").status == 200 ? true : nil } == true)
        #expect(try daemon.get("/0").text.hasPrefix("0 ") == false, "the newest stub takes all")
    }

    @Test func stubsOfTheAdminAPIOutliveAReload() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /a: { body: one }"])
        try daemon.admin("POST", "/mappings", #"{"request": {"url": "/b"}, "response": {"body": "api"}}"#)
        try daemon.folder.write("a.yaml", "GET /a: { body: two }\nGET /b: { body: file }")
        #expect(try eventually { try daemon.get("/a").text == "two" ? true : nil } == true)
        #expect(try daemon.get("/b").text == "api")
        #expect(try daemon.admin("POST", "/mappings/reset").status == 200)
        #expect(try daemon.get("/b").text == "file")
    }

    @Test func aSignalReadsTheFilesAgain() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /a: { body: one }"], ["--no-watch"])
        try daemon.folder.write("a.yaml", "GET /a: { body: two }")
        #expect(try daemon.get("/a").text == "one")
        daemon.process.signal(1)
        #expect(try eventually { try daemon.get("/a").text == "two" ? true : nil } == true)
    }

    /// A saved stub is a file, and is loaded at the next start.
    @Test func savedStubsComeBack() throws {
        let first = try Daemon(files: ["mappings/a.json": #"{"request": {"url": "/a"}}"#])
        let stub = #"{"name": "Saved one", "request": {"url": "/s"}, "response": {"body": "saved"}}"#
        let id = try first.admin("POST", "/mappings", stub).json?["id"]?.stringValue ?? ""
        #expect(try first.admin("POST", "/mappings/save").status == 200)
        let saved = first.folder.files.filter { $0.contains(id) }
        #expect(saved == ["mappings/saved-one-\(id).json"])
        first.process.signal(9)
        _ = first.process.wait()

        let second = try Daemon(serving: first.folder.path)
        #expect(try second.get("/s").text == "saved")
        #expect(try second.admin("DELETE", "/mappings/\(id)").status == 200)
        #expect(first.folder.files == ["mappings/a.json"])
    }

    /// The daemon is killed at random moments while it saves: each file is complete.
    @Test func aKillInTheMiddleOfASaveLeavesNoHalfFile() throws {
        let folder = try TemporaryFolder()
        try folder.write("mappings/.keep", "")
        var rounds = 0
        var generator = SystemRandomNumberGenerator()
        while rounds < 8 {
            let daemon = try Daemon(serving: folder.path)
            let stubs = (0..<60).map { index in
                #"{"id": "00000000-0000-4000-8000-\#(String(100_000_000_000 + index))", "request": {"url": "/\#(index)"}, "response": {"body": "\#(String(repeating: "x", count: 20_000))"}}"#
            }
            let body = #"{"mappings": [\#(stubs.joined(separator: ","))]}"#
            #expect(try daemon.admin("POST", "/mappings/import", body).status == 200)
            let client = try RawClient(port: daemon.port)
            try client.send("POST /__admin/mappings/save HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
            let pause = Int.random(in: 0...20, using: &generator)
            _ = client.receive(1, within: pause)
            daemon.process.signal(9)
            _ = daemon.process.wait()
            for file in folder.files where file.hasSuffix(".json") {
                #expect(throws: Never.self) { try JSONValue(parsing: folder.read(file)) }
            }
            rounds += 1
        }
        let last = try Daemon(serving: folder.path)
        #expect(folder.files.allSatisfy { !$0.hasSuffix(".tmp") })
        #expect(last.ready["stubs"]?.intValue == folder.files.filter { $0.hasSuffix(".json") }.count)
    }
}
