import SDHTTPTransport
import SDTestSupport
import Testing

/// Ports that are opened and closed while the server runs.
@Suite struct OpenListenerTests {
    /// Opens a port of a running server on its first loop.
    private func open(_ server: TestServer, port: UInt16 = 0, tag: UInt64) throws -> OpenListener {
        let opened = Events<Result<OpenListener, TransportError>>()
        let inner = server.server
        inner.post {
            opened.tell(
                Result { () throws(TransportError) in
                    try inner.open(address: "127.0.0.1", port: port, tag: tag, worker: 0)
                })
        }
        return try #require(opened.next()).get()
    }

    @Test func theTagComesWithEachRequest() throws {
        let tags = Events<UInt64>()
        let server = try TestServer(limits: .patient) { request, reply in
            tags.tell(request.sessionTag)
            answerWithEcho(request, reply)
        }
        let listeners = try [7, UInt64.max - 1].map { try open(server, tag: $0) }
        let ports = [server.port] + listeners.map(\.port)
        let clients = try ports.map { try RawClient(port: $0) }
        for _ in 1...2 {
            for (client, tag) in zip(clients, [0, 7, UInt64.max - 1]) {
                try client.send(get("/"))
                _ = client.receive(until: "[a]")
                #expect(tags.next() == tag)
            }
        }
        #expect(Set(ports).count == 3)
    }

    @Test func aClosedPortRefusesAndLeavesItsConnections() throws {
        let tags = Events<UInt64>()
        let server = try TestServer(limits: .patient) { request, reply in
            tags.tell(request.sessionTag)
            answerWithEcho(request, reply)
        }
        let listener = try open(server, port: TestPort.free(), tag: 5)
        let client = try RawClient(port: listener.port)
        try client.send(get("/"))
        _ = client.receive(until: "[a]")
        listener.close()
        listener.close()
        server.settle()
        #expect(throws: CallFailure.self) { try RawClient(port: listener.port) }
        try client.send(get("/"))
        _ = client.receive(until: "[a]")
        #expect(tags.next() == 5)
        #expect(tags.next() == 5)
        // The port is free again although a connection to it is open.
        let again = try open(server, port: listener.port, tag: 6)
        #expect(again.port == listener.port)
        try RawClient(port: again.port).send(get("/"))
        #expect(tags.next() == 6)
    }

