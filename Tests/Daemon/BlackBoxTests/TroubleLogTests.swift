import JSON
import TestSupport
import Testing

/// The real daemon logs unmatched requests and failing stubs without being asked.
@Suite struct TroubleLogTests {
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
        ("POST", "/orders", [], #""orders" (shop.yaml:5)"#, #"header Accept: expected contains "json", was not there"#),
        ("GET", "/list", [], "list.json:3 GET /list?page=2", "query parameter page: expected \"2\", was not there"),
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
              { "request": { "method": "GET", "urlPath": "/list", "queryParameters": { "page": { "equalTo": "2" } } } }
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

    @Test func theWholeReportIsVerbose() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /a: {}"], ["--verbose"])
        _ = try daemon.get("/b")
        #expect(line(daemon, "no stub matches GET /b", "| Closest stub") != nil)
        let quiet = try Daemon(files: ["a.yaml": "GET /a: {}"])
        _ = try quiet.get("/b")
        #expect(line(quiet, "no stub matches GET /b") != nil)
        #expect(!quiet.process.errors.contains("Closest stub"))
    }

    @Test func whatIsRedactedIsNotLogged() throws {
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

    @Test func aStubWithoutANameIsCalledByItsKeyAndPlace() throws {
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

    @Test func aMissingBodyFileIsToldAtTheStart() throws {
        let daemon = try Daemon(files: [
            "mappings/a.yaml": "GET /a: { file: none.png }\nGET /b:\n  sequence:\n    - {}\n    - { file: gone.txt }\n",
            "__files/there.txt": "x",
        ])
        #expect(line(daemon, "mappings/a.yaml:1:17", "no file none.png in __files") != nil)
        #expect(line(daemon, "mappings/a.yaml:5:15", "no file gone.txt in __files") != nil)
    }

    @Test func aMissingBodyFileIsToldAtEachChange() throws {
        let daemon = try Daemon(files: ["mappings/a.yaml": "GET /a: {}\n", "__files/a.txt": "a"])
        try daemon.folder.write("mappings/a.yaml", "GET /a: { file: none.txt }\n")
        #expect(line(daemon, "mappings/a.yaml:1:17", "no file none.txt in __files") != nil)
        try daemon.admin("POST", "/mappings", #"{"request": {"url": "/b"}, "response": {"bodyFileName": "api.txt"}}"#)
        #expect(line(daemon, "ANY /b", "no file api.txt in __files") != nil)
        try daemon.admin("POST", "/mappings", #"{"request": {"url": "/c"}, "response": {"bodyFileName": "a.txt"}}"#)
        try daemon.admin("DELETE", "/files/a.txt")
        #expect(line(daemon, "ANY /c", "its body file was removed") != nil)
    }

    @Test(arguments: [("/a", 2), ("/b", 4)])
    func aStubThatCannotBeServedIsLogged(path: String, number: Int) throws {
        let daemon = try Daemon(files: [
            "mappings/a.yaml": "\nGET /a: { file: none.png }\n\nGET /b: { sequence: [{ file: none.png }] }\n"
        ])
        #expect(try daemon.get(path).status == 500)
        let logged = try #require(line(daemon, "GET \(path) was answered 500", "no file none.png in __files"))
        #expect(logged["level"] == "error")
        #expect(logged["message"]?.stringValue?.contains("mappings/a.yaml:\(number) GET \(path)") == true)
        #expect(logged["fields"]?["line"]?.intValue == number)
        #expect(logged["fields"]?["file"] == "mappings/a.yaml")
    }
}
