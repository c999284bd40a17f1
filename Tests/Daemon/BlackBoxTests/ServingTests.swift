import SDJSON
import SDTestSupport
import Testing

/// Requests to the real daemon that serves a folder.
@Suite struct ServingTests {
    @Test func everyKindOfFileIsServed() throws {
        let daemon = try Daemon(files: [
            "one.json": #"{"request": {"url": "/one", "method": "GET"}, "response": {"body": "1"}} // fine"#,
            "many.json": #"{"mappings": [{"request": {"urlPath": "/two"}, "response": {"jsonBody": {"n": 2}}}]}"#,
            "list.yaml": "- request: { urlPathTemplate: '/three/{id}' }\n  response: { base64Body: dGhyZWU= }\n",
            "routes.yml": "GET /four: { file: deep/four.txt }\nPOST /five: { status: 201 }\n",
            "deeper/six.json": #"{"GET /six": {"json": [1, 2]}}"#,
            "__files/deep/four.txt": "four",
        ])
        #expect(daemon.ready["stubs"]?.intValue == 6)
        #expect(try daemon.get("/one").text == "1")
        #expect(try daemon.get("/two?x=1").text == #"{"n":2}"#)
        #expect(try daemon.get("/three/7").text == "three")
        #expect(try daemon.get("/four").text == "four")
        #expect(try daemon.request("POST", "/five").status == 201)
        #expect(try daemon.get("/six").json == [1, 2])
        #expect(try daemon.get("/seven").status == 404)
    }

