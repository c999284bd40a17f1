import SDJSON
import SDTestSupport
import Testing

/// The real daemon logs unmatched requests and failing stubs without being asked.
@Suite struct ProblemLogTests {
    /// A log line whose message contains all of `parts`.
    private func line(_ daemon: Daemon, _ parts: String...) -> JSONValue? {
        eventually {
            lines(daemon).first { line in
                parts.allSatisfy { line["message"]?.stringValue?.contains($0) == true }
            }
        }
    }

    private func lines(_ daemon: Daemon) -> [JSONValue] {
        daemon.process.errors.split(separator: "\n").compactMap { try? JSONValue(parsing: String($0)) }
    }

    // MARK: Unmatched requests

    @Test(arguments: [
        ("GET", "/user/1", [], "shop.yaml:3 GET /users/{id}", "URL: expected /users/{id}, was /user/1"),
        ("PUT", "/users/1", [], "shop.yaml:3 GET /users/{id}", "method: expected GET, was PUT"),
        (
            "POST", "/orders", ["Accept: text/html"], #""orders" (shop.yaml:5)"#,
            #"header Accept: expected contains "json", was "text/html""#
        ),
        ("POST", "/orders", [], #""orders" (shop.yaml:5)"#, #"header Accept: expected contains "json", was missing"#),
        ("POST", "/up", [], "list.json:4 POST /up", #"multipart: no part passes the stub's pattern "meta""#),
        (
            "POST", "/all", ["Content-Type: multipart/form-data; boundary=X"], "list.json:6 POST /all",
            "multipart: not all parts pass the stub's pattern number 1"
        ),
        (
            "GET", "/books?page=2", [], "list.json:8 GET /books?page=2",
            "path: expected /books?page=2, was /books (a path has no query: `url` matches it)"
        ),
        ("GET", "/list", [], "list.json:3 GET /list?page=2", "query parameter page: expected \"2\", was missing"),
    ])
    func anUnmatchedRequestIsOneLine(
        method: String, target: String, headers: [String], stub: String, difference: String
    ) throws {
        let daemon = try Daemon(files: [
            "shop.yaml": """
            # Ours

            GET /users/{id}: { json: { id: 1 } }

            POST /orders: { name: orders, when: { headers: { Accept: { contains: json } } } }
            """,
            "list.json": """
            { "mappings": [
              { "request": { "method": "DELETE", "url": "/elsewhere/altogether" } },
              { "request": { "method": "GET", "urlPath": "/list", "queryParameters": { "page": { "equalTo": "2" } } } },
              { "request": { "method": "POST", "url": "/up",
                "multipartPatterns": [{ "name": "meta", "bodyPatterns": [{ "contains": "x" }] }] } },
              { "request": { "method": "POST", "url": "/all",
                "multipartPatterns": [{ "matchingType": "ALL", "bodyPatterns": [{ "contains": "x" }] }] } },
              { "request": { "method": "GET", "urlPath": "/books?page=2" } }
            ] }
            """,
        ])
        #expect(try daemon.request(method, target, headers: headers).status == 404)
        let logged = try #require(line(daemon, "no stub matches"))
        let message = try #require(logged["message"]?.stringValue)
        #expect(message.hasPrefix("no stub matches \(method) \(target); nearest is "))
        let place = stub.split(separator: "(").count == 2 ? stub : "/" + stub
        #expect(message.contains(place.split(separator: "(").last.map(String.init) ?? place))
        #expect(message.hasSuffix(": " + difference))
        #expect(logged["level"] == "warning")
        #expect(logged["fields"]?["target"]?.stringValue == target)
        #expect(logged["fields"]?["line"]?.intValue != nil)
    }

    /// A stub that nobody meant is not named, as in reports.
    @Test(arguments: ["/", "/quite/another/thing"]) func aStubOfAnotherURLIsNotNamed(target: String) throws {
        let daemon = try Daemon(files: ["shop.yaml": "GET /never: {}\n"])
        #expect(try daemon.get(target).status == 404)
        let message = try #require(line(daemon, "no stub matches")?["message"]?.stringValue)
        #expect(message == "no stub matches GET \(target); none comes near")
        let report = try daemon.get("/__admin/report?format=text").text
        #expect(report.contains("No stub comes near") && !report.contains("nearest: "), "\(report)")
    }

    /// What a line says of a request is no longer than a person reads.
    @Test func aLongTargetIsCut() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /a: {}"])
        let target = "/" + String(repeating: "b", count: 7_000)
        #expect(try daemon.get(target).status == 404)
        let logged = try #require(line(daemon, "no stub matches GET /bbb"))
        let message = try #require(logged["message"]?.stringValue)
        #expect(message.utf8.count < 1_300)
        #expect(message.hasSuffix("…; none comes near"))
        #expect(logged["fields"]?["target"]?.stringValue == target)
    }

    @Test func theWholeReportIsVerbose() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /a: {}"], ["--verbose"])
        _ = try daemon.get("/b")
        #expect(line(daemon, "no stub matches GET /b", "| Closest stub") != nil)
        let quiet = try Daemon(files: ["a.yaml": "GET /a: {}"])
        _ = try quiet.get("/b")
        #expect(line(quiet, "no stub matches GET /b") != nil)
        #expect(!quiet.process.errors.contains("Closest stub"))
    }

