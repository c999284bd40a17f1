import HTTPTransport
import TestSupport
import Testing

/// Clients that close, or reset, at every moment.
@Suite struct ClientGoneTests {
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

    @Test(arguments: Leaving.allCases)
    func aClientThatLeavesDuringAWaitCancelsTheScript(leaving: Leaving) throws {
        let asked = Events<Void>()
        let observer = EndObserver()
        let server = try TestServer { _, reply in
            asked.tell(())
            let hour = milliseconds(3_600_000)
            reply.send(script(bytes("HTTP"), .wait(nanoseconds: hour), .finish(.close)), observer: observer)
        }
        let client = try server.client()
        try client.send(get("/"))
        try #require(asked.next() != nil)
        expectWire(client.receive(4), "HTTP", .open)
        leave(client, leaving)
        let end = try #require(observer.ends.next(within: 5_000))
        #expect(end.outcome == .clientGone)
        #expect(end.bytesSent == 4)
    }

    @Test func aClientThatLeavesDuringAPaceCancelsTheScript() throws {
        let observer = EndObserver()
        let server = try TestServer { _, reply in
            let blob = WireBytes([UInt8](repeating: 0x78, count: 1_000_000))
            reply.send(script(.pace(blob, 0..<1_000_000, bytesPerSecond: 1000), .finish(.close)), observer: observer)
        }
        let client = try server.client()
        try client.send(get("/"))
        expectWire(client.receive(1), "x", .open)
        client.close()
        #expect(observer.ends.next(within: 5_000)?.outcome == .clientGone)
    }

    @Test(arguments: [Leaving.close, .reset])
    func aClientThatLeavesALargeAnswerEndsTheScript(leaving: Leaving) throws {
        let observer = EndObserver()
        let large = WireBytes([UInt8](repeating: 0x78, count: 30_000_000))
        let server = try TestServer { _, reply in reply.send(script(.send(large), .finish(.close)), observer: observer)
        }
        let client = try server.client()
        try client.send(get("/"))
        expectWire(client.receive(1), "x", .open)
        leave(client, leaving)
        let end = try #require(observer.ends.next(within: 5_000))
        #expect(end.outcome == .clientGone)
        #expect(end.bytesSent > 0 && end.bytesSent < 30_000_000)
    }

    @Test func aClientThatClosedItsSendingSideGetsTheRestOfALargeAnswer() throws {
        let large = [UInt8](repeating: 0x78, count: 30_000_000)
        let blob = WireBytes(large)
        let server = try TestServer { _, reply in reply.send(script(.send(blob), .finish(.keepAlive))) }
        let client = try server.client()
        try client.send(get("/"))
        expectWire(client.receive(1), "x", .open)
        client.finishSending()
        let rest = client.receiveAll()
        #expect(rest.bytes.count == large.count - 1)
        #expect(rest.ending == .fin)
    }

    @Test(arguments: Leaving.allCases)
    func aClientMayLeaveBehindAnyByteOfARequest(leaving: Leaving) throws {
        let request = wire(
            "PUT /a HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "5\r\nhello\r\n0\r\nA: b\r\n\r\n")
        let served = Events<Void>()
        let server = try TestServer { request, reply in
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

    @Test(arguments: Leaving.allCases)
    func pipelinedRequestsOfAClientThatLeftAreNotServed(leaving: Leaving) throws {
        let held = Events<HeldReply>()
        let server = try TestServer { _, reply in held.tell(HeldReply(reply)) }
        let client = try server.client()
        try client.send(get("/1") + get("/2"))
        let first = try #require(held.next())
        leave(client, leaving)
        // Whoever is served after that: the loop has seen the client leave.
        let other = try server.client()
        try other.send("nonsense\r\n\r\n")
        _ = other.receiveAll()
        let observer = EndObserver()
        first.send(script(answer("1"), .finish(.keepAlive)), observer: observer)
        #expect(observer.ends.next()?.outcome == .clientGone)
        #expect(held.next(within: 50) == nil)
    }
}
