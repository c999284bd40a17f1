import SDHTTPTransport
import SDTestSupport
import Testing

/// Clients that close or reset the connection at every moment.
@Suite struct ClientDisconnectTests {
    enum Leaving: CaseIterable {
        case close, reset, finishSending
    }

    private func leave(_ client: RawClient, _ leaving: Leaving) {
        switch leaving {
        case .close: client.close()
        case .reset: client.reset()
        case .finishSending: client.finishSending()
        }
    }

    @Test func aClientThatResetsDuringAWaitCancelsTheScript() throws {
        let asked = Events<Void>()
        let observer = EndObserver()
        let server = try TestServer(limits: .patient) { _, reply in
            asked.tell(())
            let hour = milliseconds(3_600_000)
            reply.send(script(bytes("HTTP"), .wait(nanoseconds: hour), .end(.close)), observer: observer)
        }
        let client = try server.client()
        try client.send(get("/"))
        try #require(asked.next() != nil)
        expectWire(client.receive(4), "HTTP", .open)
        client.reset()
        let end = try #require(observer.ends.next())
        #expect(end.outcome == .clientDisconnected)
        #expect(end.bytesSent == 4)
    }

    /// The client's system answers the next bytes with a reset.
    @Test func aClientThatClosesDuringAWaitIsNoticedWhenBytesAreSent() throws {
        let asked = Events<Void>()
        let observer = EndObserver()
        let server = try TestServer(limits: .patient) { _, reply in
            asked.tell(())
            let steps = script(
                .wait(nanoseconds: milliseconds(10_000)), bytes("HTTP"), .wait(nanoseconds: milliseconds(100)),
                bytes("/1.1"), .end(.close))
            reply.send(steps, observer: observer)
        }
        let client = try server.client()
        try client.send(get("/"))
        try #require(asked.next() != nil)
        client.close()
        let end = try #require(observer.ends.next())
        #expect(end.outcome == .clientDisconnected)
        #expect(end.bytesSent == 4)
    }

    @Test func aClientThatClosedItsSendingSideAndThenResetsCancelsTheScript() throws {
        let asked = Events<Void>()
        let observer = EndObserver()
        let server = try TestServer(limits: .patient) { _, reply in
            asked.tell(())
            reply.send(script(.wait(nanoseconds: milliseconds(3_600_000)), .end(.close)), observer: observer)
        }
        let client = try server.client()
        try client.send(get("/"))
        try #require(asked.next() != nil)
        client.finishSending()
        server.settle()
        client.reset()
        #expect(observer.ends.next()?.outcome == .clientDisconnected)
    }

    // MARK: Half closed

    static let requests: [(name: String, text: String, echo: [UInt8])] = [
        ("without a body", get("/a"), echoed(["GET /a HTTP/1.1 keep", "[Host]=[a]"])),
        (
            "that asks to close", get("/a", "Connection: close\r\n"),
            echoed(["GET /a HTTP/1.1 close", "[Host]=[a]", "[Connection]=[close]"])
        ),
        (
            "with a body", "PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
            echoed(["PUT /a HTTP/1.1 keep", "[Host]=[a]", "[Content-Length]=[5]", "body 5 hello"])
        ),
        (
            "in chunks", "PUT /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
            echoed(["PUT /a HTTP/1.1 keep", "[Host]=[a]", "[Transfer-Encoding]=[chunked]", "body 5 hello"])
        ),
    ]

    enum Delay: CaseIterable {
        /// The script waits before it sends.
        case script
        /// The handler answers later.
        case handler
    }

    @Test(arguments: requests.indices, Delay.allCases)
    func aClientThatClosedItsSendingSideGetsADelayedAnswer(request: Int, delay: Delay) throws {
        let (_, text, echoed) = Self.requests[request]
        let asked = Events<(answer: WireScript, reply: HeldReply)>()
        let observer = EndObserver()
        let server = try TestServer(limits: .patient) { request, reply in
            let echo = WireStep.raw(WireBytes(plainAnswer(echo(request))))
            let pause = milliseconds(delay == .script ? 200 : 0)
            asked.tell((script(.wait(nanoseconds: pause), echo, .end(.keepAlive)), HeldReply(reply)))
        }
        let client = try server.client()
        try client.send(text)
        let (answer, reply) = try #require(asked.next())
        if delay == .script { reply.send(answer, observer: observer) }
        client.finishSending()
        server.settle()
        if delay == .handler { reply.send(answer, observer: observer) }
        expectWire(client.receiveAll(), echoed, .fin)
        #expect(observer.ends.next()?.outcome == .sent)
    }

