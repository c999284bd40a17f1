import SDHTTPTransport
import SDTestSupport
import SDWebSocket
import Testing

/// WebSockets on streams of HTTP/2 (RFC 8441).
@Suite struct HTTP2ChannelTests {
    private static func open(
        _ stream: UInt32, _ path: String = "/", _ fields: [(String, String)] = [("sec-websocket-version", "13")],
        protocol name: String = "websocket", ends: Bool = false
    ) -> HTTP2Frame {
        let pseudo = [
            (":method", "CONNECT"), (":protocol", name), (":scheme", "http"), (":path", path),
            (":authority", "a.example:8"),
        ]
        return HTTP2Frame(
            .headers, HTTP2Frame.endHeaders | (ends ? HTTP2Frame.endStream : 0), stream: stream,
            HTTP2Frame.block(pseudo + fields))
    }

    private static func data(_ stream: UInt32, _ bytes: [UInt8], ends: Bool = false) -> [HTTP2Frame] {
        var (frames, rest): ([HTTP2Frame], ArraySlice<UInt8>) = ([], bytes[...])
        repeat {
            let piece = Array(rest.prefix(16_384))
            rest = rest.dropFirst(16_384)
            let flags = ends && rest.isEmpty ? HTTP2Frame.endStream : 0
            frames.append(HTTP2Frame(.data, flags, stream: stream, piece))
        } while !rest.isEmpty
        return frames
    }

    private static let normalClose = frame(0x88, closing(1000))

    private func client(of echo: EchoServer) throws -> HTTP2Client { try HTTP2Client(port: echo.server.port) }

    @Test(arguments: [false, true]) func clientsAreToldOnlyWhereItMayBe(isAllowed: Bool) throws {
        var limits = ServerLimits.channels
        limits.http2Channels = isAllowed
        let server = try TestServer(limits: limits) { request, reply in
            let line = "\(String(decoding: request.method, as: UTF8.self)) \(request.wantsWebSocket)"
            reply.send(
                WireScript([
                    .head(ResponseHead(status: 200, reason: "OK")), .body(WireBytes(utf8(line))), .end(.keepAlive),
                ]))
        }
        let client = try HTTP2Client(port: server.port)
        try client.settle()
        let settings = client.others.filter { $0.kind == HTTP2Frame.Kind.settings.rawValue && $0.flags == 0 }
        let told = settings.contains { settings in
            stride(from: 0, to: settings.payload.count, by: 6).contains {
                settings.payload[$0..<$0 + 6].elementsEqual([0, 8, 0, 0, 0, 1])
            }
        }
        #expect(told == isAllowed)
        try client.send(Self.open(1))
        client.wait { $0[1].end == .reset(isAllowed ? 0 : 1) }
        #expect(client[1].text == (isAllowed ? "GET true" : ""))
    }

    @Test func aStreamCarriesMessagesBesideOthers() throws {
        let echo = try EchoServer()
        let client = try client(of: echo)
        try client.send(
            [Self.open(1), Self.open(3)] + Self.data(1, frame(0x81, "one")) + Self.data(3, frame(0x82, [3])))
        client.wait { $0[1].body.count == 5 && $0[3].body.count == 3 }
        #expect(client[1].body == answered(0x81, utf8("one")) && client[3].body == answered(0x82, [3]))
        #expect(client[1].blocks == [":status: 200\n"])
        try client.send(Self.data(1, Self.normalClose))
        client.wait { $0[1].end == .reset(0) }
        #expect(client[1].body.suffix(4).elementsEqual(answered(0x88, closing(1000))))
        #expect(try #require(echo.observer.ends.next()).wasClean)
        try client.send(Self.data(3, frame(0x81, "on")))
        client.wait { $0[3].body.count == 7 }
        #expect(client[3].body.suffix(4).elementsEqual(answered(0x81, utf8("on"))))
        #expect(client.goAway == nil && client.ending == .open)
    }

    /// The table of cases, in a stream.
    @Test(arguments: FrameCases.all) func aServerAnswersInAStream(what sent: FrameCase) throws {
        let echo = try EchoServer(sent.settings)
        let client = try client(of: echo)
        let offer = [("sec-websocket-version", "13"), ("sec-websocket-extensions", "permessage-deflate")]
        try client.send(Self.open(1, "/", sent.compresses ? offer : [offer[0]]))
        let bytes = sent.bytes + (sent.ends ? [] : Self.normalClose)
        if bytes.count > 300 {
            // Until the settings are acknowledged, the window is the protocol's, of 65,535 bytes.
            client.wait { $0[1].status == "200" }
            try client.send(Self.data(1, bytes))
        } else {
            for byte in bytes { try? client.send(Self.data(1, [byte])) }
        }
        client.wait { $0[1].end == .reset(0) || $0.ending != .open }
        let end = try #require(echo.observer.ends.next())
        #expect(client[1].body == FrameTests.answer(to: sent, refusing: end.reason))
    }

