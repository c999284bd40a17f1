import SDHTTPTransport
import SDTestSupport
import Testing

/// Slow answers that are cancelled before their end.
@Suite struct CancelTests {
    private static let hour = WireStep.wait(nanoseconds: milliseconds(3_600_000))

    /// A server that answers `/` with an echo and everything else with a script that can be cancelled.
    private struct Cancelling {
        let server: TestServer
        let handles = Events<StreamHandle>()
        let observer = EndObserver()

        init(_ script: WireScript) throws {
            server = try TestServer(limits: .patient) { [handles, observer] request, reply in
                if request.path.elementsEqual(wire("/")) { return answerWithEcho(request, reply) }
                handles.tell(reply.sendCancellable(script, observer: observer))
            }
        }

        /// Expects no further report on the answer.
        func expectNoMore() {
            server.settle()
            #expect(observer.ends.next(within: 0) == nil)
        }
    }

    @Test func cancellingBeforeTheFirstByteClosesInOrder() throws {
        let cancelling = try Cancelling(script(Self.hour, answer("x"), .end(.keepAlive)))
        let client = try cancelling.server.client()
        try client.send(get("/wait"))
        let handle = try #require(cancelling.handles.next())
        handle.cancel()
        handle.cancel()
        expectWire(client.receiveAll(), "", .fin)
        let end = try #require(cancelling.observer.ends.next())
        #expect(end.outcome == .cancelled)
        #expect(end.bytesSent == 0)
        #expect(end.firstByteTime == 0)
        cancelling.expectNoMore()
    }

    @Test func cancellingClosesThoughAnotherRequestHasArrived() throws {
        let cancelling = try Cancelling(script(Self.hour, answer("x"), .end(.keepAlive)))
        let client = try cancelling.server.client()
        try client.send(get("/wait") + get("/") + String(repeating: "x", count: 10_000))
        let handle = try #require(cancelling.handles.next())
        cancelling.server.settle()
        handle.cancel()
        expectWire(client.receiveAll(), "", .fin)
        #expect(cancelling.observer.ends.next()?.outcome == .cancelled)
    }

    @Test(arguments: [
        script(bytes("HTTP/1.1 200 OK\r\n\r\nhalf"), hour, bytes("rest"), .end(.close)),
        script(
            bytes("HTTP/1.1 200 OK\r\n\r\nhal"), .pace(WireBytes(wire("f")), 0..<1, bytesPerSecond: 1_000_000),
            .pace(WireBytes(wire("rest")), 0..<4, bytesPerSecond: 1), hour, .end(.close)),
    ])
    func cancellingInTheMiddleResets(script: WireScript) throws {
        let cancelling = try Cancelling(script)
        let client = try cancelling.server.client()
        try client.send(get("/wait"))
        let begun = "HTTP/1.1 200 OK\r\n\r\nhalf"
        expectWire(client.receive(begun.utf8.count), begun, .open)
        try #require(cancelling.handles.next()).cancel()
        let rest = client.receiveAll()
        #expect(rest.ending == .rst)
        #expect(rest.bytes.count < 4)
        #expect(cancelling.observer.ends.next()?.outcome == .cancelled)
        cancelling.expectNoMore()
    }

    @Test func aClientThatDoesNotReadDoesNotPreventCancelling() throws {
        let large = WireBytes([UInt8](repeating: 0x78, count: 30_000_000))
        let cancelling = try Cancelling(script(.raw(large), .end(.keepAlive)))
        let client = try cancelling.server.client()
        client.shrinkReceiveBuffer(to: 4096)
        try client.send(get("/wait"))
        let handle = try #require(cancelling.handles.next())
        cancelling.server.settle()
        handle.cancel()
        let end = try #require(cancelling.observer.ends.next())
        #expect(end.outcome == .cancelled)
        #expect(end.bytesSent > 0 && end.bytesSent < 30_000_000)
        #expect(ProcessFacts.connections(to: cancelling.server.port) == 0)
        #expect(client.receiveAll().ending == .rst)
    }