    @Test func pipelinedRequestsOfAClientThatClosedItsSendingSideAreAllAnswered() throws {
        let held = Events<HeldReply>()
        let server = try TestServer(limits: .patient) { _, reply in held.tell(HeldReply(reply)) }
        let client = try server.client()
        try client.send(get("/1") + get("/2") + get("/3") + "GET /unfinished HT")
        let first = try #require(held.next())
        client.finishSending()
        server.settle()
        first.send(script(answer("1"), .end(.keepAlive)))
        try #require(held.next()).send(script(.wait(nanoseconds: milliseconds(50)), answer("2"), .end(.keepAlive)))
        try #require(held.next()).send(script(answer("3"), .end(.keepAlive)))
        expectWire(client.receiveAll(), answered("1") + answered("2") + answered("3"), .fin)
        #expect(server.refusals.isEmpty)
    }

    /// Everything including the client's end arrives in one packet and is answered at once.
    @Test func pipelinedRequestsSentTogetherWithTheEndAreAnswered() throws {
        let server = try TestServer(limits: .patient) { _, reply in
            reply.send(script(.wait(nanoseconds: milliseconds(20)), answer("x"), .end(.keepAlive)))
        }
        let client = try server.client()
        try client.send(String(repeating: get("/"), count: 20))
        client.finishSending()
        expectWire(client.receiveAll(), Array(repeatElement(answered("x"), count: 20).joined()), .fin)
    }

    @Test func aClientThatLeavesDuringAPaceCancelsTheScript() throws {
        let observer = EndObserver()
        let server = try TestServer(limits: .patient) { _, reply in
            let blob = WireBytes([UInt8](repeating: 0x78, count: 1_000_000))
            reply.send(script(.pace(blob, 0..<1_000_000, bytesPerSecond: 1000), .end(.close)), observer: observer)
        }
        let client = try server.client()
        try client.send(get("/"))
        expectWire(client.receive(1), "x", .open)
        client.close()
        #expect(observer.ends.next()?.outcome == .clientDisconnected)
    }

    @Test(arguments: [Leaving.close, .reset])
    func aClientThatLeavesALargeAnswerEndsTheScript(leaving: Leaving) throws {
        let observer = EndObserver()
        let large = WireBytes([UInt8](repeating: 0x78, count: 30_000_000))
        let server = try TestServer(limits: .patient) { _, reply in
            reply.send(script(.raw(large), .end(.close)), observer: observer)
        }
        let client = try server.client()
        try client.send(get("/"))
        expectWire(client.receive(1), "x", .open)
        leave(client, leaving)
        let end = try #require(observer.ends.next())
        #expect(end.outcome == .clientDisconnected)
        #expect(end.bytesSent > 0 && end.bytesSent < 30_000_000)
    }

    @Test func aClientThatClosedItsSendingSideGetsTheRestOfALargeAnswer() throws {
        let large = [UInt8](repeating: 0x78, count: 30_000_000)
        let blob = WireBytes(large)
        let server = try TestServer(limits: .patient) { _, reply in reply.send(script(.raw(blob), .end(.keepAlive))) }
        let client = try server.client()
        try client.send(get("/"))
        expectWire(client.receive(1), "x", .open)
        client.finishSending()
        let rest = client.receiveAll()
        #expect(rest.bytes.count == large.count - 1)
        #expect(rest.ending == .fin)
    }

    @Test(arguments: Leaving.allCases)
    func aClientMayLeaveAfterAnyByteOfARequest(leaving: Leaving) throws {
        let request = wire(
            "PUT /a HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "5\r\nhello\r\n0\r\nA: b\r\n\r\n")
        let served = Events<Void>()
        let server = try TestServer(limits: .patient) { request, reply in
            served.tell(())
            answerWithEcho(request, reply)
        }
        for count in 0..<request.count {
            let client = try server.client()
            try client.send(Array(request.prefix(count)))
            leave(client, leaving)
        }
        let client = try server.client()
        try client.send(get("/"))
        _ = client.receive(until: "[a]")
        #expect(served.next() != nil)
        #expect(served.next(within: 0) == nil, "an unfinished request was served")
        #expect(server.refusals.isEmpty)
    }

    @Test(arguments: [Leaving.close, .reset])
    func pipelinedRequestsOfAClientThatLeftAreNotServed(leaving: Leaving) throws {
        let held = Events<HeldReply>()
        let server = try TestServer(limits: .patient) { _, reply in held.tell(HeldReply(reply)) }
        let client = try server.client()
        try client.send(get("/1") + get("/2"))
        let first = try #require(held.next())
        leave(client, leaving)
        // When another client is served, the loop has seen the first one leave.
        let other = try server.client()
        try other.send("nonsense\r\n\r\n")
        _ = other.receiveAll()
        let observer = EndObserver()
        let pause = milliseconds(100)
        first.send(script(answer("1"), .wait(nanoseconds: pause), answer("1"), .end(.keepAlive)), observer: observer)
        #expect(observer.ends.next()?.outcome == .clientDisconnected)
        #expect(held.next(within: 50) == nil)
    }
}
