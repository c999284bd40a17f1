import SDHTTPTransport
import SDTestSupport
import Testing

/// Replies from other threads after `serve` has returned, at every moment of the connection.
@Suite struct DeferredReplyTests {
    @Test func lateRepliesToPipelinedRequestsGoOutInOrder() throws {
        let held = Events<HeldReply>()
        let server = try TestServer(limits: .patient) { _, reply in held.tell(HeldReply(reply)) }
        let client = try server.client()
        try client.send(get("/1") + get("/2") + get("/3"))
        for number in 1...3 {
            let reply = try #require(held.next())
            reply.send(script(answer("\(number)"), .end(.keepAlive)))
        }
        let expected = answered("1") + answered("2") + answered("3")
        expectWire(client.receive(expected.count), expected, .open)
    }

    @Test func aPipelinedRequestIsNotServedBeforeTheOneAheadOfItIsAnswered() throws {
        let held = Events<HeldReply>()
        let server = try TestServer(limits: .patient) { _, reply in held.tell(HeldReply(reply)) }
        let client = try server.client()
        try client.send(get("/1") + get("/2"))
        let first = try #require(held.next())
        #expect(held.next(within: 50) == nil)
        first.send(script(answer("1"), .end(.close)))
        expectWire(client.receiveAll(), answered("1"), .fin)
        #expect(held.next(within: 50) == nil)
    }

    @Test func aClientThatWaitsForContinueAfterALateReplyGetsIt() throws {
        let held = Events<HeldReply>()
        let server = try TestServer(limits: .patient) { request, reply in
            if request.path.elementsEqual(wire("/late")) {
                held.tell(HeldReply(reply))
            } else {
                answerWithEcho(request, reply)
            }
        }
        let client = try server.client()
        try client.send(
            get("/late") + "PUT /b HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        let reply = try #require(held.next())
        reply.send(script(answer("late"), .end(.keepAlive)))
        let first = answered("late") + wire("HTTP/1.1 100 Continue\r\n\r\n")
        expectWire(client.receive(first.count), first, .open)
        try client.send("ok")
        let second = answered(
            "PUT /b HTTP/1.1 keep\n[Host]=[a]\n[Expect]=[100-continue]\n[Content-Length]=[2]\nbody 2 ok")
        expectWire(client.receive(second.count), second, .open)
    }

    @Test func aReplyAfterTheClientHasLeftNotifiesItsObserver() throws {
        let held = Events<HeldReply>()
        let server = try TestServer(limits: .patient) { _, reply in held.tell(HeldReply(reply)) }
        let client = try server.client()
        try client.send(get("/"))
        let reply = try #require(held.next())
        client.reset()
        let other = try server.client()
        try other.send("nonsense\r\n\r\n")
        _ = other.receiveAll()  // One round of the loop: it knows that the first client is gone.
        let observer = EndObserver()
        reply.send(script(answer("late"), .end(.keepAlive)), observer: observer)
        let end = try #require(observer.ends.next())
        #expect(end.outcome == .clientDisconnected)
        #expect(end.bytesSent == 0)
    }

    @Test func aDroppedReplyAnswers500() throws {
        let server = try TestServer(limits: .patient) { _, _ in }
        let client = try server.client()
        try client.send(get("/"))
        expectWire(client.receiveAll(), droppedAnswer, .fin)
    }

    @Test func aReplyDroppedOnAnotherThreadAnswers500() throws {
        let held = Events<HeldReply>()
        let server = try TestServer(limits: .patient) { _, reply in held.tell(HeldReply(reply)) }
        let client = try server.client()
        try client.send(get("/"))
        try #require(held.next()).drop()
        expectWire(client.receiveAll(), droppedAnswer, .fin)
    }

    @Test func aReplyAfterTheEndOfTheServerNotifiesItsObserver() throws {
        let held = Events<HeldReply>()
        var server: TestServer? = try TestServer(limits: .patient) { _, reply in held.tell(HeldReply(reply)) }
        let client = try #require(try server?.client())
        try client.send(get("/"))
        let reply = try #require(held.next())
        server = nil
        let observer = EndObserver()
        reply.send(
            script(.wait(nanoseconds: milliseconds(60_000)), answer("late"), .end(.keepAlive)), observer: observer)
        #expect(observer.ends.next()?.outcome == .stopped)
        #expect(client.receiveAll().ending != .open)
    }

    @Test func aReplyDroppedAfterTheServerEndedFreesIt() throws {
        let held = Events<HeldReply>()
        var server: TestServer? = try TestServer(limits: .patient) { _, reply in held.tell(HeldReply(reply)) }
        weak let inner = server?.server
        let client = try #require(try server?.client())
        try client.send(get("/"))
        let reply = try #require(held.next())
        server = nil
        reply.drop()
        #expect(inner == nil)
        #expect(client.receiveAll().ending != .open)
    }

    @Test func oneHandlerMayAnswerAnotherConnectionsRequest() throws {
        let held = Events<HeldReply>()
        let server = try TestServer(limits: .patient) { request, reply in
            if request.path.elementsEqual(wire("/release")) {
                held.next(within: 0)?.send(script(answer("released"), .end(.keepAlive)))
                reply.send(script(answer("done"), .end(.keepAlive)))
            } else {
                held.tell(HeldReply(reply))
            }
        }
        let waiting = try server.client()
        let releasing = try server.client()
        try waiting.send(get("/hold") + get("/hold"))
        for _ in 1...2 {
            let asked = answered("done")
            repeat {
                try releasing.send(get("/release"))
                expectWire(releasing.receive(asked.count), asked, .open)
            } while waiting.receive(answered("released").count, within: 50).bytes.isEmpty
        }
    }

    private let droppedAnswer = wire(
        "HTTP/1.1 500 Internal Server Error\r\nContent-Type: text/plain;charset=utf-8\r\nContent-Length: 42\r\n"
            + "Connection: close\r\n\r\nthe request was dropped without an answer\n")
}