    @Test func cancellingAfterTheEndDoesNothing() throws {
        let cancelling = try Cancelling(script(answer("x"), .end(.keepAlive)))
        let client = try cancelling.server.client()
        try client.send(get("/now"))
        expectWire(client.receive(answered("x").count), answered("x"), .open)
        #expect(cancelling.observer.ends.next()?.outcome == .sent)
        let handle = try #require(cancelling.handles.next())
        handle.cancel()
        cancelling.expectNoMore()
        // The next answer on the same connection is not affected either.
        try client.send(get("/now"))
        handle.cancel()
        expectWire(client.receive(answered("x").count), answered("x"), .open)
        #expect(cancelling.observer.ends.next()?.outcome == .sent)
    }

    @Test func cancellingAfterTheEndOfTheServerDoesNothing() throws {
        var cancelling: Cancelling? = try Cancelling(script(Self.hour, .end(.close)))
        let observer = try #require(cancelling?.observer)
        weak let inner = cancelling?.server.server
        let client = try #require(try cancelling?.server.client())
        try client.send(get("/wait"))
        let handle = try #require(cancelling?.handles.next())
        cancelling = nil
        #expect(inner == nil)
        #expect(observer.ends.next()?.outcome == .stopped)
        handle.cancel()
        #expect(observer.ends.next(within: 0) == nil)
    }

    @Test func anAnswerGivenOnAnotherThreadCanBeCancelledAtOnce() throws {
        let observer = EndObserver()
        let server = try TestServer(limits: .patient) { _, reply in
            let later = Locked<Reply?>(reply)
            runOnThread {
                guard let reply = later.withLock({ $0.take() }) else { return }
                reply.sendCancellable(script(Self.hour, .end(.close)), observer: observer).cancel()
            }
        }
        let client = try server.client()
        try client.send(get("/"))
        expectWire(client.receiveAll(), "", .fin)
        #expect(observer.ends.next()?.outcome == .cancelled)
    }

    @Test func manyAreCancelledByManyThreadsWhileTheirTimersFire() throws {
        let observer = EndObserver()
        let handles = Locked<[StreamHandle]>([])
        let server = try TestServer(workers: 2, limits: .patient) { _, reply in
            let wait = WireStep.wait(nanoseconds: milliseconds(20))
            let handle = reply.sendCancellable(script(wait, answer("x"), .end(.keepAlive)), observer: observer)
            handles.withLock { $0.append(handle) }
        }
        let clients = try (1...200).map { _ in try server.client() }
        for client in clients { try client.send(get("/")) }
        let done = Events<Void>()
        for _ in 1...2 {
            runOnThread {
                for _ in 1...20 {
                    for handle in handles.withLock({ $0 }) { handle.cancel() }
                }
                done.tell(())
            }
        }
        for client in clients {
            let received = client.receive(answered("x").count)
            #expect(received.bytes.isEmpty ? received.ending == .fin : received.bytes == answered("x"))
        }
        for _ in clients {
            let outcome = try #require(observer.ends.next()).outcome
            #expect(outcome == .cancelled || outcome == .sent)
        }
        for _ in 1...2 { _ = done.next() }
        #expect(observer.ends.next(within: 0) == nil)
    }

    @Test func aCancelledHeldStreamClosesBeforeItsFirstByteAndResetsAfterIt() throws {
        let holding = try HoldingServer { request, reply, onEnd in
            reply.hold(request.path.elementsEqual(wire("/begun")) ? [bytes("half")] : [], onEnd: onEnd)
        }
        let silent = try holding.server.client()
        try silent.send(get("/silent"))
        try #require(holding.held.next()).cancel()
        expectWire(silent.receiveAll(), "", .fin)
        let begun = try holding.server.client()
        try begun.send(get("/begun"))
        expectWire(begun.receive(4), "half", .open)
        try #require(holding.held.next()).cancel()
        expectWire(begun.receiveAll(), "", .rst)
        #expect(holding.ends.next()?.outcome == .cancelled)
        #expect(holding.ends.next()?.outcome == .cancelled)
    }

    @Test func aScriptStatesWhetherItTakesTime() {
        let blob = WireBytes(wire("x"))
        #expect(!script(.end(.close)).isTimed)
        #expect(!script(.raw(blob), .raw(blob), .abort(.rst)).isTimed)
        #expect(script(.raw(blob), .wait(nanoseconds: 1), .end(.close)).isTimed)
        #expect(script(.pace(blob, 0..<1, bytesPerSecond: 1), .end(.close)).isTimed)
        #expect(script(.end(.close)).delayed(byNanoseconds: 1).isTimed)
    }
}
