import SDJSON
import SDTestSupport
import Testing

/// Documents of URLs, to which OpenAPI documents of files refer.
@Suite struct OpenAPIRemoteTests {
    /// A server that says something for each path.
    private final class Documents: Sendable {
        let server: RawServer
        let answers: Locked<[String: String]>
        let heads: Locked<[String]>

        init(_ given: [String: String]) throws {
            let (answers, heads) = (Locked(given), Locked([String]()))
            server = try RawServer { client, _ in
                let head = client.receive(until: "\r\n\r\n").text
                heads.withLock { $0.append(head) }
                let path = head.split(separator: " ").dropFirst().first.map { String($0) } ?? ""
                switch path {
                case "/slow": _ = client.receiveAll(within: 20_000)
                case "/drip":
                    try client.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
                    while !client.waitUntilReadable(microseconds: 200_000) { try client.send(" ") }
                case "/huge":
                    try client.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
                    let spaces = [UInt8](repeating: 0x20, count: 1 << 20)
                    while true { try client.send(spaces) }
                default:
                    let answer = answers.withLock { $0[path] } ?? "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
                    try client.send(answer)
                }
            }
            (self.answers, self.heads) = (answers, heads)
        }

        var url: String { "http://127.0.0.1:\(server.port)" }

        static func ok(_ text: String) -> String {
            "HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\nConnection: close\r\n\r\n\(text)"
        }

        func set(_ path: String, _ answer: String?) { answers.withLock { $0[path] = answer } }
    }

    private static let colour =
        #"{"Colour": {"type": "string", "enum": ["blue"]}, "Shade": {"$ref": "shades.yaml#/S"}}"#

    /// A document with an operation for each schema, and one without any.
    private static func document(_ references: [String]) -> String {
        let paths = references.enumerated().map { index, reference in
            """
              /r\(index):
                get: {responses: {"200": {description: d, content: {application/json: {schema: {$ref: "\(reference)"}}}}}}
            """
        }
        return """
            openapi: 3.1.0
            info: {title: t, version: "1"}
            paths:
              /plain: {get: {responses: {"200": {description: d, content: {text/plain: {example: plain}}}}}}
            \(paths.joined(separator: "\n"))
            """
    }

    @Test func documentsOfURLsAreReadWhenTheFileIs() throws {
        let documents = try Documents([
            "/a/colours.json": Documents.ok(Self.colour),
            "/a/shades.yaml": Documents.ok("S: {type: string, const: dark}\n"),
        ])
        let references = ["Colour", "Shade"].map { "\(documents.url)/a/colours.json#/\($0)" }
        let daemon = try Daemon(files: ["api.yaml": Self.document(references)], ["--openapi-remote"])
        #expect(documents.heads.withLock { $0.count } == 2)
        #expect(try daemon.get("/r0").text == #""blue""#)
        #expect(try daemon.get("/r1").text == #""dark""#)
        _ = try daemon.admin("POST", "/mappings/reset")
        #expect(try daemon.get("/r0").text == #""blue""#)
        #expect(documents.heads.withLock { $0.count } == 2, "a reset reads no URL again")
        #expect(documents.heads.withLock { !$0.joined().lowercased().contains("authorization") })
    }

