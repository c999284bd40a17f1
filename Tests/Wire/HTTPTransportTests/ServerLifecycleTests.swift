import SDHTTPTransport
import SDTestSupport
import Testing

/// Servers that start, drain, stop or are dropped, with one or several workers.
@Suite struct ServerLifecycleTests {
    @Test func drainingLetsEveryWorkersRepliesFinish() throws {
        let workers = Events<Int>()
        let handler = DelayHandler(workers)
        var limits = ServerLimits.patient
        // Nothing else ends a connection that an answer keeps open.
        limits.idleTimeout = 600_000
        let server = try Server(limits: limits, workers: 3, handler: handler)
        let port = try server.listen(address: "127.0.0.1", port: 0)
        let ended = Events<Void>()
        runOnThread {
            try? server.run()
            ended.tell(())
        }
        let clients = try (1...24).map { _ in try RawClient(port: port) }
        for client in clients { try client.send(get("/")) }
        var seen: Set<Int> = []
        for _ in clients { seen.insert(try #require(workers.next())) }
        #expect(seen.count > 1, "the kernel gave all connections to one worker")
        server.drain(milliseconds: 30_000)
        for client in clients { expectWire(client.receiveAll(within: 20_000), answered("late"), .fin) }
        #expect(ended.next() != nil)
    }

    @Test func drainingClosesIdleConnectionsAndEndsTheServer() throws {
        let handler = DelayHandler(Events())
        let server = try Server(limits: .patient, handler: handler)
        let port = try server.listen(address: "127.0.0.1", port: TestPort.free())
        let ended = Events<Void>()
        runOnThread {
            try? server.run()
            ended.tell(())
        }
        let client = try RawClient(port: port)
        try client.send(get("/"))
        expectWire(client.receive(answered("late").count), answered("late"), .open)
        server.drain(milliseconds: 30_000)
        expectWire(client.receiveAll(), "", .fin)
        #expect(ended.next() != nil)
        #expect(throws: CallFailure.self) { try RawClient(port: port) }
    }

    @Test func drainingEndsWithItsTimeOut() throws {
        let held = Events<HeldReply>()
        let server = try Server(limits: .patient, handler: HoldingHandler { held.tell(HeldReply($0)) })
        let port = try server.listen(address: "127.0.0.1", port: 0)
        let ended = Events<Void>()
        runOnThread {
            try? server.run()
            ended.tell(())
        }
        let client = try RawClient(port: port)
        try client.send(get("/"))
        let reply = try #require(held.next())
        server.drain(milliseconds: 50)
        try #require(ended.next() != nil)
        let observer = EndObserver()
        reply.send(script(answer("late"), .end(.keepAlive)), observer: observer)
        #expect(observer.ends.next() != nil)
    }

    @Test func aRunningServerOutlivesItsLastReference() throws {
        let port: UInt16
        weak var kept: Server?
        do {
            let server = try Server(limits: .patient, handler: DelayHandler(Events()))
            port = try server.listen(address: "127.0.0.1", port: 0)
            try server.start()
            kept = server
        }
        let client = try RawClient(port: port)
        try client.send(get("/"))
        expectWire(client.receive(answered("late").count), answered("late"), .open)
        kept?.stopAndWait()
        #expect(kept == nil)
    }

    @Test func aTimerThatIsDueAfterTheEndIsFreed() throws {
        weak var seen: EndObserver?
        do {
            let server = try TestServer()
            let captured = EndObserver()
            seen = captured
            let posted = Events<Void>()
            server.server.loop().after(nanoseconds: milliseconds(3_600_000)) { withExtendedLifetime(captured) {} }
            server.server.post { posted.tell(()) }
            _ = posted.next()
        }
        #expect(seen == nil)
    }

    @Test func aServerThatNeverRanIsFreed() throws {
        weak var kept: Server?
        do {
            let server = try Server(handler: DelayHandler(Events()))
            try server.listen(address: "127.0.0.1", port: 0)
            server.post {}
            kept = server
        }
        #expect(kept == nil)
    }

    @Test func stoppingTwiceIsHarmless() throws {
        let server = try Server(handler: DelayHandler(Events()))
        try server.start()
        server.stopAndWait()
        server.stopAndWait()
        let done = Events<Void>()
        server.post { done.tell(()) }
        #expect(done.next(within: 0) != nil)
    }

    @Test func aTakenPortIsAnError() throws {
        let server = try TestServer()
        let other = try Server(handler: DelayHandler(Events()))
        #expect {
            try other.listen(address: "127.0.0.1", port: server.port)
        } throws: { error in
            (error as? TransportError)?.isAddressInUse == true
        }
    }

    @Test func anAddressThatIsNotNumericIsAnError() throws {
        let server = try Server(handler: DelayHandler(Events()))
        #expect(throws: TransportError.self) { try server.listen(address: "localhost", port: 0) }
    }
}

/// Reports its worker, then answers: the first worker after 10 ms, the others after a second.
private final class DelayHandler: RequestHandler {
    private let workers: Events<Int>

    init(_ workers: Events<Int>) {
        self.workers = workers
    }

    func serve(_ request: Request, reply: consuming Reply) {
        workers.tell(reply.worker)
        let delay = milliseconds(reply.worker == 0 ? 10 : 1000)
        reply.send(script(.wait(nanoseconds: delay), answer("late"), .end(.keepAlive)))
    }
}
