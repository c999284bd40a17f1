import Foundation
import SDJSON
import SDTestSupport
import Testing

/// Clients that ask for another protocol, and get it from the server behind a stub: bytes pass as they are, but for those of WebSocket.
@Suite(.serialized) struct ProxiedUpgradeTests {
    private static let key = "X-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    private static let accept = "X-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"
    private static let asked = "Connection: Upgrade\r\nUpgrade: chat\r\n" + key
    private static let switched =
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: chat\r\nConnection: Upgrade\r\n" + accept

    /// A server that switches, and then does something.
    private static func server(
        _ serve: @escaping @Sendable (RawClient, ReceivedRequest) throws -> Void = { client, _ in try echo(client) }
    ) throws -> RawServer {
        try RawServer { client, _ in
            guard let request = client.receiveRequest() else { return }
            try client.send(switched + "\r\n")
            try serve(client, request)
        }
    }

    private static func echo(_ client: RawClient) throws {
        while case let some = client.receiveSome(within: 30_000), !some.bytes.isEmpty { try client.send(some.bytes) }
    }

    private static func stub(_ port: UInt16, _ more: String = "") -> [String: String] {
        [
            "a.json": """
            {"request": {"urlPathPattern": "/.*"}, "response": {"proxyBaseUrl": "http://127.0.0.1:\(port)"\(more)}}
            """
        ]
    }

    private static func ask(_ client: RawClient, _ fields: String = asked, _ target: String = "/chat") throws {
        try client.send("GET \(target) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")
    }

    /// A client that has been answered with a 101.
    private static func client(_ daemon: Daemon, _ target: String = "/chat") throws -> RawClient {
        let client = try RawClient(port: daemon.port)
        try ask(client, asked, target)
        let head = client.receive(until: "\r\n\r\n").text
        #expect(head.hasPrefix("HTTP/1.1 101 Switching Protocols\r\n"), "\(head)\(daemon.process.errors)")
        return client
    }

    // MARK: What passes

    @Test func tenThousandMessagesAreEchoed() throws {
        let server = try Self.server()
        let daemon = try Daemon(files: Self.stub(server.port), ["--workers", "1"])
        let client = try Self.client(daemon)
        for index in 0..<10_000 {
            // Of all lengths around those at which WebSocket's frames have other heads.
            let message = String(repeating: "m", count: index % 140) + "\(index);"
            try client.send(message)
            let echo = client.receive(until: ";").text
            guard echo == message else {
                Issue.record("\(echo) for \(message)")
                return
            }
        }
        client.finishSending()
        expectWire(client.receiveAll(), "", .fin)
        #expect(server.connections == 1)
    }

    @Test(arguments: ["stub", "--proxy-all", "--pass-through", "--forward-proxy"])
    func theyPassOnEachWay(way: String) throws {
        let request = Events<ReceivedRequest>()
        let server = try Self.server { client, received in
            request.tell(received)
            try Self.echo(client)
        }
        let origin = "http://127.0.0.1:\(server.port)"
        let daemon =
            try way == "stub"
            ? Daemon(files: Self.stub(server.port))
            : Daemon(way == "--forward-proxy" ? [way] : [way, origin])
        let client = try RawClient(port: daemon.port)
        try Self.ask(client, "X-A: b\r\n" + Self.asked, way == "--forward-proxy" ? origin + "/chat" : "/chat")
        // The first words come right behind the head.
        try client.send("hello;")
        let all = client.receive(until: "hello;").text
        let head = all.components(separatedBy: "\r\n\r\n")[0] + "\r\n"
        #expect(head.hasPrefix("HTTP/1.1 101 Switching Protocols\r\n") && head.contains("\r\nUpgrade: chat\r\n"))
        #expect(head.contains("\r\nConnection: Upgrade\r\n") && head.contains("\r\n" + Self.accept), "\(head)")
        #expect(!head.contains("Content-Length") && !head.contains("Transfer-Encoding"))
        let got = try #require(request.next())
        #expect(got.call == "GET /chat" && got.values("host") == ["127.0.0.1:\(server.port)"])
        #expect(got.values("connection") == ["Upgrade"] && got.values("upgrade") == ["chat"])
        #expect(got.values("x-key") == ["dGhlIHNhbXBsZSBub25jZQ=="] && got.values("x-a") == ["b"])
        client.finishSending()
        expectWire(client.receiveAll(), "", .fin)
    }

