import SDHTTPTransport
import SDPlatform
import SDTestSupport
import SDWebSocket
import Testing

/// An open WebSocket of a server, with a client on a socket.
@Suite struct WebSocketStreamTests {
    // MARK: Sending

    @Test func messagesAreSentFromAnyThread() throws {
        let echo = try EchoServer()
        let client = try echo.client()
        let stream = try #require(echo.observer.opened.next())
        stream.send(.text("a"))
        stream.send(.binary(pattern(200)))
        stream.send(.text("long"), fragment: 3)
        stream.send(WebSocketFrames(.text("shared")))
        stream.ping(utf8("p"))
        stream.sendRaw([0x83, 0x00])
        let sent = [
            answered(0x81, utf8("a")), answered(0x82, pattern(200)), answered(0x01, utf8("lon")),
            answered(0x80, utf8("g")),
            answered(0x81, utf8("shared")), answered(0x89, utf8("p")), [0x83, 0x00],
        ]
        let expected = Array(sent.joined())
        #expect(client.receive(expected.count).bytes == expected)
        try client.send(frame(0x8A, "p"))
        #expect(echo.observer.pongs.next() == utf8("p"))
    }

    @Test func messagesAreCompressedIfThatWasAgreedOn() throws {
        let frames = WebSocketFrames(.text(String(repeating: "ab", count: 500)), compresses: true)
        let echo = try EchoServer()
        let client = try echo.client(compresses: true)
        let stream = try #require(echo.observer.opened.next())
        #expect(stream.isCompressed)
        stream.send(frames)
        let head = client.receive(2).bytes
        try #require(head.count == 2 && head[0] == 0xC1 && head[1] < 100)
        // The client sends it back, compressed as it is.
        let packed = client.receive(Int(head[1])).bytes
        try client.send(frame(0xC1, packed))
        #expect(echo.observer.messages.next()?.text == String(repeating: "ab", count: 500))
        let plain = try EchoServer()
        let other = try plain.client()
        try #require(plain.observer.opened.next()).send(frames)
        #expect(other.receive(4).bytes == [0x81, 126, 3, 232])
    }

    /// Bytes that come with the request, or before a late answer, are read when there is one.
    @Test(arguments: ["/", "/late"]) func whatComesBeforeTheAnswerIsRead(path: String) throws {
        let late = Events<@Sendable () -> Void>()
        let echo = try EchoServer(late: late)
        let client = try echo.server.client()
        try client.send(utf8(EchoServer.request(path)) + frame(0x81, "early"))
        if path == "/late" {
            let open = try #require(late.next())
            open()
        }
        let expected = utf8(EchoServer.opening + "\r\n") + answered(0x81, utf8("early"))
        #expect(client.receive(expected.count).bytes == expected)
    }

    // MARK: Ending

    @Test func theServerClosesFirst() throws {
        let echo = try EchoServer()
        let client = try echo.client()
        let stream = try #require(echo.observer.opened.next())
        stream.close(4001, "bye")
        stream.send(.text("too late"))
        stream.close(4002)
        #expect(client.receive(7).bytes == answered(0x88, closing(4001, "bye")))
        try client.send(frame(0x81, "between") + frame(0x88, closing(4001)))
        let rest = client.receiveAll()
        #expect(rest.bytes == [] && rest.ending == .fin)
        #expect(echo.observer.messages.next()?.text == "between")
        let end = try #require(echo.observer.ends.next())
        #expect(end.cause == .server && end.wasClean && end.code == 4001 && end.reason == "bye")
    }

    @Test func aClientThatNeverAnswersACloseFrameIsCutOff() throws {
        var settings = WebSocketSettings()
        settings.closeTimeout = 50
        let echo = try EchoServer(settings)
        let client = try echo.client()
        try #require(echo.observer.opened.next()).close(1005)
        let received = client.receiveAll()
        #expect(received.bytes == answered(0x88) && received.ending != .open)
        let end = try #require(echo.observer.ends.next())
        #expect(end.cause == .server && !end.wasClean && end.code == 1005)
    }

    @Test func nothingForTooLongCloses() throws {
        var settings = WebSocketSettings()
        settings.idleTimeout = 6_000
        let echo = try EchoServer(settings)
        let client = try echo.client()
        for _ in 1...5 {
            try client.send(frame(0x89))
            #expect(client.receive(2).bytes == answered(0x8A))
            #expect(client.receiveUntilQuiet(milliseconds: 1_300).bytes == [])
        }
        #expect(client.receive(4).bytes.prefix(4).elementsEqual([0x88, 30, 3, 233]))
        try client.send(frame(0x88, closing(1001)))
        #expect(client.receiveAll().ending == .fin)
        #expect(echo.observer.ends.next()?.cause == .idle)
    }