    @Test func theStubThatAnsweredIsNamed() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /a: { name: Ä wörk, body: x }"])
        let answer = try daemon.get("/a")
        #expect(answer["Matched-Stub-Id"]?.utf8.count == 36)
        #expect(answer["matched-stub-name"] == "? w?rk")
    }

    @Test func mappingsFolderWinsOverTheRest() throws {
        let daemon = try Daemon(files: [
            "mappings/a.json": #"{"request": {"url": "/a"}}"#, "package.json": "{ not json", "b.yaml": "x: [",
        ])
        #expect(try daemon.get("/a").status == 200)
    }

    /// Low numbers win first, then the stub inserted last.
    @Test func priorityThenNewestDecides() throws {
        let daemon = try Daemon(files: [
            "a.yaml": "GET /x: { body: a }", "b.yaml": "GET /x: { body: b }",
            "c.yaml": "GET /x: { body: c, priority: 9 }",
        ])
        #expect(try daemon.get("/x").text == "b")
        try daemon.admin("POST", "/mappings", #"{"request": {"url": "/x"}, "response": {"body": "api"}}"#)
        #expect(try daemon.get("/x").text == "api")
        try daemon.admin("POST", "/mappings", #"{"priority": 1, "request": {"url": "/x"}, "response": {"body": "1"}}"#)
        try daemon.admin("POST", "/mappings", #"{"request": {"url": "/x"}, "response": {"body": "late"}}"#)
        #expect(try daemon.get("/x").text == "1")
    }

    @Test func bodyFilesNeverLeaveTheirFolder() throws {
        let daemon = try Daemon(files: [
            "secret.txt": "secret", "__files/in.txt": "in",
            "a.json": #"{"mappings": [{"request": {"url": "/up"}, "response": {"bodyFileName": "../secret.txt"}}]}"#,
        ])
        #expect(try daemon.get("/up").status == 500)
        #expect(try !daemon.get("/up").text.contains("secret\n"))
        #expect(try daemon.get("/__files/in.txt").text == "in")
        #expect(try daemon.get("/in.txt").text == "in")
        for path in ["/__files/..%2fsecret.txt", "/..%2fsecret.txt", "/__files/%2e%2e%2fsecret.txt", "/secret.txt"] {
            #expect(try daemon.get(path).status >= 400, "\(path)")
        }
    }

    @Test func delaysAreNeverTooShort() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /slow: { delay: 150ms, body: late }"])
        let clock = ContinuousClock()
        let began = clock.now
        #expect(try daemon.get("/slow").text == "late")
        #expect(clock.now - began >= .milliseconds(150))
    }

    @Test func theGlobalDelayAppliesToStubsWithoutOne() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /a: {}\nGET /b: { delay: 1ms }"])
        #expect(try daemon.admin("POST", "/settings", #"{"fixedDelay": 120}"#).status == 200)
        let clock = ContinuousClock()
        let began = clock.now
        _ = try daemon.get("/a")
        #expect(clock.now - began >= .milliseconds(120))
        #expect(try daemon.admin("GET", "/settings").json?["settings"]?["fixedDelay"]?.intValue == 120)
    }

    @Test(arguments: [
        ("/empty", "", RawClient.Ending.fin),
        ("/reset", "", .rst),
        (
            "/chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nlskdu018973t09sylgasjkfg1][]'./.sdlv",
            .fin
        ),
        ("/garbage", "lskdu018973t09sylgasjkfg1][]'./.sdlv", .fin),
    ])
    func faultsBreakTheConnection(_ path: String, _ bytes: String, _ ending: RawClient.Ending) throws {
        let daemon = try Daemon(files: [
            "faults.yaml": """
            GET /empty: { fault: EMPTY_RESPONSE }
            GET /reset: { fault: CONNECTION_RESET_BY_PEER }
            GET /chunk: { fault: MALFORMED_RESPONSE_CHUNK }
            GET /garbage: { fault: RANDOM_DATA_THEN_CLOSE }
            """
        ])
        let client = try RawClient(port: daemon.port)
        try client.send("GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n")
        let received = client.receiveAll()
        #expect(received.text == bytes)
        #expect(received.ending == ending)
    }

    @Test func dribbledBodiesArriveInTheirChunks() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /d: { body: abcdefghij, dribble: { chunks: 3, over: 90ms } }"])
        let client = try RawClient(port: daemon.port)
        let clock = ContinuousClock()
        let began = clock.now
        try client.send("GET /d HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        let received = client.receiveAll()
        #expect(received.text.hasSuffix("\r\n\r\n3\r\nabc\r\n3\r\ndef\r\n4\r\nghij\r\n0\r\n\r\n"))
        #expect(clock.now - began >= .milliseconds(90))
    }

    @Test func gzipIsSentOnlyToClientsThatAcceptIt() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /a: { body: hello }"])
        let zipped = try daemon.request("GET", "/a", headers: ["Accept-Encoding: gzip, deflate"])
        #expect(zipped["Content-Encoding"] == "gzip")
        #expect(zipped.body.starts(with: [0x1f, 0x8b]))
        #expect(try daemon.request("GET", "/a", headers: ["Accept-Encoding: gzip;q=0"]).text == "hello")
        let plain = try Daemon(files: ["a.yaml": "GET /a: { body: hello }"], ["--disable-gzip"])
        #expect(try plain.request("GET", "/a", headers: ["Accept-Encoding: gzip"]).text == "hello")
    }

    /// The nearest folder counts, a change at once.
    @Test func aFileOfAFolderOpensItsStubsToPages() throws {
        let daemon = try Daemon(files: [
            "cors.yaml": "cors: true", "a.yaml": "GET /a: { body: a }", "own/cors.yaml": "cors: https://page",
            "own/b.yaml": "GET /b: { body: b }",
        ])
        let page = ["Origin: https://page"]
        #expect(try daemon.request("GET", "/a", headers: page)["Access-Control-Allow-Origin"] == "*")
        #expect(try daemon.request("GET", "/b", headers: page)["Access-Control-Allow-Origin"] == "https://page")
        #expect(try daemon.request("GET", "/b", headers: ["Origin: https://x"])["Access-Control-Allow-Origin"] == nil)
        let asked = page + ["Access-Control-Request-Method: GET"]
        #expect(try daemon.request("OPTIONS", "/b", headers: asked).status == 200)
        let closed = try Daemon(files: ["a.yaml": "GET /a: { body: a }"])
        #expect(try closed.request("OPTIONS", "/a", headers: asked).status == 404)
        let named = eventually { closed.process.errors.contains("--enable-stub-cors") ? true : nil }
        #expect(named == true)
    }

    /// It costs milliseconds instead of minutes, and the log mentions it.
    @Test func aCatastrophicExpressionIsAbandonedAndNamed() throws {
        let daemon = try Daemon(files: ["a.yaml": "\"GET ~/(a+)+[^a]\": { body: never }\nGET /ok: { body: fine }"])
        let answer = try daemon.get("/" + String(repeating: "a", count: 5_000))
        #expect(answer.status == 500 && answer.text.contains("/(a+)+[^a]"), "\(answer.text)")
        #expect(eventually { daemon.process.errors.contains("/(a+)+[^a]") ? true : nil } == true)
        #expect(try daemon.get("/ok").text == "fine")
    }
}