    /// What is asked for, and the value of `Upgrade` that the server gets; nil for none.
    @Test(
        arguments: [
            ("Connection: upgrade\r\nUpgrade: WebSocket\r\n", "WebSocket"),
            ("connection: keep-alive , UPGRADE\r\nupgrade: my/2.1 , other\r\n", "my/2.1, other"),
            ("Connection: close\r\nConnection: Upgrade\r\nUpgrade: a\r\nUpgrade: b\r\n", "a, b"),
            ("Connection: Upgrade\r\nUpgrade: h2, websocket\r\n", "websocket"),
            // Nobody is asked.
            ("Upgrade: websocket\r\n", nil), ("Connection: Upgrade\r\n", nil),
            ("Connection: Upgrade\r\nUpgrade: h2\r\n", nil),
            ("Connection: Upgraded\r\nUpgrade: websocket\r\n", nil), ("Connection: Upgrade\r\nUpgrade: ,\r\n", nil),
        ] as [(String, String?)]) func onlyWhatIsAskedForIsAskedFor(fields: String, sent: String?) throws
    {
        let target = try CountingTarget { client, _, _ in
            try client.send(CountingTarget.ok)
            return true
        }
        let daemon = try Daemon(files: Self.stub(target.port))
        let client = try RawClient(port: daemon.port)
        try Self.ask(client, fields)
        #expect(client.receive(until: "\r\n\r\nok").text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        let request = try #require(target.requests.first)
        #expect(request.values("upgrade") == (sent.map { [$0] } ?? []))
        #expect(request.values("connection") == [sent == nil ? "keep-alive" : "Upgrade"])
    }

