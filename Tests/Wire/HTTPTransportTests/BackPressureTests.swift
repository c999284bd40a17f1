import SDHTTPTransport
import SDTestSupport
import Testing

/// The cost of slow clients. What is measured in memory runs in a process of its own, away from what others allocate.
@Suite(.serialized) struct BackPressureTests {
    private static let size = 200 * 1024 * 1024
    /// A size below the limit of a body.
    private static let uploadSize = 50 * 1024 * 1024
    private static let large = WireBytes([UInt8](repeating: 0x78, count: size))

    @Test(.enabled(if: ProcessFacts.measuresMemory, "memory cannot be measured"))
    func aClientThatNeverReadsCostsNoSecondCopy() async {
        await #expect(processExitsWith: .success) {
            let large = Self.large
            let observer = EndObserver()
            let server = try TestServer(limits: .short) { _, reply in
                reply.send(script(.raw(large), .end(.close)), observer: observer)
            }
            let before = try #require(ProcessFacts.residentBytes)
            let clients = try (1...4).map { _ in try server.client() }
            for client in clients {
                client.shrinkReceiveBuffer(to: 4096)
                try client.send(get("/"))
            }
            var highest = before
            for _ in clients {
                let end = try #require(observer.ends.next())
                highest = max(highest, try #require(ProcessFacts.residentBytes))
                #expect(end.outcome == .clientStalled)
                #expect(end.bytesSent < UInt64(Self.size))
                #expect(end.endTime - end.firstByteTime >= milliseconds(790))
            }
            let growth = highest - before
            #expect(growth < Self.size / 2, "4 clients that do not read cost \(growth) bytes")
            print("4 clients that do not read \(Self.size >> 20) MiB each: \(growth / 1024) KiB more resident")
            // The bytes that the kernel had accepted still arrive, followed by the reset.
            #expect(clients[0].receiveAll().ending == .rst)
        }
    }

    /// Only a window of a file is in memory, for all readers together.
    @Test(.enabled(if: ProcessFacts.measuresMemory, "memory cannot be measured"))
    func slowReadersOfALargeFileCostNoMemory() async {
        await #expect(processExitsWith: .success) {
            let size = 300 << 20
            let file = TestFile(size: size)
            let server = try TestServer(limits: .patient) { _, reply in
                reply.send(script(.head(Announced.length.head(size)), .file(file.part), .end(.close)))
            }
            let before = try #require(ProcessFacts.residentBytes)
            let clients = try (1...20).map { _ in try server.client() }
            for client in clients { try client.send(get("/")) }
            for _ in 0..<10 {
                for client in clients { #expect(client.receive(1 << 20).bytes.count == 1 << 20) }
            }
            let growth = try #require(ProcessFacts.residentBytes) - before
            for client in clients { client.reset() }
            #expect(growth < size / 2, "20 slow readers of a file cost \(growth) bytes")
            print("20 slow readers of a file of \(size >> 20) MiB: \(growth / 1024) KiB more resident")
        }
    }

    @Test func aSlowReaderGetsEveryByte() throws {
        let count = 4 * 1024 * 1024
        let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        let blob = WireBytes(content)
        let observer = EndObserver()
        var limits = ServerLimits.short
        limits.idleTimeout = 1_000
        let server = try TestServer(limits: limits) { _, reply in
            reply.send(script(.raw(blob), .end(.keepAlive)), observer: observer)
        }
        // Too slow for the server's socket to become writable within the time-out, but never silent for that long. A
        // busy machine may make it silent: one of five is enough.
        var received = RawClient.Received([], .open)
        for _ in 1...5 {
            let client = try server.client()
            client.shrinkReceiveBuffer(to: 65_536)
            try client.send(get("/"))
            received = client.receiveSlowly(count, portion: 65_536, everyMilliseconds: 250)
            let end = observer.ends.next()
            if received.bytes == content {
                #expect(end?.bytesSent == UInt64(count))
                return expectWire(client.receiveAll(), "", .fin)
            }
        }
        #expect(Bool(false), "\(received.bytes.count) of \(count) bytes came, then \(received.ending)")
    }

    @Test(.enabled(if: ProcessFacts.measuresMemory, "memory cannot be measured"))
    func aSlowReplyDoesNotKeepTheBodyInMemory() async {
        await #expect(processExitsWith: .success) {
            let held = Events<HeldReply>()
            var limits = ServerLimits.patient
            limits.body = 64 * 1024 * 1024
            let server = try TestServer(limits: limits) { _, reply in held.tell(HeldReply(reply)) }
            let before = try #require(ProcessFacts.residentBytes)
            let client = try server.client()
            try client.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: \(Self.uploadSize)\r\n\r\n")
            let part = [UInt8](repeating: 0x78, count: 65_536)
            for _ in 0..<(Self.uploadSize / part.count) { try client.send(part) }
            let reply = try #require(held.next(within: 30_000))
            // The handler may not have returned yet.
            let growth = eventually(within: 30_000) {
                ProcessFacts.residentBytes.flatMap { $0 - before < Self.uploadSize / 2 ? $0 - before : nil }
            }
            #expect(growth != nil, "a waiting reply holds the body of its request")
            reply.send(script(answer("x"), .end(.close)))
            expectWire(client.receiveAll(), answered("x"), .fin)
        }
    }
}
