import SDJSON
import SDTestSupport
import Testing

/// The real daemon serves WebSockets of routes.
@Suite struct SocketRouteTests {
    private func open(_ daemon: Daemon, _ path: String, _ fields: String...) throws -> WebSocketPeer {
        try WebSocketPeer(port: daemon.port, path: path, fields: fields)
    }

    private func refusal(_ daemon: Daemon, _ path: String, _ fields: String...) -> String {
        do {
            _ = try WebSocketPeer(port: daemon.port, path: path, fields: fields)
            return "opened"
        } catch {
            return (error as? WebSocketPeer.NoWebSocket).map { String($0.answer.prefix(12)) } ?? "\(error)"
        }
    }

    @Test func aRouteGreetsAnswersEchoesAndCloses() throws {
        let routes = """
            WS /chat:
              protocol: [v2.chat, v1.chat]
              onOpen: [ { send: hello }, { send: { json: { path: "{{request.path}}" } } } ]
              on:
                - { when: { json: { type: ping } }, send: { json: { type: pong } } }
                - { when: { text: { contains: two } }, send: [first, "second {{message.body}}"] }
                - { when: { text: bye }, send: so long, close: { code: 4001, reason: bye } }
                - { echo: true }
            GET /chat: { body: a page }
            """
        let daemon = try Daemon(files: ["a.yaml": routes])
        let socket = try open(daemon, "/chat", "Sec-WebSocket-Protocol: v1.chat, v2.chat")
        #expect(socket.head.lowercased().contains("sec-websocket-protocol: v2.chat\r\n"))
        #expect(socket.receive() == .text("hello"))
        #expect(socket.receive() == .text(#"{"path":"/chat"}"#))
        try socket.send(#"{"type": "ping"}"#)
        #expect(socket.receive() == .text(#"{"type":"pong"}"#))
        try socket.send("two")
        #expect(socket.receive() == .text("first"))
        #expect(socket.receive() == .text("second two"))
        try socket.send("what?")
        #expect(socket.receive() == .text("what?"))
        try socket.send("bye")
        #expect(socket.receive() == .text("so long"))
        #expect(socket.receive() == .close(4001))
        #expect(try daemon.get("/chat").text == "a page")
        #expect(try daemon.get("/__admin/report?format=text&fail=unmatched").status == 200)
    }

    @Test func withoutTheProtocolNoneIsChosen() throws {
        let daemon = try Daemon(files: ["a.yaml": "WS /chat: { protocol: v2 }\n"])
        #expect(!(try open(daemon, "/chat", "Sec-WebSocket-Protocol: v1").head.lowercased().contains("-protocol")))
        #expect(!(try open(daemon, "/chat").head.lowercased().contains("-protocol")))
    }

    @Test func sequencesAreKeptForAChannelOrTheSession() throws {
        let routes = """
            WS /own: { on: { sequence: [ { send: a }, [ { send: b }, { send: c } ] ], onEnd: loop } }
            WS /all: { on: [ { sequence: [ { send: a }, { send: b } ], per: session, onEnd: stop }, { send: over } ] }
            """
        let daemon = try Daemon(files: ["a.yaml": routes])
        for _ in 0..<2 {
            let socket = try open(daemon, "/own")
            for _ in 0..<4 { try socket.send("x") }
            #expect((0..<6).map { _ in socket.receive() } == ["a", "b", "c", "a", "b", "c"].map { .text($0) })
        }
        let (one, other) = (try open(daemon, "/all"), try open(daemon, "/all"))
        for (socket, expected) in [(one, "a"), (other, "b"), (one, "over"), (other, "over")] {
            try socket.send("x")
            #expect(socket.receive() == .text(expected))
        }
    }

    @Test func scenariosAreThoseOfHTTP() throws {
        let routes = """
            WS /orders:
              on:
                - { when: { text: pay }, scenario: { name: order, from: placed, to: paid }, send: paid }
                - { send: "not now" }
            POST /order: { scenario: { name: order, to: placed }, status: 201 }
            GET /order:
              - { scenario: { name: order, from: paid }, body: paid }
              - { body: open }
            """
        let daemon = try Daemon(files: ["a.yaml": routes])
        let socket = try open(daemon, "/orders")
        try socket.send("pay")
        #expect(socket.receive() == .text("not now"))
        #expect(try daemon.request("POST", "/order").status == 201)
        try socket.send("pay")
        #expect(socket.receive() == .text("paid"))
        #expect(try daemon.get("/order").text == "paid")
        try socket.send("pay")
        #expect(socket.receive() == .text("not now"))
        #expect(try daemon.get("/__admin/scenarios").text.contains("\"paid\""))
    }

    @Test func aScenarioMayBeOfMessagesAlone() throws {
        let routes = """
            WS /a:
              on:
                - { scenario: { name: s, from: Started, to: next }, send: one }
                - { scenario: { name: s, from: next, to: last }, send: two }
                - { send: three }
            """
        let daemon = try Daemon(files: ["a.yaml": routes])
        let socket = try open(daemon, "/a")
        for expected in ["one", "two", "three"] {
            try socket.send("x")
            #expect(socket.receive() == .text(expected))
        }
        let scenarios = try daemon.get("/__admin/scenarios").text
        #expect(scenarios.contains("\"state\" : \"last\""), "\(scenarios)")
        #expect(try daemon.admin("POST", "/scenarios/reset").status == 200)
        try socket.send("x")
        #expect(socket.receive() == .text("one"))
    }

    @Test func aRoomIsParted() throws {
        let routes = """
            WS /rooms/{room}:
              on:
                - { when: { text: all }, send: to all, to: room }
                - { send: "{{message.body}}", to: { room: "{{request.path.room}}", others: true } }
            """
        let daemon = try Daemon(files: ["a.yaml": routes])
        let (first, second, third) = (
            try open(daemon, "/rooms/1"), try open(daemon, "/rooms/1"), try open(daemon, "/rooms/2")
        )
        try first.send("for one")
        #expect(second.receive() == .text("for one"))
        try third.send("all")
        for socket in [first, second, third] { #expect(socket.receive() == .text("to all")) }
    }

    @Test func timeAndMessagesEndIt() throws {
        let routes = """
            WS /ticks: { every: { 40ms: { send: tick } }, close: { after: 150ms, code: 4002 } }
            WS /two: { on: { echo: true }, close: { after: 2 } }
            """
        let daemon = try Daemon(files: ["a.yaml": routes])
        let ticks = try open(daemon, "/ticks")
        var received: [WebSocketPeer.Received] = []
        while received.last != .close(4002), received.count < 9 { received.append(ticks.receive()) }
        #expect(received.last == .close(4002))
        #expect(received.count > 1 && received.dropLast().allSatisfy { $0 == .text("tick") }, "\(received)")
        let two = try open(daemon, "/two")
        for text in ["a", "b"] {
            try two.send(text)
            #expect(two.receive() == .text(text))
        }
        #expect(two.receive() == .close(1000))
    }

    @Test func theFirstOfAListRefusesOrOpens() throws {
        let routes = """
            WS /private:
              - { when: { headers: { Authorization: { absent: true } } }, status: 401, json: { who: you } }
              - { onOpen: { send: come in } }
            WS /**: { status: 404 }
            ANY /**: { body: anything }
            """
        let daemon = try Daemon(files: ["a.yaml": routes])
        #expect(refusal(daemon, "/private") == "HTTP/1.1 401")
        #expect(try open(daemon, "/private", "Authorization: me").receive() == .text("come in"))
        #expect(refusal(daemon, "/other") == "HTTP/1.1 404")
        #expect(try daemon.get("/private").text == "anything")
    }

    @Test func aChangedFileCountsAtOnce() throws {
        let daemon = try Daemon(files: ["a.yaml": "WS /a: { on: { send: one } }\n"])
        let socket = try open(daemon, "/a")
        try socket.send("x")
        #expect(socket.receive() == .text("one"))
        try daemon.folder.write("a.yaml", "WS /a: { on: { send: two }, every: { 20ms: { send: tick } } }\n")
        let found = eventually { () -> Bool? in
            try? socket.send("x")
            return socket.receive() == .text("tick") ? true : nil
        }
        #expect(found == true)
        #expect(try daemon.get("/__admin/message-mappings").text.contains("\"total\" : 3"))
        try daemon.folder.write("a.yaml", "GET /a: {}\n")
        let isGone = eventually { () -> Bool? in
            (try? daemon.get("/__admin/message-mappings").text.contains("\"total\" : 0")) == true ? true : nil
        }
        #expect(isGone == true)
    }

    @Test func messagesLeaveAsTheStepSays() throws {
        let routes =
            "WS /a: { onOpen: { send: [a, b, c], delay: 30ms, gap: 30ms }, on: { echo: true, fault: { duplicate: true } } }\n"
        let daemon = try Daemon(files: ["a.yaml": routes])
        let begin = ContinuousClock.now
        let socket = try open(daemon, "/a")
        for expected in ["a", "b", "c"] { #expect(socket.receive() == .text(expected)) }
        #expect(begin.duration(to: .now) >= .milliseconds(90))
        try socket.send("x")
        #expect([socket.receive(), socket.receive()] == [.text("x"), .text("x")])
    }

    /// The recipe of the page, by a client that knows the protocol.
    @Test func aSubscriptionOfGraphQLIsServed() throws {
        let recipe = try #require(Fence.of("yaml routes").first { $0.text.contains("graphql-transport-ws") })
        let daemon = try Daemon(files: ["a.yaml": recipe.text])
        let socket = try open(daemon, "/graphql", "Sec-WebSocket-Protocol: graphql-transport-ws")
        #expect(socket.head.contains("graphql-transport-ws"))
        func says(_ type: String, _ rest: String = "") throws { try socket.send(#"{"type":"\#(type)"\#(rest)}"#) }
        func hears() -> JSONValue? {
            guard case .text(let text) = socket.receive() else { return nil }
            return try? JSONValue(parsing: Array(text.utf8))
        }
        try says("connection_init")
        #expect(hears() == ["type": "connection_ack"])
        try says("ping")
        #expect(hears() == ["type": "pong"])
        try says("pong")
        try says("subscribe", #","id":"a\"b","payload":{"query":"subscription { orderChanged { id } }"}"#)
        let heard = (0..<3).map { _ in hears() }
        #expect(heard.map { $0?["type"] } == ["next", "next", "complete"])
        #expect(heard.map { $0?["id"] } == ["a\"b", "a\"b", "a\"b"])
        #expect(heard[1]?["payload"]?["data"]?["orderChanged"]?["status"] == "sent")
        try says("subscribe", #","id":"2","payload":{"query":"subscription { other }"}"#)
        #expect(hears()?["type"] == "error")
        try says("complete", #","id":"2""#)
        try socket.send("what?")
        #expect(socket.receive() == .close(4400))
    }

    @Test func aStateThatAMessageLeadsToIsReached() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "a.yaml",
            """
            WS /a: { on: { scenario: { name: s, to: paid }, send: paid } }
            GET /a: { scenario: { name: s, from: paid } }
            """)
        let process = try ChildProcess(Daemon.binary, ["validate", "."], folder: folder.path, outputsIn: folder)
        #expect(process.wait() == .exited(0))
        #expect(process.output.contains("0 errors") && !process.output.contains("warning"), "\(process.output)")
    }

    @Test func mistakesAreFoundWhereTheyStand() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "a.yaml",
            """
            WS /a:
              when: { headers: { A: { matches: "(" } } }
              onOpen: { send: "{{#if a}}x" }
              on: { when: { text: { matches: "[" } }, sed: x }
            WS /b: { onOpen: { send: "{{#each a}}x" } }
            """)
        let process = try ChildProcess(Daemon.binary, ["validate", "."], folder: folder.path, outputsIn: folder)
        #expect(process.wait() == .exited(1))
        #expect(process.output.contains("a.yaml:4:43: error"), "\(process.output)")
        #expect(process.output.contains("did you mean \"send\"?"), "\(process.output)")
        #expect(process.output.contains("a.yaml:5:"), "\(process.output)")
    }
}
