import SDJSON
import SDTestSupport
import Testing

/// WebSockets between clients and other servers: what passes is in the journal of messages, and the channel is one like others.
@Suite struct ProxiedWebSocketTests {
    /// A server that agrees, and then does something; an echo unless it is said otherwise.
    private static func server(
        accept: String = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", fields: [String] = [],
        _ serve: @escaping @Sendable (WebSocketPeer) throws -> Void = { try echo($0) }
    ) throws -> RawServer {
        try RawServer { client, _ in try serve(try WebSocketPeer(serving: client, accept: accept, fields: fields)) }
    }

    private static func echo(_ peer: WebSocketPeer) throws {
        while true {
            switch peer.receive() {
            case .text(let text): try peer.send("heard " + text)
            case .other(9): try peer.send(0x8A, [])
            case .close(let code): return try peer.close(code)
            default: return
            }
        }
    }

    private static func stub(_ port: UInt16) -> [String: String] {
        ["a.yaml": "GET /real/**: { proxy: \"ws://127.0.0.1:\(port)\" }\n"]
    }

    private func events(_ daemon: Daemon) throws -> [JSONValue] {
        try JSONValue(parsing: try daemon.get("/__admin/messages").text)["messageServeEvents"]?.arrayValue ?? []
    }

    private func channels(_ daemon: Daemon) throws -> [JSONValue] {
        try JSONValue(parsing: try daemon.get("/__admin/channels").text)["channels"]?.arrayValue ?? []
    }

    // MARK: What passes

