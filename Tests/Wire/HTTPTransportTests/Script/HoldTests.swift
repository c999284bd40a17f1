import SDHTTPTransport
import SDTestSupport
import Testing

/// Holds in the middle of a script: what is behind one waits until somebody lets it go on.
@Suite struct HoldTests {
    /// Answers `/` with an echo and everything else with a script that can be let go on.
    private struct Holding {
        let server: TestServer
        let handles = Events<StreamHandle>()
        let observer = HoldObserver()

        init(_ script: WireScript, limits: ServerLimits = .patient) throws {
            server = try TestServer(limits: limits) { [handles, observer] request, reply in
                if request.path.elementsEqual(wire("/")) { return answerWithEcho(request, reply) }
                handles.tell(reply.sendCancellable(script, observer: observer))
            }
        }
    }

    private static let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n"
    private static let held = script(
        .head(Announced.chunks.head(0)), .body(WireBytes([0x61])), .hold("gate"), .body(WireBytes([0x62])),
        .end(.keepAlive))

    @Test func aNamedHoldInTheMiddleIsReleased() throws {
        let holding = try Holding(Self.held)
        let client = try holding.server.client()
        try client.send(get("/held") + get("/"))
        #expect(holding.observer.holds.next() == "gate")
        expectWire(client.receive(Self.text.utf8.count), Self.text, .open)
        let handle = try #require(holding.handles.next())
        handle.release("another")
        handle.release()
        holding.server.settle()
        #expect(holding.observer.ends.next(within: 0) == nil)
        handle.release("gate")
        expectWire(client.receive(11), "1\r\nb\r\n0\r\n\r\n", .open)
        #expect(holding.observer.ends.next()?.outcome == .sent)
        #expect(client.receive(until: "[Host]=[a]").bytes.prefix(15).elementsEqual(wire("HTTP/1.1 200 OK")))
        handle.release("gate")
        handle.cancel()
        holding.server.settle()
        #expect(holding.observer.ends.next(within: 0) == nil)
    }

    @Test func aHoldReleasedInAdvanceDoesNotWait() throws {
        let holding = try Holding(
            script(.hold(), .hold("second"), .hold("third"), answer("x"), .end(.keepAlive)))
        let client = try holding.server.client()
        try client.send(get("/held"))
        #expect(holding.observer.holds.next() == "")
        let handle = try #require(holding.handles.next())
        handle.release("third")
        handle.release("second")
        handle.release()
        expectWire(client.receive(answered("x").count), answered("x"), .open)
        #expect(holding.observer.holds.next(within: 0) == "second")
        #expect(holding.observer.holds.next(within: 0) == "third")
    }

    @Test func aHoldOfTheSameNameWaitsAgain() throws {
        let holding = try Holding(script(.hold("gate"), bytes("1"), .hold("gate"), bytes("2"), .end(.close)))
        let client = try holding.server.client()
        try client.send(get("/held"))
        #expect(holding.observer.holds.next() == "gate")
        let handle = try #require(holding.handles.next())
        handle.release("gate")
        expectWire(client.receive(1), "1", .open)
        #expect(holding.observer.holds.next() == "gate")
        #expect(holding.observer.ends.next(within: 0) == nil)
        handle.release("gate")
        expectWire(client.receiveAll(), "2", .fin)
    }

    @Test func aHeldAnswerCanBeCancelled() throws {
        let holding = try Holding(Self.held)
        let client = try holding.server.client()
        try client.send(get("/held"))
        #expect(holding.observer.holds.next() == "gate")
        try #require(holding.handles.next()).cancel()
        expectWire(client.receiveAll(), Self.text, .rst)
        #expect(holding.observer.ends.next()?.outcome == .cancelled)
    }

    @Test func aClientThatLeavesEndsItsHeldAnswer() throws {
        let holding = try Holding(Self.held)
        let client = try holding.server.client()
        try client.send(get("/held"))
        #expect(holding.observer.holds.next() == "gate")
        client.close()
        #expect(holding.observer.ends.next()?.outcome == .clientDisconnected)
        try #require(holding.handles.next()).release("gate")
        holding.server.settle()
    }

    @Test func aDrainingServerEndsHeldAnswers() throws {
        let holding = try Holding(Self.held)
        let client = try holding.server.client()
        try client.send(get("/held"))
        #expect(holding.observer.holds.next() == "gate")
        holding.server.server.drain(milliseconds: 10_000)
        #expect(holding.observer.ends.next()?.outcome == .stopped)
    }

    /// It waits without a time-out, other than a client that takes no bytes.
    @Test func aHoldOutlastsTheIdleTimeout() throws {
        let holding = try Holding(Self.held, limits: .short)
        let client = try holding.server.client()
        try client.send(get("/held"))
        #expect(holding.observer.holds.next() == "gate")
        // Another client that says nothing has been sent away by then.
        let idle = try holding.server.client()
        expectWire(idle.receiveAll(), "", .fin)
        try #require(holding.handles.next()).release("gate")
        #expect(holding.observer.ends.next()?.outcome == .sent)
    }

    @Test func theScriptThatFinishesAHeldStreamMayHoldToo() throws {
        let holding = try HoldingServer { _, reply, onEnd in
            reply.hold([.hold("first"), .head(Announced.chunks.head(0))], onEnd: onEnd)
        }
        let client = try holding.server.client()
        try client.send(get("/held"))
        let held = try #require(holding.held.next())
        held.send(WireBytes(wire("a")))
        held.finish(script(.hold("last"), .body(WireBytes(wire("b"))), .end(.close)))
        holding.server.settle()
        held.release("first")
        expectWire(client.receive(Self.text.utf8.count), Self.text, .open)
        held.release("last")
        expectWire(client.receiveAll(), "1\r\nb\r\n0\r\n\r\n", .fin)
    }

    @Test func manyHoldsAreReleasedFromAnyThread() throws {
        let holding = try Holding(script(.hold("gate"), answer("x"), .end(.close)))
        let clients = try (1...50).map { _ in try holding.server.client() }
        for client in clients { try client.send(get("/held")) }
        let handles = try clients.map { _ in try #require(holding.handles.next()) }
        try withBackgroundWork {
            for handle in handles { handle.release("gate") }
        } during: {
            for handle in handles.reversed() { handle.release("gate") }
            for client in clients { expectWire(client.receiveAll(), answered("x"), .fin) }
        }
    }

    @Test func aHoldCountsAsTimed() {
        #expect(Self.held.isTimed)
    }
}

private final class HoldObserver: StreamObserver {
    let holds = Events<String>()
    let ends = Events<StreamEnd>()

    func streamHeld(at name: String) {
        holds.tell(name)
    }

    func streamEnded(_ end: StreamEnd) {
        ends.tell(end)
    }
}