    @Test func redactedValuesAreNotLogged() throws {
        let daemon = try Daemon(
            files: ["a.yaml": "GET /a: { when: { headers: { Authorization: Bearer right } } }"],
            ["--redact", "--verbose"])
        _ = try daemon.request("GET", "/a", headers: ["Authorization: Bearer wrong"])
        #expect(line(daemon, "no stub matches", "header Authorization differs") != nil)
        #expect(!daemon.process.errors.contains("wrong"))
        #expect(!daemon.process.errors.contains("right"))
    }

    /// Whatever a second is on this machine, 300 requests take less than ten.
    @Test func aFloodIsCounted() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /a: { body: ok }"])
        let client = try RawClient(port: daemon.port)
        let request = "GET /none HTTP/1.1\r\nHost: x\r\n\r\n"
        try client.send(
            String(repeating: request, count: 300) + "GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        #expect(client.receiveAll(within: 60_000).text.hasSuffix("2\r\nok\r\n0\r\n\r\n"))
        #expect(line(daemon, "more than 20 requests that no stub matches") != nil)
        #expect(lines(daemon).count < 300)
    }

    @Test func anUnnamedStubIsLoggedByItsKeyAndPlace() throws {
        let daemon = try Daemon(
            files: [
                "mappings/a.yaml":
                    "GET /one: {}\n\nGET|HEAD /users/{id}:\n  - when: { query: { a: b } }\n  - status: 201\n"
            ],
            ["--verbose"])
        _ = try daemon.get("/users/1")
        let request = eventually { lines(daemon).first { $0["message"] == "request" } }
        #expect(request?["fields"]?["stub"]?.stringValue?.hasSuffix("/mappings/a.yaml:5 GET|HEAD /users/{id}") == true)
        let explained = try daemon.admin("POST", "/explain", #"{"method": "GET", "url": "/users/1?a=b"}"#).json
        #expect(explained?["file"] == "mappings/a.yaml")
        #expect(explained?["line"] == 4)
        #expect(explained?["key"] == "GET|HEAD /users/{id}?a=b")
        #expect(explained?["shadows"]?[0]?["line"] == 5)
    }

    /// The position is that in the current file, even for a stub that did not change.
    @Test func thePlaceMovesWithTheFile() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /a: {}\n"])
        try daemon.folder.write("a.yaml", "\n\nGET /a: {}\n")
        let moved = try eventually { () -> Bool? in
            let answer = try daemon.admin("POST", "/explain", #"{"method": "GET", "url": "/a"}"#)
            return answer.json?["line"] == 3 ? true : nil
        }
        #expect(moved == true)
    }

    // MARK: Stubs that cannot be served

    @Test func aMissingBodyFileIsReportedAtTheStart() throws {
        let daemon = try Daemon(files: [
            "mappings/a.yaml": "GET /a: { file: none.png }\nGET /b:\n  sequence:\n    - {}\n    - { file: gone.txt }\n",
            "__files/there.txt": "x",
        ])
        #expect(line(daemon, "mappings/a.yaml:1:17", "no file none.png in __files") != nil)
        #expect(line(daemon, "mappings/a.yaml:5:15", "no file gone.txt in __files") != nil)
    }

    @Test func aMissingBodyFileIsReportedAtEachChange() throws {
        let daemon = try Daemon(files: ["mappings/a.yaml": "GET /a: {}\n", "__files/a.txt": "a"])
        try daemon.folder.write("mappings/a.yaml", "GET /a: { file: none.txt }\n")
        #expect(line(daemon, "mappings/a.yaml:1:17", "no file none.txt in __files") != nil)
        try daemon.admin("POST", "/mappings", #"{"request": {"url": "/b"}, "response": {"bodyFileName": "api.txt"}}"#)
        #expect(line(daemon, "ANY /b", "no file api.txt in __files") != nil)
        try daemon.admin("POST", "/mappings", #"{"request": {"url": "/c"}, "response": {"bodyFileName": "a.txt"}}"#)
        try daemon.admin("DELETE", "/files/a.txt")
        #expect(line(daemon, "ANY /c", "its body file was removed") != nil)
    }

    /// The files are watched as the stubs are: what has gone is told once, and that it is back.
    @Test func removingAndRestoringABodyFileIsReported() throws {
        let daemon = try Daemon(files: [
            "mappings/a.yaml": "GET /a: { file: a.txt }\n\nGET /b:\n  sequence:\n    - { file: sub/b.txt }\n    - {}\n",
            "__files/a.txt": "a", "__files/sub/b.txt": "b", "__files/other.txt": "c",
        ])
        func count(_ text: String) -> Int {
            lines(daemon).filter { $0["message"]?.stringValue?.contains(text) == true }.count
        }
        try daemon.folder.remove("__files/other.txt")
        try daemon.folder.remove("__files/a.txt")
        #expect(line(daemon, "mappings/a.yaml:1 GET /a", "the body file is missing: no file a.txt in __files") != nil)
        try daemon.folder.remove("__files/sub")
        #expect(line(daemon, "mappings/a.yaml:3 GET /b", "the body file is missing: no file sub/b.txt") != nil)
        try daemon.folder.write("__files/a.txt", "new")
        #expect(line(daemon, "mappings/a.yaml:1 GET /a", "the body file a.txt is back") != nil)
        try daemon.folder.write("__files/sub/b.txt", "new")
        #expect(line(daemon, "mappings/a.yaml:3 GET /b", "the body file sub/b.txt is back") != nil)
        try daemon.folder.remove("__files")
        #expect(line(daemon, "no file sub/b.txt") != nil)
        #expect(eventually { count("the body file is missing") == 4 ? true : nil } == true)
        try daemon.folder.write("__files/a.txt", "newer")
        #expect(eventually { count("the body file a.txt is back") == 2 ? true : nil } == true)
        #expect(try daemon.get("/a").text == "newer")
        #expect(count("other.txt") == 0)
        // What the admin API does is told by its own call, and once.
        try daemon.admin("DELETE", "/files/a.txt")
        try daemon.folder.write("__files/sub/b.txt", "newer")
        #expect(eventually { count("the body file sub/b.txt is back") == 2 ? true : nil } == true)
        #expect(count("no file a.txt") == 3)
    }

    @Test func aBodyFileMissingAtTheStartIsReportedWhenItAppears() throws {
        let daemon = try Daemon(files: ["mappings/a.yaml": "GET /a: { file: sub/a.txt }\n"])
        #expect(line(daemon, "no file sub/a.txt in __files") != nil)
        try daemon.folder.write("__files/sub/a.txt", "a")
        #expect(line(daemon, "GET /a", "the body file sub/a.txt is back") != nil)
    }

    @Test func aBodyFileOutsideOfTheFolderIsReportedAtTheStart() throws {
        let folder = try TemporaryFolder()
        try folder.write("mappings/a.yaml", "GET /a: { file: out.txt }\nGET /b: { file: in.txt }\n")
        try folder.write("outside.txt", "x")
        try folder.write("__files/inside.txt", "x")
        try folder.link("__files/out.txt", to: "../outside.txt")
        try folder.link("__files/in.txt", to: "inside.txt")
        let daemon = try Daemon(serving: folder.path)
        #expect(line(daemon, "mappings/a.yaml:1:17", "out.txt is outside of __files") != nil)
        daemon.process.signal(15)
        #expect(daemon.process.wait() != nil)
        #expect(lines(daemon).count == 1)
    }

    @Test func withoutStubsTheVerboseReportIsOneLine() throws {
        let daemon = try Daemon(files: [:], ["--verbose"])
        _ = try daemon.get("/a")
        #expect(line(daemon, "no stub matches GET /a")?["message"] == "no stub matches GET /a; there are no stubs")
    }

    @Test(arguments: [("/a", 2), ("/b", 4)])
    func aStubThatCannotBeServedIsLogged(path: String, number: Int) throws {
        let daemon = try Daemon(files: [
            "mappings/a.yaml": "\nGET /a: { file: none.png }\n\nGET /b: { sequence: [{ file: none.png }] }\n"
        ])
        #expect(try daemon.get(path).status == 500)
        let logged = try #require(line(daemon, "GET \(path) got a 500", "no file none.png in __files"))
        #expect(logged["level"] == "error")
        #expect(logged["message"]?.stringValue?.contains("mappings/a.yaml:\(number) GET \(path)") == true)
        #expect(logged["fields"]?["line"]?.intValue == number)
        #expect(logged["fields"]?["file"] == "mappings/a.yaml")
    }
}