    @Test(arguments: [false, true]) func aClientMayLeaveWithoutAWord(byReset: Bool) throws {
        let echo = try EchoServer()
        let client = try echo.client()
        try client.send(frame(0x01, "half"))
        if byReset { client.reset() } else { client.close() }
        let end = try #require(echo.observer.ends.next())
        #expect(end.cause == .gone && end.code == 1006 && !end.wasClean)
    }

    @Test(arguments: [false, true]) func theServerMayBreakOff(byReset: Bool) throws {
        let echo = try EchoServer()
        let client = try echo.client()
        let stream = try #require(echo.observer.opened.next())
        stream.sendRaw([0x81, 5, 0x48])
        #expect(client.receive(3).bytes == [0x81, 5, 0x48])
        stream.breakOff(resets: byReset)
        #expect(client.receiveAll().ending == (byReset ? .rst : .fin))
        let end = try #require(echo.observer.ends.next())
        #expect(end.cause == .brokenOff && !end.wasClean)
    }

    @Test func aServerThatEndsEndsIt() throws {
        let echo = try EchoServer()
        let client = try echo.client()
        try client.send(frame(0x81, "a"))
        #expect(client.receive(3).bytes == answered(0x81, utf8("a")))
        echo.server.server.drain(milliseconds: 20_000)
        #expect(echo.observer.ends.next()?.cause == .stopped)
    }

    // MARK: Readers that are slow

    @Test func aClientThatDoesNotReadIsTold() throws {
        var settings = WebSocketSettings()
        settings.outputLimit = 1 << 20
        let echo = try EchoServer(settings)
        let client = try echo.client()
        let stream = try #require(echo.observer.opened.next())
        let frames = WebSocketFrames(.binary(pattern(100_000)))
        // More than the kernel takes.
        for _ in 1...400 { stream.send(frames) }
        let waiting = try #require(echo.observer.overflows.next())
        #expect(waiting > 900_000 && waiting <= 1 << 20)
        #expect(echo.observer.ends.next()?.cause == .slowReader)
        #expect(echo.observer.overflows.next(within: 0) == nil && stream.pendingBytes == 0)
        #expect(client.receiveAll().ending == .rst)
    }

    /// One that closes and takes nothing of what waits before the answer to that.
    @Test func aClientThatClosesAndDoesNotReadIsCutOff() throws {
        var settings = WebSocketSettings()
        settings.closeTimeout = 50
        let echo = try EchoServer(settings)
        let client = try echo.client()
        try #require(echo.observer.opened.next()).send(.binary(pattern(12 << 20)))
        try client.send(frame(0x88, closing(1000)))
        let end = try #require(echo.observer.ends.next())
        #expect(end.cause == .client && !end.wasClean)
        #expect(client.receiveAll().ending == .rst)
    }

    /// A message larger than the limit is sent if nothing waits.
    @Test func aLongMessageIsSentWhole() throws {
        var settings = WebSocketSettings()
        settings.outputLimit = 1000
        let echo = try EchoServer(settings)
        let client = try echo.client()
        try #require(echo.observer.opened.next()).send(.binary(pattern(3 << 20)))
        let received = client.receive((3 << 20) + 10).bytes
        #expect(received.count == (3 << 20) + 10 && received.suffix(3 << 20).elementsEqual(pattern(3 << 20)))
    }