    /// A stub says that none passes, as others have nothing to ask with: clients of HTTP/1.0, and of HTTP/2.
    @Test func someHaveNoUpgrades() throws {
        let target = try CountingTarget { client, _, _ in
            try client.send(CountingTarget.ok)
            return true
        }
        let daemon = try Daemon(files: Self.stub(target.port, #", "removeProxyRequestHeaders": ["Upgrade"]"#))
        let client = try RawClient(port: daemon.port)
        try Self.ask(client)
        #expect(client.receive(until: "\r\n\r\nok").text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        let all = try Daemon(files: Self.stub(target.port))
        let old = try RawClient(port: all.port)
        try old.send("GET /old HTTP/1.0\r\n\(Self.asked)\r\n")
        #expect(old.receive(until: "\r\n\r\nok").text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(target.requests.map { $0.values("upgrade") } == [[], []])
    }

    /// With a body, as Docker's clients ask.
    @Test func aRequestWithABodyMaySwitch() throws {
        let body = Events<String>()
        let server = try RawServer { client, _ in
            guard let request = client.receiveRequest() else { return }
            body.tell(request.rest)
            try client.send("HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n")
            try Self.echo(client)
        }
        let daemon = try Daemon(files: Self.stub(server.port))
        let client = try RawClient(port: daemon.port)
        try client.send(
            "POST /exec HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: tcp\r\nContent-Length: 2\r\n\r\n{}ls;")
        #expect(client.receive(until: "ls;").text.hasSuffix("\r\n\r\nls;"))
        #expect(body.next() == "{}")
    }

    // MARK: Servers that do not switch

    @Test(arguments: [
        "200 OK\r\nContent-Length: 2\r\n\r\nok",
        "426 Upgrade Required\r\nUpgrade: other\r\nContent-Length: 2\r\n\r\nno",
        "400 Bad Request\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nno\r\n0\r\n\r\n",
        "302 Found\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n",
    ]) func whoDoesNotSwitchAnswersAsAlways(answer: String) throws {
        let target = try CountingTarget { client, _, _ in
            try client.send("HTTP/1.1 " + answer)
            return true
        }
        let daemon = try Daemon(files: Self.stub(target.port), ["--workers", "1"])
        let client = try RawClient(port: daemon.port)
        let end = answer.components(separatedBy: "\r\n\r\n").dropFirst().joined(separator: "\r\n\r\n")
        for _ in 0..<2 {
            try Self.ask(client)
            let head = client.receive(until: "\r\n\r\n").text
            #expect(head.hasPrefix("HTTP/1.1 " + answer.prefix { $0 != "\r\n" } + "\r\n"), "\(head)")
            #expect(!head.contains("Upgrade:"))
            #expect(client.receive(end.utf8.count).text == end)
        }
        // Both connections are kept.
        #expect(target.connections == 1 && target.calls.count == 2)
    }

    /// What the fields of a 101 are, and whether they name nothing but what the client asked for.
    @Test(
        arguments: [
            ("Upgrade: websocket\r\n", true), ("upgrade: WebSocket\r\nConnection: upgrade\r\n", true),
            ("Upgrade: , websocket ,chat/2\r\n", true), ("Upgrade: chat/2\r\nUpgrade: websocket\r\n", true),
            ("", false), ("Connection: Upgrade\r\n", false), ("Upgrade:\r\n", false), ("Upgrade: ,\r\n", false),
            ("Upgrade: other\r\n", false), ("Upgrade: websocket, other\r\n", false),
            ("Upgrade: websocket\r\nUpgrade: other\r\n", false), ("Upgrade: chat\r\n", false),
            ("Upgrade: chat/2.0\r\n", false), ("Upgrade: websockets\r\n", false), ("Upgrade: h2c\r\n", false),
        ]) func onlyWhatWasAskedForIsSwitchedTo(fields: String, isRight: Bool) throws
    {
        let ending = Events<RawClient.Ending>()
        let server = try RawServer { client, _ in
            _ = client.receiveRequest()
            try client.send("HTTP/1.1 101 Switching Protocols\r\n\(fields)\r\nfirst words;")
            ending.tell(client.receiveAll(within: 20_000).ending)
        }
        let daemon = try Daemon(files: Self.stub(server.port))
        let client = try RawClient(port: daemon.port)
        try Self.ask(client, "Connection: Upgrade\r\nUpgrade: websocket, chat/2\r\n")
        if isRight {
            let answer = client.receive(until: "words;").text
            #expect(answer.hasPrefix("HTTP/1.1 101 ") && answer.hasSuffix("\r\n\r\nfirst words;"), "\(answer)")
            return client.close()
        }
        let head = client.receive(until: "\r\n\r\n").text
        let length = Int(head.components(separatedBy: "Content-Length: ").last?.prefix(while: \.isNumber) ?? "")
        let answer = head + client.receive(try #require(length, "\(head)")).text
        #expect(answer.hasPrefix("HTTP/1.1 500 ") && !answer.contains("first words"), "\(answer)")
        let words = "\r\nThe target server failed to respond: 127.0.0.1:\(server.port) switched to "
        #expect(answer.contains(words), "\(answer)")
        // The connection to the server is of no use to anybody; that of the client is.
        #expect(try #require(ending.next()) != .open)
        try client.send("GET /__admin/health HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(client.receive(until: "\r\n").text == "HTTP/1.1 200 OK\r\n")
        let isTold = eventually { daemon.process.errors.contains("switched to ") ? true : nil }
        #expect(isTold == true, "\(daemon.process.errors)")
    }

    @Test func whoSwitchesUnaskedHasFailed() throws {
        let server = try Self.server()
        let daemon = try Daemon(files: Self.stub(server.port))
        let answer = try daemon.get("/a")
        #expect(answer.status == 500 && answer.text.hasPrefix("Network failure"), "\(answer.text)")
    }

    // MARK: Much, and ends

    /// A side that takes nothing holds back the other one, and costs no memory.
    @Test(arguments: [false, true]) func whoTakesNothingHoldsTheOtherBack(isClient: Bool) throws {
        let most = 128 << 20
        let (sent, isFull, goOn) = (Locked(0), Events<Bool>(), Events<Bool>())
        @Sendable func flood(_ client: RawClient) throws {
            let block = [UInt8](repeating: 0x61, count: 65_536)
            // Until nothing goes for a while.
            while sent.withLock({ $0 }) < most, client.waitUntilSendable(milliseconds: 500) {
                let count = try client.sendWithoutWaiting(block)
                sent.withLock { $0 += count }
            }
        }
        let all = Events<Int>()
        let server = try Self.server { client, _ in
            if isClient { try flood(client) }
            isFull.tell(true)
            if !isClient {
                _ = goOn.next()
                all.tell(client.receiveAll().bytes.count)
            }
        }
        let daemon = try Daemon(files: Self.stub(server.port), ["--workers", "1"])
        let client = try Self.client(daemon)
        if !isClient { try flood(client) }
        #expect(isFull.next() == true)
        #expect(sent.withLock { $0 } < most)
        daemon.expectPeakMemory(below: 64 << 20, "an upgrade whose \(isClient ? "client" : "server") takes nothing")
        if isClient {
            all.tell(client.receiveAll().bytes.count)
        } else {
            client.finishSending()
            goOn.tell(true)
        }
        #expect(all.next() == sent.withLock { $0 })
    }

    @Test func eachDirectionEndsByItself() throws {
        let heard = Events<String>()
        let server = try Self.server { client, request in
            if request.call.hasSuffix("/first") {
                try client.send("bye")
                client.finishSending()
            }
            let all = client.receiveAll().description
            heard.tell(all)
            if request.call.hasSuffix("/last") { try client.send("heard " + all) }
        }
        let daemon = try Daemon(files: Self.stub(server.port))
        let first = try Self.client(daemon, "/first")
        expectWire(first.receiveAll(), "bye", .fin)
        try first.send("still here")
        first.finishSending()
        #expect(heard.next() == "still here<fin>")
        let last = try Self.client(daemon, "/last")
        try last.send("words")
        last.finishSending()
        expectWire(last.receiveAll(), "heard words<fin>", .fin)
        #expect(heard.next() == "words<fin>")
    }

    @Test func aResetEndsTheOtherSide() throws {
        let heard = Events<RawClient.Ending>()
        let server = try Self.server { client, request in
            if request.call.hasSuffix("/rude") {
                _ = client.receive(until: "go")
                return client.reset()
            }
            heard.tell(client.receiveAll().ending)
        }
        let daemon = try Daemon(files: Self.stub(server.port))
        try Self.client(daemon, "/left").reset()
        #expect(try #require(heard.next()) != .open)
        let rude = try Self.client(daemon, "/rude")
        try rude.send("go")
        expectWire(rude.receiveAll(), "", .rst)
    }

    /// The daemon ends with them, and at once.
    @Test func theyEndWithTheDaemon() throws {
        let server = try Self.server()
        let daemon = try Daemon(files: Self.stub(server.port))
        let client = try Self.client(daemon)
        daemon.process.signal(SIGTERM)
        #expect(client.receiveAll(within: 20_000).ending != .open)
        #expect(daemon.process.wait(milliseconds: 20_000) == .exited(0))
    }

    // MARK: HTTPS

    /// Through HTTPS on both sides: a client of one daemon, whose server is another one.
    @Test func theyPassInTLS() throws {
        let server = try Self.server()
        let state = try TemporaryFolder()
        let inner = try Daemon(files: Self.stub(server.port), ["--https-port", "0", "--state-dir", state.path])
        let port = try #require(inner.ready["httpsPort"]?.intValue)
        let outer = try Daemon(
            ["--https-port", "0", "--state-dir", state.path, "--proxy-all", "https://localhost:\(port)"])
        let client = try TLSClient.connected(to: UInt16(try #require(outer.ready["httpsPort"]?.intValue))) {
            $0.protocols = ["http/1.1"]
        }
        try client.send("GET /chat HTTP/1.1\r\nHost: a\r\n\(Self.asked)\r\n")
        var head = ""
        while !head.hasSuffix("\r\n\r\n"), case let one = client.receive(1), !one.bytes.isEmpty { head += one.text }
        #expect(head.hasPrefix("HTTP/1.1 101 "), "\(head)\(outer.process.errors)\(inner.process.errors)")
        for index in 0..<1_000 {
            let message = String(repeating: "m", count: index * 37 % 20_000) + ";"
            try client.send(message)
            let echo = client.receive(message.utf8.count).text
            guard echo == message else {
                Issue.record("message \(index) has not come back")
                return
            }
        }
        try client.finishSending()
        #expect(client.receiveAll().ending == .fin)
    }

    // MARK: What is told

    /// An upgrade is one exchange with a 101, which ends where the other protocol begins, and is not recorded.
    @Test func theJournalHasThe101() throws {
        let server = try Self.server()
        let daemon = try Daemon()
        let origin = "http://127.0.0.1:\(server.port)"
        try daemon.admin("POST", "/recordings/start", #"{"targetBaseUrl": "\#(origin)"}"#)
        let client = try Self.client(daemon)
        try client.send("secret words;")
        #expect(client.receive(until: ";").text == "secret words;")
        let events = try daemon.admin("GET", "/requests")
        let event = try #require(events.json?["requests"]?[0])
        #expect(event["response"]?["status"] == 101 && event["wasMatched"] == true, "\(events.text)")
        #expect(event["response"]?["headers"]?["Upgrade"] == "chat")
        #expect(event["request"]?["headers"]?["Upgrade"] == "chat")
        #expect(!events.text.contains("secret words"))
        client.close()
        let recorded = try daemon.admin("POST", "/recordings/stop")
        #expect(recorded.json?["mappings"]?.arrayValue?.isEmpty == true, "\(recorded.text)")
    }

    /// A delay holds back the 101, and what the server says behind it.
    @Test func delaysActOnThe101() throws {
        let server = try Self.server { client, _ in
            try client.send("first words;")
            try Self.echo(client)
        }
        let daemon = try Daemon(files: Self.stub(server.port, #", "fixedDelayMilliseconds": 200"#))
        let begin = ContinuousClock.now
        let client = try Self.client(daemon)
        #expect(ContinuousClock.now - begin >= .milliseconds(200))
        #expect(client.receive(until: ";").text == "first words;")
        try client.send("more;")
        #expect(client.receive(until: ";").text == "more;")
    }

    /// A client that leaves while a delay holds back the 101, or closes its sending side, ends the call.
    @Test(arguments: ["close", "finish", "reset", "words"]) func whoLeavesInTheDelayEndsTheCall(how: String) throws {
        let (asked, ending) = (Events<Bool>(), Events<RawClient.Ending>())
        let server = try Self.server { client, _ in
            asked.tell(true)
            ending.tell(client.receiveAll(within: 60_000).ending)
        }
        let daemon = try Daemon(files: Self.stub(server.port, #", "fixedDelayMilliseconds": 600000"#))
        let client = try RawClient(port: daemon.port)
        try Self.ask(client)
        #expect(asked.next() == true)
        // The 101 has come once the journal has it.
        let came = try eventually {
            try daemon.admin("GET", "/requests").json?["requests"]?[0]?["response"]?["status"] == 101 ? true : nil
        }
        #expect(came == true)
        switch how {
        case "close": client.close()
        case "reset": client.reset()
        case "words":
            try client.send("words;")
            client.finishSending()
        default: client.finishSending()
        }
        #expect(try #require(ending.next()) != .open)
        if how == "finish" || how == "words" { expectWire(client.receiveAll(), "", .fin) }
    }

    /// Upgrades that rest hold nobody up.
    @Test func othersAreServedBesideThem() throws {
        let server = try Self.server()
        let target = try CountingTarget { client, _, _ in
            try client.send(CountingTarget.ok)
            return true
        }
        var files = Self.stub(server.port)
        let response = "{\"proxyBaseUrl\": \"\(target.origin)\"}"
        files["b.json"] = "{\"request\": {\"urlPath\": \"/b\"}, \"response\": \(response), \"priority\": 1}"
        let daemon = try Daemon(files: files, ["--workers", "1"])
        let clients = try (0..<200).map { _ in try Self.client(daemon) }
        for _ in 0..<20 { #expect(try daemon.get("/b").text == "ok") }
        for (index, client) in clients.enumerated() { try client.send("\(index);") }
        for (index, client) in clients.enumerated() { #expect(client.receive(until: ";").text == "\(index);") }
        for client in clients { client.close() }
    }

    // MARK: WebSocket

    /// A side that takes no messages holds back the other one, and costs no memory.
    @Test(arguments: [false, true]) func whoTakesNoMessagesHoldsTheOtherBack(isClient: Bool) throws {
        let most = 128 << 20
        let (isFull, goOn, sent, taken) = (Events<Int>(), Events<Bool>(), Locked(0), Events<Int>())
        @Sendable func flood(_ client: RawClient, _ head: [UInt8]) throws {
            let frame = head + [UInt8](repeating: 0x61, count: 16_384)
            var rest = frame[...]
            // The buffers on the way take more than 1.5 MiB.
            func isWritable() -> Bool {
                client.waitUntilSendable(milliseconds: sent.withLock { $0 } < 3 << 19 ? 60_000 : 500)
            }
            while sent.withLock({ $0 }) < most, isWritable() {
                let count = try client.sendWithoutWaiting(Array(rest))
                rest = rest.dropFirst(count)
                sent.withLock { $0 += count }
                if rest.isEmpty { rest = frame[...] }
            }
            isFull.tell(sent.withLock { $0 })
        }
        let server = try RawServer { client, _ in
            guard client.receiveRequest() != nil else { return }
            try client.send(
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n")
            if isClient { return try flood(client, [0x82, 126, 0x40, 0]) }
            _ = goOn.next()
            taken.tell(client.receive(1 << 20).bytes.count)
        }
        let daemon = try Daemon(
            files: Self.stub(server.port), ["--workers", "1", "--max-request-journal-entries", "10"])
        let fields = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        let client = try RawClient(port: daemon.port)
        try Self.ask(client, "Connection: Upgrade\r\nUpgrade: websocket\r\n" + fields)
        #expect(client.receive(until: "\r\n\r\n").text.hasPrefix("HTTP/1.1 101 "))
        if !isClient { try flood(client, [0x82, 0xFE, 0x40, 0, 0, 0, 0, 0]) }
        #expect(try #require(isFull.next()) < most)
        daemon.expectPeakMemory(below: 64 << 20, "a WebSocket whose \(isClient ? "client" : "server") takes nothing")
        #expect(try daemon.get("/__admin/health").status == 200)
        if isClient { taken.tell(client.receive(1 << 20).bytes.count) } else { goOn.tell(true) }
        #expect(taken.next() == 1 << 20)
    }
}
