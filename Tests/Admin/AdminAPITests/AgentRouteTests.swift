import SDAdminAPI
import SDJSON
import SDJournal
import SDMockEngine
import SDTestSupport
import Testing

/// `/__admin/mcp`: the tools for agents within the daemon.
@Suite struct AgentRouteTests {
    private static func options(_ change: (inout AdminOptions) -> Void = { _ in }) -> AdminOptions {
        var options = AdminOptions()
        options.servesAgents = true
        change(&options)
        return options
    }

    private static let meta =
        #""_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}"#

    private static func message(_ tool: String, _ arguments: String) -> String {
        #"{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "\#(tool)", "arguments": \#(arguments), \#(meta)}}"#
    }

    private static func headers(_ tool: String) -> [(String, String)] {
        [
            ("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/call"), ("Mcp-Name", tool),
            ("Content-Type", "application/json"),
        ]
    }

    /// Calls a tool.
    /// - Returns: its document.
    private func call(
        _ mock: TestMock, _ tool: String, _ arguments: String = "{}", at prefix: String = "", isError: Bool = false
    ) throws -> JSONValue {
        let answer = try Exchange(
            mock.port, "POST", prefix + "/__admin/mcp", headers: Self.headers(tool),
            body: Self.message(tool, arguments))
        let result = try #require(answer.json?["result"], "\(answer)")
        #expect(result["isError"]?.boolValue == isError, "\(result.compactText)")
        return result["structuredContent"] ?? .null
    }