    @Test func aStreamThatPausesHoldsItsClientBack() throws {
        let echo = try EchoServer(echoes: false)
        let client = try echo.client()
        let stream = try #require(echo.observer.opened.next())
        stream.pauseReading()
        echo.server.settle()
        let message = frame(0x82, pattern(10_000))
        var (sent, rest) = (0, message[...])
        while client.waitUntilSendable(milliseconds: 500) {
            let count = try client.sendWithoutWaiting(Array(rest))
            rest = rest.dropFirst(count)
            if rest.isEmpty { (sent, rest) = (sent + 1, message[...]) }
        }
        echo.server.settle()
        #expect(sent > 1 && echo.observer.messages.next(within: 0) == nil)
        stream.resumeReading()
        for _ in 0..<sent { #expect(echo.observer.messages.next()?.bytes.count == 10_000) }
        try client.send(Array(rest) + frame(0x88, closing(1000)))
        #expect(client.receiveAll().ending == .fin)
    }

    /// A flood of pings by one client delays no other.
    @Test func manySmallFramesTakeTurns() throws {
        let echo = try EchoServer()
        let client = try echo.client()
        let flood = Array(repeatElement(frame(0x89, "p"), count: 20_000).joined())
        try client.send(flood + frame(0x88, closing(1000)))
        let other = try echo.client()
        try other.send(frame(0x81, "me, too"))
        #expect(other.receive(9).bytes == answered(0x81, utf8("me, too")))
        let received = client.receiveAll()
        #expect(received.bytes.count == 20_000 * 3 + 4 && received.ending == .fin)
    }

    @Test func unfinishedMessagesAreCounted() throws {
        let ledger = MemoryLedger()
        var settings = WebSocketSettings()
        settings.account = ledger.account(.uploads)
        let echo = try EchoServer(settings)
        let client = try echo.client()
        echo.server.settle()
        let before = ledger.total
        try client.send(frame(0x01, String(repeating: "x", count: 50_000)) + frame(0x89))
        #expect(client.receive(2).bytes == answered(0x8A))
        #expect(eventually { ledger.total - before >= 50_000 ? true : nil } == true)
        client.close()
        #expect(echo.observer.ends.next()?.cause == .gone)
        echo.server.settle()
        #expect(ledger.total == before)
    }

    // MARK: TLS

    @Test func messagesGoThroughTLS() throws {
        let identity = try TLSIdentity(
            chain: utf8(TestCertificates.localhost), key: utf8(TestCertificates.localhostKey))
        let settings = TLSSettings(offersHTTP2: false, onClientHello: { _ in .identity(identity) })
        let echo = try EchoServer(listen: { try $0.listen(address: "127.0.0.1", port: 0, tls: settings) })
        let client = try TLSClient.connected(to: echo.server.port)
        try client.send(utf8(EchoServer.request()) + frame(0x81, pattern(300).map { $0 & 0x7F }))
        let expected = utf8(EchoServer.opening + "\r\n") + answered(0x81, pattern(300).map { $0 & 0x7F })
        #expect(client.receive(expected.count).bytes == expected)
    }

    // MARK: Answers that are held

    @Test func anAnswerThatIsHeldGoesOn() throws {
        let echo = try EchoServer()
        let client = try echo.server.client()
        try client.send(utf8(EchoServer.request("/held")) + frame(0x81, "early"))
        let head = utf8(EchoServer.opening + "\r\n")
        #expect(client.receive(head.count + 7).bytes == head + answered(0x81, utf8("early")))
        // The answer has ended, and the WebSocket has not.
        let answer = try #require(echo.observer.answers.next())
        #expect(answer.outcome == .sent && answer.bytesSent == head.count && answer.firstByteTime > 0)
        try client.send(frame(0x81, "on"))
        #expect(client.receive(4).bytes == answered(0x81, utf8("on")))
        #expect(echo.observer.ends.next(within: 0) == nil)
        try client.send(frame(0x88, closing(1000)))
        #expect(client.receiveAll().bytes == answered(0x88, closing(1000)))
        #expect(try #require(echo.observer.ends.next()).wasClean)
        #expect(echo.observer.answers.next(within: 0) == nil)
    }

    @Test func aClientThatLeavesBeforeTheOpeningEndsIt() throws {
        let echo = try EchoServer()
        let client = try echo.server.client()
        try client.send(EchoServer.request("/delayed"))
        _ = try #require(echo.observer.opened.next())
        client.finishSending()
        #expect(try #require(echo.observer.answers.next()).outcome == .clientDisconnected)
        #expect(try #require(echo.observer.ends.next()).cause == .gone)
    }

    // MARK: The first close frame

    @Test(arguments: [true, false]) func theFirstCloseFrameIsToldAtOnce(isClients: Bool) throws {
        let echo = try EchoServer()
        let client = try echo.client()
        let stream = try #require(echo.observer.opened.next())
        if isClients { try client.send(frame(0x88, closing(4000))) } else { stream.close(4000) }
        let told = try #require(echo.observer.closings.next())
        #expect(told.cause == (isClients ? .client : .server) && told.code == 4000)
        if !isClients {
            #expect(echo.observer.ends.next(within: 0) == nil)
            try client.send(frame(0x88, closing(4000)))
        }
        #expect(client.receiveAll().bytes == answered(0x88, closing(4000)))
        #expect(try #require(echo.observer.ends.next()).wasClean)
        #expect(echo.observer.closings.next(within: 0) == nil)
    }
}