    @Test(arguments: [true, false]) func messagesPassAndAreKept(isStub: Bool) throws {
        let server = try Self.server()
        let daemon =
            try isStub
            ? Daemon(files: Self.stub(server.port))
            : Daemon(files: [:], ["--pass-through", "http://127.0.0.1:\(server.port)"])
        let client = try WebSocketPeer(port: daemon.port, path: "/real/chat")
        let channel = try #require(try channels(daemon).first)
        #expect(channel["initiatingRequest"]?["url"] == "/real/chat")
        for index in 0..<3 {
            try client.send("\(index)")
            #expect(client.receive() == .text("heard \(index)"))
        }
        let all = try events(daemon).reversed()
        #expect(all.map { $0["message"]?.stringValue } == ["0", "heard 0", "1", "heard 1", "2", "heard 2"])
        #expect(all.map { $0["eventType"]?.stringValue } == (0..<6).map { $0 % 2 == 0 ? "received" : "sent" })
        #expect(all.allSatisfy { $0["wasMatched"] == true && $0["channel"]?["id"] == channel["id"] })
        let count = try daemon.request("POST", "/__admin/messages/count", body: #"{"body": {"contains": "heard"}}"#)
        #expect(count.text.contains("\"count\" : 3"), "\(count.text)")
        #expect(try daemon.get("/__admin/report?format=text&fail=unmatched").status == 200)
        // The exchange of HTTP has ended with the 101.
        let request = try daemon.admin("GET", "/requests").json?["requests"]?[0]
        #expect(request?["response"]?["status"] == 101 && request?["wasMatched"] == true)
        try client.close(4001)
        #expect(client.receive() == .close(4001))
        #expect(try channels(daemon).isEmpty)
    }

    /// The server is another daemon, which checks the key.
    @Test func aClientOfHTTP2ReachesAServerOfHTTP1() throws {
        let server = try Daemon(files: [:])
        let stub = #"{"actions": [{"type": "send", "message": {"body": "pong to {{message.body}}"}}]}"#
        #expect(try server.request("POST", "/__admin/message-mappings", body: stub).status == 201)
        let daemon = try Daemon(files: Self.stub(server.port))
        let client = try HTTP2Client(port: daemon.port)
        let head = [
            (":method", "CONNECT"), (":protocol", "websocket"), (":scheme", "http"), (":path", "/real/chat"),
            (":authority", "localhost"), ("sec-websocket-version", "13"),
            ("sec-websocket-extensions", "permessage-deflate"),
        ]
        try client.send(HTTP2Frame(.headers, HTTP2Frame.endHeaders, stream: 1, HTTP2Frame.block(head)))
        client.wait { !$0[1].blocks.isEmpty }
        #expect(client[1].status == "200")
        let fields = client[1].blocks.joined()
        #expect(fields.contains("sec-websocket-extensions: permessage-deflate"), "\(fields)")
        #expect(!fields.contains("accept") && !fields.contains("upgrade"), "\(fields)")
        try client.send(HTTP2Frame(.data, stream: 1, [0x81, 0x84, 0, 0, 0, 0] + Array("ping".utf8)))
        client.wait { $0[1].body.count == 14 }
        #expect(client[1].body == [0x81, 12] + Array("pong to ping".utf8))
        for one in [daemon, server] {
            let all = try events(one)
            #expect(Set(all.compactMap { $0["message"]?.stringValue }) == ["pong to ping", "ping"])
            let protocols = all.map { $0["channel"]?["initiatingRequest"]?["protocol"]?.stringValue }
            #expect(protocols.allSatisfy { $0 == (one === daemon ? "HTTP/2.0" : "HTTP/1.1") })
        }
        #expect(try daemon.admin("GET", "/requests").json?["requests"]?[0]?["response"]?["status"] == 200)
        // What is too long for a frame of HTTP/2, and for one of 125 bytes.
        let long = Array(repeating: UInt8(0x61), count: 10_000)
        try client.send(HTTP2Frame(.data, stream: 1, [0x81, 0xFE, 0x27, 0x10, 0, 0, 0, 0] + long))
        client.wait { $0[1].body.count > 40 }
        let isKept = try eventually {
            try events(server).contains { $0["message"]?.stringValue?.utf8.count == 10_000 } ? true : nil
        }
        #expect(isKept == true)
        // A stream that ends leaves the connection to others.
        try client.send(HTTP2Frame(.data, stream: 1, [0x88, 0x82, 0, 0, 0, 0, 3, 0xE8]))
        client.wait { $0[1].end != .open }
        try client.ask(3, "/__admin/health")
        #expect(client.answer(3).status == "200")
        #expect(try channels(daemon).isEmpty)
    }

    @Test func fieldsPassButForThoseOfTheHandshake() throws {
        let server = try Self.server(fields: ["Sec-WebSocket-Protocol: two", "X-From: real", "Set-Cookie: a=b"])
        let daemon = try Daemon(files: Self.stub(server.port))
        let client = try WebSocketPeer(
            port: daemon.port, path: "/real/x",
            fields: ["Sec-WebSocket-Protocol: one, two", "Sec-WebSocket-Extensions: permessage-deflate, other"])
        for line in ["Sec-WebSocket-Protocol: two", "X-From: real", "Set-Cookie: a=b", "Connection: Upgrade"] {
            #expect(client.head.contains("\r\n\(line)\r\n"), "\(client.head)")
        }
        // The server has not agreed to compress.
        #expect(!client.head.contains("Extensions"), "\(client.head)")
    }

    @Test func pingsPassBothWays() throws {
        let server = try Self.server { peer in
            try peer.send(0x89, [7])
            #expect(peer.receive() == .other(10))
            try Self.echo(peer)
        }
        let daemon = try Daemon(files: Self.stub(server.port))
        let client = try WebSocketPeer(port: daemon.port, path: "/real/x")
        #expect(client.receive() == .other(9))
        try client.send(0x8A, [7])
        try client.send(0x89, [1])
        #expect(client.receive() == .other(10))
    }

    /// A call of the admin API says something on it, beside the server.
    @Test func aMessageMayBeSentToTheClient() throws {
        let server = try Self.server()
        let daemon = try Daemon(files: Self.stub(server.port))
        let client = try WebSocketPeer(port: daemon.port, path: "/real/x")
        let message =
            #"{"type": "websocket", "initiatingRequest": {"urlPath": "/real/x"}, "message": {"body": "by hand"}}"#
        let sent = try daemon.request("POST", "/__admin/channels/send", body: message)
        #expect(sent.text.contains("\"channelsMessaged\" : 1"), "\(sent.text)")
        #expect(client.receive() == .text("by hand"))
        try client.send("x")
        #expect(client.receive() == .text("heard x"))
    }

    // MARK: Ends

    @Test func theServersCloseFrameReachesTheClient() throws {
        let answer = Events<WebSocketPeer.Received>()
        let server = try Self.server { peer in
            try peer.send("last")
            try peer.close(4002)
            answer.tell(peer.receive())
        }
        let daemon = try Daemon(files: Self.stub(server.port))
        let client = try WebSocketPeer(port: daemon.port, path: "/real/x")
        #expect(client.receive() == .text("last"))
        #expect(client.receive() == .close(4002))
        #expect(answer.next() == .close(4002))
        try client.close(4002)
        #expect(client.raw.receiveAll().ending == .fin)
        #expect(daemon.says("the WebSocket to 127.0.0.1:\(server.port) has ended with 4002"))
    }

    /// What ends channels ends both sides.
    @Test(arguments: [("channel", 1000), ("reset", 1012), ("session", 1001), ("daemon", 1001)])
    func bothSidesAreClosed(by what: String, code: Int) throws {
        let heard = Events<WebSocketPeer.Received>()
        let server = try Self.server { peer in
            heard.tell(peer.receive())
            try peer.close(1000)
        }
        let daemon = try Daemon(files: Self.stub(server.port))
        let session = try JSONValue(parsing: try daemon.request("POST", "/__admin/sessions").text)
        let id = try #require(session["id"]?.stringValue)
        let prefix = what == "session" ? "/__session/\(id)" : ""
        let client = try WebSocketPeer(port: daemon.port, path: prefix + "/real/x")
        switch what {
        case "channel":
            let channel = try #require(try channels(daemon).first?["id"]?.stringValue)
            #expect(try daemon.admin("DELETE", "/channels/\(channel)").status == 200)
        case "reset": #expect(try daemon.admin("POST", "/reset").status == 200)
        case "session": #expect(try daemon.admin("DELETE", "/sessions/\(id)").status == 200)
        default: daemon.process.signal(15)
        }
        #expect(client.receive() == .close(code))
        #expect(heard.next() == .close(code))
    }

    @Test func whoBreaksOffBreaksOffTheOther() throws {
        let heard = Events<RawClient.Ending>()
        let server = try Self.server { peer in
            if peer.head.hasPrefix("GET /real/rude ") { return }
            heard.tell(peer.raw.receiveAll().ending)
        }
        let daemon = try Daemon(files: Self.stub(server.port))
        let left = try WebSocketPeer(port: daemon.port, path: "/real/left")
        left.raw.close()
        #expect(heard.next() == .fin)
        let rude = try WebSocketPeer(port: daemon.port, path: "/real/rude")
        #expect(rude.raw.receiveAll().bytes.isEmpty)
        let isGone = try eventually { try channels(daemon).isEmpty ? true : nil }
        #expect(isGone == true)
    }

    @Test func aServerThatBreaksTheRulesIsTold() throws {
        let heard = Events<WebSocketPeer.Received>()
        let server = try Self.server { peer in
            try peer.send(0x83, [])
            heard.tell(peer.receive())
        }
        let daemon = try Daemon(files: Self.stub(server.port))
        let client = try WebSocketPeer(port: daemon.port, path: "/real/x")
        #expect(client.receive() == .close(1014))
        #expect(heard.next() == .close(1002))
    }

    /// What a server may not answer, and what the client is told.
    @Test(
        arguments: [
            ("wrong", [], "a wrong Sec-WebSocket-Accept: expected s3pPLMBiTxaQ9kYGzzhZRbK+xOo=, found wrong"),
            ("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", ["Sec-WebSocket-Protocol: other"], "the sub-protocol other"),
            (
                "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", ["Sec-WebSocket-Extensions: permessage-deflate"],
                "the extension permessage-deflate"
            ),
        ] as [(String, [String], String)])
    func aServerThatLiesIsTold(accept: String, fields: [String], words: String) throws {
        let server = try Self.server(accept: accept, fields: fields) { _ = $0.receive() }
        let daemon = try Daemon(files: Self.stub(server.port))
        let client = try RawClient(port: daemon.port)
        try client.send(
            "GET /real/x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: one\r\n\r\n")
        let head = client.receive(until: "\r\n\r\n").text
        #expect(head.hasPrefix("HTTP/1.1 500 "), "\(head)")
        let place = "127.0.0.1:\(server.port) switched to WebSocket with "
        #expect(client.receive(until: words).text.contains(place + words), "\(daemon.process.errors)")
        #expect(try channels(daemon).isEmpty)
    }
}