    @Test func whatFailsIsAFindingAtItsReference() throws {
        let documents = try Documents([
            "/moved": "HTTP/1.1 302 Found\r\nLocation: /a\r\nContent-Length: 0\r\n\r\n",
            "/a": Documents.ok("{}"), "/page": Documents.ok("<html>no</html>"), "/broken": Documents.ok(#"{"a": "#),
            "/bomb": Documents.ok(
                "a: &a [1,1,1,1,1,1,1,1,1]\n"
                    + (1..<12).map { index in
                        let before = index == 1 ? "a" : "a\(index - 1)"
                        return "a\(index): &a\(index) [" + (0..<9).map { _ in "*\(before)" }.joined(separator: ",")
                            + "]\n"
                    }.joined()),
        ])
        let names = ["moved", "page", "broken", "huge", "none", "bomb"]
        let references =
            names.map { "\(documents.url)/\($0)#/X" }
            + ["http://ada:secret@127.0.0.1:\(documents.server.port)/a#/X"]
        let daemon = try Daemon(files: ["api.yaml": Self.document(references)], ["--openapi-remote"])
        #expect(try daemon.get("/plain").text == "plain")
        for (index, text) in [
            "which is not followed", "it is no document", "is not valid JSON",
            "it is too large", "the answer is 404",
        ].enumerated() {
            #expect(daemon.says("api.yaml:\(6 + 2 * index):"), "\(text): \(daemon.process.errors)")
            #expect(daemon.says(text), "\(text): \(daemon.process.errors)")
        }
        #expect(daemon.says("nothing is read with a user or password"))
        #expect(!daemon.process.errors.contains("secret"))
        #expect(documents.heads.withLock { heads in !heads.contains { $0.hasPrefix("GET /a ") } })
    }

    @Test(arguments: [
        (["--deny-proxy-targets", "127.0.0.1"], "may not be called"),
        (["--allow-proxy-targets", "10.0.0.1"], "may not be called"),
        (["--no-upstream"], "--no-upstream forbids calls to other servers"), ([], "references to URLs are off"),
    ])
    func theGateDecides(options: [String], reason: String) throws {
        let documents = try Documents(["/a": Documents.ok(Self.colour)])
        let files = ["api.yaml": Self.document(["\(documents.url)/a#/Colour"])]
        let daemon = try Daemon(files: files, options + (options.isEmpty ? [] : ["--openapi-remote"]))
        #expect(daemon.says(reason), "\(daemon.process.errors)")
        #expect(try daemon.get("/plain").text == "plain")
        #expect(documents.server.connections == 0)
    }

    @Test func aDocumentByTheAdminAPIReadsNoURL() throws {
        let documents = try Documents(["/a": Documents.ok(Self.colour)])
        let daemon = try Daemon(["--openapi-remote"])
        let answer = try daemon.request(
            "POST", "/__admin/mappings/import", body: Self.document(["\(documents.url)/a#/Colour"]))
        #expect(answer.status == 200, "\(answer.text)")
        #expect(try daemon.get("/plain").text == "plain")
        #expect(documents.server.connections == 0)
    }

    @Test func othersAreServedWhileASlowServerIsWaitedFor() throws {
        let documents = try Documents(["/a": Documents.ok(Self.colour)])
        let daemon = try Daemon(
            files: ["api.yaml": Self.document(["\(documents.url)/a#/Colour"])], ["--openapi-remote"])
        try daemon.folder.write("api.yaml", Self.document(["\(documents.url)/a#/Colour", "\(documents.url)/drip#/X"]))
        #expect(eventually(within: 30_000) { documents.heads.withLock { $0.count >= 3 } ? true : nil } == true)
        let start = ContinuousClock.now
        #expect(try daemon.get("/r0").text == #""blue""#)
        #expect(
            try daemon.admin("POST", "/mappings", #"{"request": {"url": "/new"}, "response": {"body": "new"}}"#).status
                == 201)
        #expect(try daemon.admin("POST", "/reset").status == 200)
        #expect(try daemon.get("/plain").text == "plain")
        #expect(ContinuousClock.now - start < .seconds(9))
        #expect(
            eventually(within: 30_000) { daemon.process.errors.contains("did not come within 10 s") ? true : nil }
                == true)
    }

    @Test func whatCannotBeReadAgainStays() throws {
        let documents = try Documents(["/a": Documents.ok(Self.colour)])
        let text = Self.document(["\(documents.url)/a#/Colour"])
        let daemon = try Daemon(files: ["api.yaml": text], ["--openapi-remote"])
        documents.set("/a", nil)
        try daemon.folder.write("api.yaml", text + "# changed\n")
        #expect(
            eventually(within: 30_000) {
                daemon.process.errors.contains("cannot be read again, and stays") ? true : nil
            }
                == true)
        #expect(try daemon.get("/r0").text == #""blue""#)
        documents.set("/a", Documents.ok(Self.colour.replacing("blue", with: "red")))
        try daemon.folder.write("api.yaml", text + "# again\n")
        #expect(eventually(within: 30_000) { (try? daemon.get("/r0").text) == #""red""# ? true : nil } == true)
    }

    @Test func validateReadsThemWithTheOption() throws {
        let documents = try Documents(["/a": Documents.ok(Self.colour)])
        let (folder, scratch) = (try TemporaryFolder(), try TemporaryFolder())
        try folder.write("api.yaml", Self.document(["\(documents.url)/a#/Colour"]))
        #expect(try EndedCommand(["validate", folder.path, "--strict"], outputsIn: scratch).status == 1)
        #expect(documents.server.connections == 0)
        let ended = try EndedCommand(["validate", folder.path, "--strict", "--openapi-remote"], outputsIn: scratch)
        #expect(ended.status == 0, "\(ended.output)")
        #expect(documents.server.connections == 1)
    }
}