    @Test(arguments: ["/", "/late", "/held"]) func whatComesBeforeTheAnswerIsRead(path: String) throws {
        let late = Events<@Sendable () -> Void>()
        let echo = try EchoServer(late: late)
        let client = try client(of: echo)
        try client.send([Self.open(1, path)] + Self.data(1, frame(0x81, "early")))
        if path == "/late" {
            let open = try #require(late.next())
            try client.settle()
            open()
        }
        client.wait { $0[1].body.count == 7 }
        #expect(client[1].body == answered(0x81, utf8("early")))
    }

    @Test func aRequestThatIsWrongIsRefused() throws {
        let echo = try EchoServer()
        let client = try client(of: echo)
        try client.send([Self.open(1, "/", [])] + Self.data(1, frame(0x81, "x")))
        client.wait { $0[1].end == .reset(0) }
        #expect(client[1].status == "426" && client[1].text == "Sec-WebSocket-Version has to be 13; found: none.")
        try client.send([Self.open(3, ends: true)])
        #expect(client.answer(3).end == .reset(8))
        #expect(echo.observer.ends.next()?.cause == .gone)
        try client.send([Self.open(5)])
        client.wait { $0[5].status == "200" }
        #expect(client[5].status == "200")
    }

    @Test(arguments: ["end", "reset", "trailers", "connection"]) func aClientMayLeaveWithoutAWord(by way: String) throws
    {
        let echo = try EchoServer()
        let client = try client(of: echo)
        try client.send([Self.open(1)] + Self.data(1, frame(0x01, "half")))
        client.wait { $0[1].status == "200" }
        let last = HTTP2Frame.endHeaders | HTTP2Frame.endStream
        switch way {
        case "end": try client.send(Self.data(1, [], ends: true))
        case "reset": try client.send(HTTP2Frame(.resetStream, stream: 1, HTTP2Frame.number(8)))
        case "trailers": try client.send(HTTP2Frame(.headers, last, stream: 1, HTTP2Frame.block([("a", "b")])))
        default: client.raw.close()
        }
        let end = try #require(echo.observer.ends.next())
        #expect(end.cause == .gone && end.code == 1006 && !end.wasClean)
    }

    @Test func theServerEndsAStreamAlone() throws {
        let echo = try EchoServer()
        let client = try client(of: echo)
        var streams: [WebSocketStream] = []
        for id: UInt32 in [1, 3, 5, 7, 9] {
            try client.send(Self.open(id))
            client.wait { $0[id].status == "200" }
            streams.append(try #require(echo.observer.opened.next()))
        }
        streams[0].close(4000, "bye")
        streams[1].breakOff()
        streams[2].breakOff(resets: true)
        streams[3].cancel()
        client.wait { $0[1].body.count == 7 && $0[3].end != .open && $0[5].end != .open && $0[7].end != .open }
        #expect(client[1].body == answered(0x88, closing(4000, "bye")))
        #expect(client[3].body == [] && client[5].end == .reset(8) && client[7].end == .reset(8))
        try client.send(Self.data(1, frame(0x88, closing(4000)), ends: true))
        #expect(client.answer(1).end == .end)
        try client.send(Self.data(9, frame(0x81, "on")))
        client.wait { $0[9].body.count == 4 }
        #expect(client[9].body == answered(0x81, utf8("on")) && client.goAway == nil)
        let causes = (1...4).compactMap { _ in echo.observer.ends.next()?.cause }
        #expect(causes.filter { $0 == .brokenOff }.count == 3 && causes.contains(.server))
    }

    /// What a stream does not want waits with its client, within the window, and delays no other.
    @Test func aStreamThatPausesHoldsItsClientBack() throws {
        let echo = try EchoServer(echoes: false)
        let client = try client(of: echo)
        try client.send(Self.open(1), Self.open(3))
        client.wait { $0[1].status == "200" && $0[3].status == "200" }
        let stream = try #require(echo.observer.opened.next())
        stream.pauseReading()
        echo.server.settle()
        let message = frame(0x82, pattern(30_000))
        for _ in 1...8 { try client.send(Self.data(1, message)) }
        try client.send(Self.data(3, frame(0x81, "other")))
        #expect(echo.observer.messages.next()?.text == "other")
        try client.settle()
        func granted() -> Int {
            client.others.filter { $0.kind == HTTP2Frame.Kind.windowUpdate.rawValue && $0.stream == 1 }
                .reduce(0) { $0 + Int(HTTP2Frame.number(at: 0, in: $1.payload)) }
        }
        #expect(granted() == 0 && echo.observer.messages.next(within: 0) == nil)
        stream.resumeReading()
        for _ in 1...8 { #expect(echo.observer.messages.next()?.bytes.count == 30_000) }
        client.wait { _ in granted() > 0 }
        #expect(granted() > 100_000)
    }

    @Test func aServerThatEndsEndsThem() throws {
        let echo = try EchoServer()
        let client = try client(of: echo)
        try client.send(Self.open(1))
        client.wait { $0[1].status == "200" }
        echo.server.server.drain(milliseconds: 20_000)
        #expect(echo.observer.ends.next()?.cause == .stopped)
    }

    /// Another protocol than WebSocket is no channel.
    @Test func anotherProtocolIsNone() throws {
        let echo = try EchoServer()
        let client = try client(of: echo)
        try client.send(Self.open(1, protocol: "connect-udp"))
        client.wait { $0[1].end != .open }
        #expect(client[1].status != "200")
    }
}