    @Test func itIsOffUnlessAskedFor() throws {
        let mock = try TestMock()
        for method in ["POST", "GET", "DELETE"] {
            let answer = try Exchange(mock.port, method, "/__admin/mcp", body: "{}")
            #expect(
                answer.status == 404 && answer.json?["errors"]?[0]?["detail"]?.stringValue?.contains("--mcp") == true)
        }
    }

    @Test func thereIsNoStream() throws {
        let mock = try TestMock(admin: Self.options())
        for method in ["GET", "DELETE"] {
            let answer = try Exchange(mock.port, method, "/__admin/mcp")
            #expect(answer.status == 405 && answer.header("Allow") == "POST")
        }
        let answer = try Exchange(mock.port, "POST", "/__admin/mcp", body: "[]")
        #expect(answer.status == 400 && answer.json?["error"]?["code"]?.intValue == -32600)
        let notice = try Exchange(
            mock.port, "POST", "/__admin/mcp", body: #"{"jsonrpc": "2.0", "method": "notifications/initialized"}"#)
        #expect(notice.status == 202 && notice.body.isEmpty)
    }

    @Test func theGuardsOfTheAdminAPIHold() throws {
        let mock = try TestMock(admin: Self.options { $0.token = "secret" })
        let body = Self.message("stubs", "{}")
        let bare = try Exchange(mock.port, "POST", "/__admin/mcp", headers: Self.headers("stubs"), body: body)
        #expect(bare.status == 401)
        let token = [("Authorization", "Bearer secret")]
        let page = try Exchange(
            mock.port, "POST", "/__admin/mcp",
            headers: Self.headers("stubs") + token + [("Origin", "https://evil.example")], body: body)
        #expect(page.status == 403)
        let rebound = try Exchange(
            mock.port, "POST", "/__admin/mcp",
            headers: Self.headers("stubs") + token + [("Host", "evil.example")], body: body)
        #expect(rebound.status == 403)
        let known = try Exchange(mock.port, "POST", "/__admin/mcp", headers: Self.headers("stubs") + token, body: body)
        #expect(known.status == 200)
    }

    @Test func aSessionIsBegunUsedAndEnded() throws {
        let mock = try TestMock(admin: Self.options())
        let begun = try call(mock, "session_begin", #"{"name": "a"}"#)
        let session = try #require(begun["session"]?.stringValue)
        #expect(begun["url"]?.stringValue?.hasSuffix("/__session/\(session)") == true)
        let own = #""session": "\#(session)""#
        _ = try call(mock, "stub", #"{\#(own), "stubs": "GET /tea: { body: green }"}"#)
        #expect(try Exchange(mock.port, "GET", "/__session/\(session)/tea").text == "green")
        #expect(try Exchange(mock.port, "GET", "/tea").status == 404)
        _ = try Exchange(mock.port, "GET", "/__session/\(session)/teas")
        let unmatched = try call(mock, "unmatched", "{\(own)}")
        #expect(unmatched["total"] == 1)
        #expect(
            unmatched["unmatched"]?[0]?["smallestChange"]?.stringValue?.hasPrefix("Only the path differs") == true)
        let explained = try call(mock, "explain", #"{\#(own), "id": 2}"#)
        #expect(explained["nearMisses"]?[0]?["key"] == "GET /tea")
        let ended = try call(mock, "session_end", "{\(own)}")
        #expect(ended["verdict"] == "failed")
        let late = try call(mock, "stubs", "{\(own)}", isError: true)
        #expect(late["error"]?["fix"]?.stringValue?.contains("session_begin") == true)
    }

    /// Called at the address of a session the tools see what that session may see.
    @Test func aSessionSeesThoseThatWereBegunThroughIt() throws {
        let mock = try TestMock(admin: Self.options())
        let outer = try #require(try call(mock, "session_begin")["session"]?.stringValue)
        let other = try #require(try call(mock, "session_begin")["session"]?.stringValue)
        let prefix = "/__session/\(outer)"
        let inner = try #require(try call(mock, "session_begin", at: prefix)["session"]?.stringValue)
        _ = try call(mock, "stub", #"{"stubs": "GET /mine: {}"}"#, at: prefix)
        #expect(try call(mock, "stubs", at: prefix)["total"] == 1)
        #expect(try call(mock, "stubs")["total"] == 0)
        _ = try call(mock, "stubs", #"{"session": "\#(inner)"}"#, at: prefix)
        _ = try call(mock, "stubs", #"{"session": "\#(other)"}"#, at: prefix, isError: true)
    }

    @Test func aVerificationWaitsForItsRequest() throws {
        let mock = try TestMock(admin: Self.options())
        try mock.add(#"{"request": {"url": "/a"}}"#)
        let client = try RawClient(port: mock.port)
        let body = Self.message("verify", #"{"expectations": [{"pattern": {"url": "/a"}}], "within": "60s"}"#)
        var head = "POST /__admin/mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        for (name, value) in Self.headers("verify") { head += "\(name): \(value)\r\n" }
        try client.send(head + "Content-Length: \(body.utf8.count)\r\n\r\n" + body)
        try mock.waitUntil(listeners: 1)
        _ = try Exchange(mock.port, "GET", "/a")
        let answer = try Exchange(client.receiveAll(within: 20_000), isHead: false)
        #expect(answer.json?["result"]?["structuredContent"]?["verified"] == true, "\(answer)")
    }

    /// The end of the daemon answers who waits.
    @Test func nobodyHangsAtTheEnd() throws {
        let mock = try TestMock(admin: Self.options())
        let client = try RawClient(port: mock.port)
        let body = Self.message("verify", #"{"expectations": [{"pattern": {"url": "/a"}}], "within": "120s"}"#)
        var head = "POST /__admin/mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        for (name, value) in Self.headers("verify") { head += "\(name): \(value)\r\n" }
        try client.send(head + "Content-Length: \(body.utf8.count)\r\n\r\n" + body)
        try mock.waitUntil(listeners: 1)
        mock.endWaiting()
        let answer = try Exchange(client.receiveAll(within: 20_000), isHead: false)
        #expect(answer.json?["result"]?["structuredContent"]?["verified"] == false, "\(answer)")
    }

    @Test func gatesFaultsAndRequestsAreSteered() throws {
        let mock = try TestMock(admin: Self.options())
        _ = try call(mock, "stub", #"{"stubs": "GET /held: { hold: g, body: late }"}"#)
        let client = try RawClient(port: mock.port)
        try client.send("GET /held HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        try mock.waitUntil(inFlight: 1)
        #expect(try call(mock, "release")["gates"]?[0]?["waiting"] == 1)
        #expect(try call(mock, "release", #"{"gate": "g"}"#)["released"] == 1)
        #expect(try Exchange(client.receiveAll(within: 20_000), isHead: false).text == "late")
        _ = try call(mock, "fault", #"{"add": {"status": 503, "first": 1}}"#)
        #expect(try Exchange(mock.port, "GET", "/x").status == 503)
        #expect(try call(mock, "fault")["faults"]?[0]?["acted"] == 1)
        #expect(try call(mock, "fault", #"{"remove": "all"}"#)["removed"] == 1)
        let listed = try call(mock, "requests")["requests"]
        #expect(listed?.arrayValue?.compactMap { $0["url"]?.stringValue } == ["/x", "/held"])
        let shown = try call(mock, "requests", #"{"id": 2}"#)["request"]
        #expect(shown?["request"]?["url"]?.stringValue?.hasSuffix("/x") == true)
        let missing = try call(mock, "requests", #"{"id": 99}"#, isError: true)
        #expect(missing["error"]?["message"]?.stringValue == "there is no request #99")
    }

    @Test func secretsAreHidden() throws {
        var session = SessionOptions.unhurried
        session.redaction = .init()
        let mock = try TestMock(session: session, admin: Self.options())
        _ = try Exchange(
            mock.port, "POST", "/login?token=s3cret",
            headers: [("Authorization", "Bearer s3cret"), ("Content-Type", "application/json")],
            body: #"{"password": "s3cret"}"#)
        for (tool, arguments) in [
            ("requests", "{}"), ("requests", #"{"id": 1}"#), ("unmatched", "{}"), ("explain", #"{"id": 1}"#),
        ] {
            let answer = try call(mock, tool, arguments)
            #expect(!answer.compactText.contains("s3cret"), "\(tool): \(answer.compactText)")
        }
    }
}
