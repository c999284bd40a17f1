import SDJSON
import SDTestSupport
import Testing

/// The real daemon answers messages on WebSockets by message stubs.
@Suite struct MessageTests {
    private static func stub(_ said: String, _ answer: String, id: Int = 1) -> String {
        """
        {"id": "\(id)\(id)\(id)\(id)\(id)\(id)\(id)\(id)-1111-4111-8111-111111111111",
         "trigger": {"message": {"body": {"equalTo": "\(said)"}}},
         "actions": [{"type": "send", "message": {"body": "\(answer)"}}]}
        """
    }

    private func add(_ stub: String, to daemon: Daemon, at prefix: String = "") throws {
        #expect(try daemon.request("POST", prefix + "/__admin/message-mappings", body: stub).status == 201)
    }

    private func events(_ daemon: Daemon, _ query: String = "", at prefix: String = "") throws -> [JSONValue] {
        let answer = try daemon.request("GET", prefix + "/__admin/messages" + query)
        return try JSONValue(parsing: answer.text)["messageServeEvents"]?.arrayValue ?? []
    }

    @Test func aMessageIsAnsweredAndKept() throws {
        let daemon = try Daemon(files: [:])
        try add(Self.stub("ping", "pong to {{request.path}}: {{message.body}}"), to: daemon)
        let socket = try WebSocketPeer(port: daemon.port, path: "/chat")
        try socket.send("ping")
        #expect(socket.receive() == .text("pong to /chat: ping"))
        try socket.send("other")
        let unmatched = try #require(
            eventually {
                let found = try? events(daemon, "?unmatched=true")
                return found?.isEmpty == false ? found : nil
            })
        #expect(unmatched.map { $0["message"] } == ["other"])
        let all = try events(daemon)
        #expect(all.map { $0["eventType"]?.stringValue } == ["received", "received", "sent"])
        #expect(all[1]["stubMapping"]?["id"] == "11111111-1111-4111-8111-111111111111")
        let report = try daemon.get("/__admin/report?format=text&fail=unmatched")
        #expect(report.status == 422)
        #expect(report.text.contains("a message on /chat: no message stub answers `other`"), "\(report.text)")
        #expect(report.text.contains("the message is other; the stub wants ping"), "\(report.text)")
        #expect(try daemon.get("/__admin/requests").text.contains("\"requests\" : [ ]"))
        let id = try #require(unmatched.first?["id"]?.stringValue)
        let explained = try JSONValue(parsing: daemon.get("/__admin/messages/\(id)/explain").text)
        #expect(explained["stubMapping"] == .null)
        #expect(explained["nearMisses"]?[0]?["stubMapping"]?["id"] == "11111111-1111-4111-8111-111111111111")
        #expect(explained["smallestChange"]?.stringValue?.hasPrefix("Only the message is other") == true)
    }

    @Test func channelsAndMessagesAreToldLive() throws {
        let daemon = try Daemon(files: [:], ["--redact"])
        try add(Self.stub("ping", "pong"), to: daemon)
        let reader = try RawClient(port: daemon.port)
        try reader.send("GET /__admin/events?types=channel,message HTTP/1.1\r\nHost: localhost\r\n\r\n")
        _ = reader.receive(until: ": events")
        let socket = try WebSocketPeer(port: daemon.port, path: "/chat?token=hush")
        try socket.send("ping")
        #expect(socket.receive() == .text("pong"))
        try socket.send("{\"password\": \"hush\"}")
        try socket.close(4001)
        let told = reader.receive(until: "\"cause\":\"client\"").text
        for part in [
            "\"change\":\"opened\",\"type\":\"websocket\"", "\"direction\":\"sent\"", "\"message\":\"pong\"",
            "\"direction\":\"received\"", "\"wasMatched\":false", "\"code\":4001",
        ] {
            #expect(told.contains(part), "\(part) in \(told)")
        }
        #expect(told.contains("password") && !told.contains("hush"), "\(told)")
    }

    @Test func aMessageIsExplained() throws {
        let folder = try TemporaryFolder()
        try folder.write("mappings/a.yaml", "GET /a: {}\n")
        try folder.write(
            "message-mappings/b.json",
            """
            {"name": "greeter", "trigger": {"message": {"body": {"equalTo": "ping"}}},
             "actions": [{"type": "send", "message": "pong"}]}
            """)
        func explain(_ message: String) throws -> ChildProcess {
            try ChildProcess(
                Daemon.binary, ["explain", "WS", "/chat", folder.path, "--data", message], outputsIn: folder)
        }
        let found = try explain("ping")
        #expect(found.wait() == .exited(0))
        #expect(found.output.contains("The message stub \"greeter\""), "\(found.output)")
        #expect(found.output.contains("acts on this message on /chat: 1 action."), "\(found.output)")
        let missed = try explain("pin")
        #expect(missed.wait() == .exited(1))
        #expect(missed.output.contains("No message stub acts on this message on /chat"), "\(missed.output)")
        #expect(missed.output.contains("Only the message is pin; the stub wants ping"), "\(missed.output)")
    }

    @Test func aStubOfHTTPAnswersAnUpgradeAndTheAdminAPIIsNeverUpgraded() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /closed: { status: 403 }\n"])
        #expect(throws: (any Error).self) { try WebSocketPeer(port: daemon.port, path: "/closed") }
        #expect(throws: (any Error).self) { try WebSocketPeer(port: daemon.port, path: "/__admin/requests") }
        let old = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 8"]
        #expect(try daemon.request("GET", "/open", headers: old).status == 426)
    }

    @Test func filesOfMessageStubsAreReadAndReadAgain() throws {
        let daemon = try Daemon(files: [
            "mappings/none.json": "{\"mappings\": []}", "message-mappings/a.json": Self.stub("hi", "one"),
        ])
        let socket = try WebSocketPeer(port: daemon.port, path: "/")
        try socket.send("hi")
        #expect(socket.receive() == .text("one"))
        try daemon.folder.write("message-mappings/a.json", Self.stub("hi", "two"))
        let answer = eventually { () -> WebSocketPeer.Received? in
            try? socket.send("hi")
            let received = socket.receive()
            return received == .text("two") ? received : nil
        }
        #expect(answer == .text("two"))
    }

    @Test func mistakesInFilesAreFound() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "mappings/a.yaml", "GET /a: {}\n")
        try folder.write(
            "message-mappings/b.json",
            """
            {
              "trigger": { "message": { "body": { "matches": "x" } } },
              "actions": [ { "type": "send", "mesage": {} } ]
            }
            """)
        try folder.write(
            "message-mappings/c.json", "{\n  \"trigger\": { \"message\": { \"body\": { \"matches\": \"(\" } } }\n}")
        let process = try ChildProcess(Daemon.binary, ["validate", "."], folder: folder.path, outputsIn: folder)
        #expect(process.wait() == .exited(1))
        #expect(process.output.contains("message-mappings/c.json:2:"), "\(process.output)")
        #expect(process.output.contains("message-mappings/b.json:3:"), "\(process.output)")
        #expect(process.output.contains("\"message\" is missing"), "\(process.output)")
    }

    @Test func aResetEndsChannelsAndGoesBackToFiles() throws {
        let daemon = try Daemon(files: [:])
        try add(Self.stub("ping", "pong"), to: daemon)
        let socket = try WebSocketPeer(port: daemon.port, path: "/")
        #expect(try daemon.admin("POST", "/reset").status == 200)
        #expect(socket.receive() == .close(1012))
        #expect(try daemon.get("/__admin/message-mappings").text.contains("\"total\" : 0"))
    }

    @Test func requestsMakeStubsActAndSessionsHaveTheirOwn() throws {
        let daemon = try Daemon(files: ["a.yaml": "POST /order: { status: 201 }\n"])
        let stub = """
            {"trigger": {"type": "http-request", "requestPattern": {"urlPath": "/order"}},
             "actions": [{"type": "send", "message": {"body": "ordered: {{request.body}}"},
                          "channelTarget": {"type": "request-initiated", "requestPattern": {"urlPath": "/orders"}}}]}
            """
        try add(stub, to: daemon)
        let id = try #require(
            JSONValue(parsing: try daemon.request("POST", "/__admin/sessions").text)["id"]?.stringValue)
        let prefix = "/__session/\(id)"
        let (first, other) = (
            try WebSocketPeer(port: daemon.port, path: "/orders"),
            try WebSocketPeer(port: daemon.port, path: prefix + "/orders")
        )
        #expect(try daemon.request("POST", "/order", body: "tea").status == 201)
        #expect(first.receive() == .text("ordered: tea"))
        #expect(try daemon.request("POST", prefix + "/order", body: "milk").status == 201)
        #expect(other.receive() == .text("ordered: milk"))
        #expect(try daemon.admin("DELETE", "/sessions/\(id)").status == 200)
        #expect(other.receive() == .close(1001))
    }

    @Test func whatCannotBeDoneIsTold() throws {
        let daemon = try Daemon(files: [:])
        let stub = """
            {"actions": [{"type": "send", "message": "first"}, {"type": "send", "message": {"body": {"filePath": "none.txt"}}},
                         {"type": "send", "message": "never"}]}
            """
        try add(stub, to: daemon)
        let socket = try WebSocketPeer(port: daemon.port, path: "/")
        try socket.send("x")
        #expect(socket.receive() == .text("first"))
        #expect(socket.receive() == .close(1011))
        let event = try #require(try events(daemon).first)
        #expect(event["subEvents"]?.arrayValue?.first?["type"] == "ERROR")
    }

    @Test func aCallWaitsForAMessage() throws {
        let daemon = try Daemon(files: [:])
        let socket = try WebSocketPeer(port: daemon.port, path: "/")
        let client = try RawClient(port: daemon.port)
        let body = #"{"pattern": {"body": {"contains": "wanted"}}, "timeoutMillis": 60000}"#
        try client.send(
            "POST /__admin/messages/wait HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        try socket.send("not this")
        try socket.send("wanted")
        let answer = try #require(HTTPAnswer(client.receiveAll(within: 60_000).bytes, isHead: false))
        #expect(try JSONValue(parsing: answer.text)["message"] == "wanted")
    }

    /// A client that closes is on no list any more, and is sent nothing, though its connection is still open.
    @Test func aChannelWhoseClientClosesIsNotSentTo() throws {
        let daemon = try Daemon(files: [:])
        let socket = try WebSocketPeer(port: daemon.port, path: "/")
        #expect(try daemon.get("/__admin/channels").text.contains("\"total\" : 1"))
        try socket.close(1000)
        #expect(socket.receive() == .close(1000))
        #expect(try daemon.get("/__admin/channels").text.contains("\"total\" : 0"))
        let message = #"{"type": "websocket", "initiatingRequest": {}, "message": {"body": "x"}}"#
        let sent = try daemon.request("POST", "/__admin/channels/send", body: message)
        #expect(sent.text.contains("\"channelsMessaged\" : 0"), "\(sent.text)")
        #expect(try events(daemon).isEmpty)
    }

    /// Messages that come right before the close frame are in the journal.
    @Test func whatComesBeforeTheCloseFrameIsKept() throws {
        let daemon = try Daemon(files: [:])
        let socket = try WebSocketPeer(port: daemon.port, path: "/")
        for index in 0..<10 { try socket.send("\(index)") }
        try socket.close(1000)
        #expect(socket.receive() == .close(1000))
        #expect(try events(daemon).count == 10)
    }

    // MARK: HTTP/2

    private static func opening(
        _ stream: UInt32, _ path: String, _ fields: [(String, String)] = [], authority: String = "localhost"
    ) -> HTTP2Frame {
        let pseudo = [
            (":method", "CONNECT"), (":protocol", "websocket"), (":scheme", "http"), (":path", path),
            (":authority", authority),
        ]
        return HTTP2Frame(
            .headers, HTTP2Frame.endHeaders, stream: stream,
            HTTP2Frame.block(pseudo + [("sec-websocket-version", "13")] + fields))
    }

    private static func text(_ stream: UInt32, _ text: String) -> HTTP2Frame {
        HTTP2Frame(.data, stream: stream, [0x81, 0x80 | UInt8(text.utf8.count), 0, 0, 0, 0] + Array(text.utf8))
    }

    /// RFC 8441, in frames: clients are told that they may, and sessions are found as for requests.
    @Test func streamsOfHTTP2AreWebSockets() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /closed: { status: 403 }\n"])
        let answer = try daemon.request("POST", "/__admin/sessions")
        let id = try #require(JSONValue(parsing: answer.text)["id"]?.stringValue)
        try add(Self.stub("ping", "one {{request.path}} {{request.method}}"), to: daemon)
        try add(Self.stub("ping", "other {{request.path}}", id: 2), to: daemon, at: "/__session/\(id)")
        let client = try HTTP2Client(port: daemon.port)
        try client.settle()
        let isTold = client.others.contains { frame in
            frame.kind == HTTP2Frame.Kind.settings.rawValue
                && stride(from: 0, to: frame.payload.count, by: 6).contains {
                    frame.payload[$0..<$0 + 6].elementsEqual([0, 8, 0, 0, 0, 1])
                }
        }
        #expect(isTold)
        try client.send(
            Self.opening(1, "/chat"), Self.opening(3, "/__session/\(id)/chat"),
            Self.opening(5, "/chat", [("x-stuntdouble-session", id)]),
            Self.opening(7, "/chat", authority: "\(id).localhost"), Self.opening(9, "/closed"))
        for stream: UInt32 in [1, 3, 5, 7] {
            client.wait { $0[stream].status == "200" }
            try client.send(Self.text(stream, "ping"))
        }
        let (own, others) = ("\u{81}\u{0D}one /chat GET", "\u{81}\u{0B}other /chat")
        client.wait { client in [3, 5, 7].allSatisfy { client[$0].body.count == 13 } && client[1].body.count == 15 }
        #expect(client[1].body == own.unicodeScalars.map { UInt8($0.value) })
        for stream: UInt32 in [3, 5, 7] {
            #expect(client[stream].body == others.unicodeScalars.map { UInt8($0.value) }, "\(stream)")
        }
        #expect(client.answer(9).status == "403")
        #expect(try daemon.admin("DELETE", "/sessions/\(id)").status == 200)
        client.wait { client in [3, 5, 7].allSatisfy { client[$0].body.contains(0x88) } }
        #expect(client[1].end == .open && client[3].body.dropFirst(13).prefix(4).elementsEqual([0x88, 0x17, 3, 0xE9]))
        let events = try events(daemon)
        #expect(events.first?["channel"]?["initiatingRequest"]?["protocol"] == "HTTP/2.0", "\(events)")
    }
}
