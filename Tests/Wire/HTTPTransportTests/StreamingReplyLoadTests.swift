import SDHTTPTransport
import SDTestSupport
import Testing

#if canImport(Glibc)
    private import Glibc
#elseif canImport(Darwin)
    private import Darwin
#endif

/// Many held streams at the same time.
@Suite struct StreamingReplyLoadTests {
    /// The processor time of the server's first loop, in nanoseconds.
    private func loopTime(_ server: TestServer) throws -> UInt64 {
        let told = Events<UInt64>()
        server.server.post { told.tell(readClock(CLOCK_THREAD_CPUTIME_ID)) }
        return try #require(told.next())
    }

    @Test func aThousandIdleStreamsCostNoProcessorTime() throws {
        _ = ProcessFacts.allowDescriptors(4000)
        let holding = try HoldingServer { _, reply, onEnd in reply.hold([bytes("a")], onEnd: onEnd) }
        let count = 1000
        let clients = try (1...count).map { _ in try holding.server.client() }
        for client in clients { try client.send(get("/hold")) }
        for client in clients { expectWire(client.receive(1), "a", .open) }
        let streams = try clients.map { _ in try #require(holding.held.next()) }
        let before = try loopTime(holding.server)
        let secondPassed = Events<Void>()
        holding.server.server.loop().after(nanoseconds: milliseconds(1000)) { secondPassed.tell(()) }
        try #require(secondPassed.next() != nil)
        let spent = try loopTime(holding.server) - before
        print("\(count) held streams cost \(spent / 1000) µs of processor time in a second")
        #expect(spent < milliseconds(20))

        let event = WireBytes(wire("event"))
        for stream in streams { stream.send(event) }
        for client in clients { expectWire(client.receive(5), "event", .open) }
        for stream in streams { stream.finish(script(.end(.close))) }
        for client in clients { expectWire(client.receiveAll(), "", .fin) }
        for _ in clients { #expect(holding.ends.next()?.bytesSent == 6) }
        #expect(streams.allSatisfy { $0.pendingBytes == 0 })
    }

    @Test func clientsOfSeveralWorkersMayConnectSendAndLeaveAtRandom() throws {
        let streams = Locked<[StreamingReply]>([])
        let ends = Events<StreamEnd>()
        let server = try TestServer(workers: 3, limits: .patient) { _, reply in
            let stream = reply.hold([bytes("a")]) { ends.tell($0) }
            streams.withLock { $0.append(stream) }
        }
        let isDone = Locked(false)
        let piece = WireBytes([UInt8](repeating: 0x78, count: 3000))
        let count = 300
        let seed = TestGenerator.newSeed
        print("held streams at random: seed \(seed)")
        try withBackgroundWork {
            var generator = TestGenerator(seed: seed)
            while !isDone.withLock({ $0 }) {
                let taken = streams.withLock { $0.randomElement(using: &generator) }
                guard let stream = taken else { continue }
                switch Int.random(in: 0..<20, using: &generator) {
                case 0: stream.cancel()
                case 1: stream.finish(script(bytes("end"), .end(.keepAlive)))
                case 2: streams.withLock { held in held.removeAll { $0 === stream } }
                default: stream.send(piece)
                }
            }
        } during: {
            defer { isDone.withLock { $0 = true } }
            var generator = TestGenerator(seed: seed &+ 1)
            for _ in 0..<count {
                let client = try server.client()
                try client.send(get("/"))
                expectWire(client.receive(1), "a", .open)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: client.reset()
                case 1: client.finishSending()
                case 2: _ = client.receive(10_000, within: 20)
                default: client.close()
                }
            }
        }
        streams.withLock { $0 = [] }
        for _ in 0..<count { #expect(ends.next() != nil) }
        #expect(ends.next(within: 0) == nil)
        #expect(eventually { ProcessFacts.connections(to: server.port) == 0 ? true : nil } == true)
    }
}

private func readClock(_ clock: clockid_t) -> UInt64 {
    var now = timespec()
    clock_gettime(clock, &now)
    return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
}
