import SDJSON
import SDTestSupport
import Testing

/// The real daemon logs what is valid and hardly meant: in files at its start and when they change, and in calls.
@Suite struct CallWarningsLogTests {
    private func messages(_ daemon: Daemon) -> [String] {
        daemon.process.errors.split(separator: "\n").compactMap { line in
            let json = try? JSONValue(parsing: String(line))
            return json?["level"] == "warning" ? json?["message"]?.stringValue : nil
        }
    }

    private func hears(_ daemon: Daemon, _ parts: String...) -> Bool {
        eventually {
            messages(daemon).contains { message in parts.allSatisfy(message.contains) } ? true : nil
        } ?? false
    }

    @Test func filesAreLookedAtAtTheStartAndWhenTheyChange() throws {
        let daemon = try Daemon(files: [
            "a.yaml": "GET /users/:id: {}\n", "b.json": #"{"request": {"method": "get", "urlPath": "/b"}}"#,
            "c.json": #"{"request": {"urlPathTemplate": "/c/{id:[0-9]+}"}}"#,
        ])
        #expect(hears(daemon, "a.yaml:1:1: warning: ", ":id is literal in a path", "did you mean \"/users/{id}\"?"))
        #expect(hears(daemon, "b.json:1:", "request.method: methods are case-sensitive"))
        #expect(hears(daemon, "c.json:1:", "all of {id:[0-9]+} is the variable's name"))
        try daemon.folder.write("b.json", #"{"request": {"method": "GET", "urlPath": "/files/*"}}"#)
        #expect(hears(daemon, "b.json:1:", "* is literal in a path"))
    }

    @Test func aCallIsLoggedOnce() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /a: {}\n"])
        for _ in 0..<3 {
            _ = try daemon.request("POST", "/__admin/requests/count", body: #"{"method": "get"}"#)
            _ = try daemon.request("POST", "/__admin/mappings", body: #"{"request": {"urlPath": "/x/:id"}}"#)
        }
        #expect(hears(daemon, "POST /__admin/requests/count: method: methods are case-sensitive"))
        #expect(hears(daemon, "ANY /x/:id: request.urlPath: :id is literal in a path"))
        #expect(messages(daemon).count == 2)
    }

    @Test func aClientThatAsksForWebSocketIsToldInTheLogOnceAStub() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /ws: {}\nGET /other: {}\nGET /plain: {}\n"])
        let upgrade = ["Connection: Upgrade", "Upgrade: WebSocket", "Sec-WebSocket-Version: 13"]
        for path in ["/ws", "/ws", "/other"] {
            #expect(try daemon.request("GET", path, headers: upgrade).status == 200)
        }
        #expect(try daemon.request("GET", "/plain").status == 200)
        let message = "a client asks for WebSocket (`Upgrade: websocket`), and gets this response"
        #expect(hears(daemon, "a.yaml:1 GET /ws: " + message))
        #expect(hears(daemon, "a.yaml:2 GET /other: " + message))
        #expect(messages(daemon).count == 2)
    }
}