    @Test func aTakenPortIsAnError() throws {
        let server = try TestServer()
        let listener = try open(server, tag: 1)
        for port in [server.port, listener.port] {
            #expect {
                try open(server, port: port, tag: 2)
            } throws: { error in
                (error as? TransportError)?.isAddressInUse == true
                    && (error as? TransportError)?.operation == "listen on 127.0.0.1:\(port)"
            }
        }
    }

    @Test func anAddressThatIsNotNumericIsAnError() throws {
        let server = try Server(limits: .patient, handler: WorkerHandler(Events()))
        #expect(throws: TransportError.self) { try server.open(address: "localhost", port: 0, tag: 1, worker: 0) }
    }

    @Test func aPortOpensBeforeTheServerRunsAndOnItsWorkerAlone() throws {
        let seen = Events<(worker: Int, tag: UInt64)>()
        let handler = WorkerHandler(seen)
        let server = try Server(limits: .patient, workers: 3, handler: handler)
        let shared = try server.listen(address: "127.0.0.1", port: 0)
        let listeners = try (0..<3).map {
            try server.open(address: "127.0.0.1", port: 0, tag: UInt64($0) + 10, worker: $0)
        }
        try server.start()
        defer { server.stopAndWait() }
        for (worker, listener) in listeners.enumerated() {
            for _ in 1...10 {
                let client = try RawClient(port: listener.port)
                try client.send(get("/"))
                _ = client.receive(until: "[a]")
                let request = try #require(seen.next())
                #expect(request == (worker, UInt64(worker) + 10))
            }
        }
        let client = try RawClient(port: shared)
        try client.send(get("/"))
        #expect(seen.next()?.tag == 0)
    }

    @Test func aHandlerOpensAPortOnItsOwnWorker() throws {
        let opened = Events<(OpenListener, Int)>()
        let seen = Events<Int>()
        let owner = Locked<Server?>(nil)
        let server = try TestServer(workers: 2, limits: .patient) { request, reply in
            seen.tell(reply.worker)
            if request.path.elementsEqual(wire("/open")), let server = owner.withLock({ $0 }),
                let listener = try? server.open(address: "127.0.0.1", port: 0, tag: 1, worker: reply.worker)
            {
                opened.tell((listener, reply.worker))
            }
            answerWithEcho(request, reply)
        }
        owner.withLock { $0 = server.server }
        defer { owner.withLock { $0 = nil } }
        for _ in 1...8 {
            let client = try server.client()
            try client.send(get("/open"))
            _ = client.receive(until: "[a]")
            _ = seen.next()
            let (listener, worker) = try #require(opened.next())
            let other = try RawClient(port: listener.port)
            try other.send(get("/"))
            _ = other.receive(until: "[a]")
            #expect(seen.next() == worker)
            listener.close()
        }
    }

    @Test func portsMayBeOpenedAndClosedUnderTraffic() throws {
        let server = try TestServer()
        let isDone = Locked(false)
        let answers = Locked(0)
        try withBackgroundWork {
            while !isDone.withLock({ $0 }) {
                let client = try server.client()
                for _ in 1...20 {
                    try client.send(get("/"))
                    let answer = client.receive(until: "[a]")
                    #expect(answer.ending == .open && !answer.bytes.isEmpty)
                    answers.withLock { $0 += 1 }
                }
            }
        } during: {
            defer { isDone.withLock { $0 = true } }
            var round = 0
            // On a busy machine the other threads may not run at once.
            while round < 100 || answers.withLock({ $0 }) == 0 {
                round += 1
                let listener = try open(server, tag: UInt64(round))
                let client = try RawClient(port: listener.port)
                if round % 2 == 0 {
                    try client.send(get("/"))
                    _ = client.receive(until: "[a]")
                }
                listener.close()
            }
        }
        #expect(answers.withLock { $0 } > 0)
    }

    @Test func manyPortsAreOpenAtOnce() throws {
        let server = try TestServer()
        let listeners = try (0..<200).map { try open(server, tag: UInt64($0)) }
        #expect(Set(listeners.map(\.port)).count == 200)
        for listener in listeners { listener.close() }
        server.settle()
        // Other tests may have been given a few of the ports by now.
        let refused = listeners.count { listener in (try? RawClient(port: listener.port)) == nil }
        #expect(refused >= 190)
    }

    @Test func drainingClosesThemOnce() throws {
        let held = Events<HeldReply>()
        let server = try TestServer(limits: .patient) { _, reply in held.tell(HeldReply(reply)) }
        let listener = try open(server, port: TestPort.free(), tag: 1)
        let client = try RawClient(port: listener.port)
        try client.send(get("/"))
        let reply = try #require(held.next())
        server.server.drain(milliseconds: 60_000)
        server.settle()
        #expect(throws: CallFailure.self) { try RawClient(port: listener.port) }
        listener.close()
        #expect {
            try open(server, tag: 2)
        } throws: { ($0 as? TransportError)?.reason.isEmpty == false }
        reply.send(script(answer("x"), .end(.keepAlive)))
        expectWire(client.receiveAll(), answered("x"), .fin)
        listener.close()
    }

    @Test func oneMayBeClosedAfterTheServerEnded() throws {
        var server: TestServer? = try TestServer()
        weak let inner = server?.server
        let listener = try open(try #require(server), port: TestPort.free(), tag: 1)
        server?.server.stopAndWait()
        #expect(throws: CallFailure.self) { try RawClient(port: listener.port) }
        listener.close()
        server = nil
        #expect(inner == nil)
        listener.close()
    }

    @Test func oneIsFreedOnceItIsClosed() throws {
        let server = try TestServer()
        weak var seen: OpenListener?
        do {
            let listener = try open(server, tag: 1)
            seen = listener
            listener.close()
        }
        server.settle()
        #expect(seen == nil)
    }

    @Test func aPortOpenedAtTheConnectionLimitAlsoWaits() throws {
        var limits = ServerLimits.patient
        limits.connections = 1
        let held = Events<HeldReply>()
        let server = try TestServer(limits: limits) { request, reply in
            if request.path.elementsEqual(wire("/")) { return answerWithEcho(request, reply) }
            held.tell(HeldReply(reply))
        }
        let first = try server.client()
        try first.send(get("/busy"))
        let reply = try #require(held.next())
        let listener = try open(server, tag: 1)
        let second = try RawClient(port: listener.port)
        try second.send(get("/"))
        #expect(second.receiveUntilQuiet(milliseconds: 100).bytes.isEmpty)
        first.reset()
        expectWire(second.receive(until: "[a]"), answered("GET / HTTP/1.1 keep\n[Host]=[a]"), .open)
        reply.drop()
    }
}

private final class WorkerHandler: RequestHandler {
    private let seen: Events<(worker: Int, tag: UInt64)>

    init(_ seen: Events<(worker: Int, tag: UInt64)>) {
        self.seen = seen
    }

    func serve(_ request: Request, reply: consuming Reply) {
        seen.tell((reply.worker, request.sessionTag))
        answerWithEcho(request, reply)
    }
}
