import SDHTTPTransport
import SDPlatform
import SDTestSupport
import Testing

/// Bodies of requests are counted while they come, and refused where there is no room.
@Suite struct UploadMemoryTests {
    private static let mib = 1 << 20
    private static let refusal =
        "the memory limit of the server has no room for the request body; try again later\n"

    private func limits(body: Int = 8 << 20) -> ServerLimits {
        var limits = ServerLimits()
        limits.body = body
        return limits
    }

    private func head(_ length: Int) -> [UInt8] {
        wire("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n")
    }

    private func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: 0x61, count: count) }

    @Test func aBodyCountsFromItsFirstBytesToItsAnswer() throws {
        let memory = MemoryLedger(limit: 64 * Self.mib)
        let held = Events<HeldReply>()
        let server = try TestServer(limits: limits(), memory: memory) { _, reply in held.tell(HeldReply(reply)) }
        let client = try server.client()
        try client.send(head(3 * Self.mib) + bytes(Self.mib))
        #expect(eventually { memory.bytes(of: .uploads) >= Self.mib ? true : nil } == true)
        try client.send(bytes(2 * Self.mib))
        let reply = try #require(held.next())
        // The request is gone, and only its reply is kept.
        #expect(eventually { memory.bytes(of: .uploads) == 0 ? true : nil } == true)
        reply.send(WireScript([.raw(WireBytes(plainAnswer([]))), .end(.keepAlive)]))
        #expect(client.receive(until: "\r\n\r\n").text.hasPrefix("HTTP/1.1 200"))
        #expect(memory.total == 0)
    }

    @Test func aRequestThatIsKeptCountsUntilItGoes() throws {
        let memory = MemoryLedger(limit: 64 * Self.mib)
        let kept = Locked<[Request]>([])
        let server = try TestServer(limits: limits(), memory: memory) { request, reply in
            kept.withLock { $0.append(request) }
            reply.send(WireScript([.raw(WireBytes(plainAnswer([]))), .end(.keepAlive)]))
        }
        let client = try server.client()
        try client.send(head(2 * Self.mib) + bytes(2 * Self.mib))
        #expect(client.receive(until: "\r\n\r\n").text.hasPrefix("HTTP/1.1 200"))
        let count = memory.bytes(of: .uploads)
        #expect(count > 2 * Self.mib && count < 2 * Self.mib + 4_096)
        // A request without its prefix is the same bytes.
        kept.withLock { $0 = $0.map { $0.droppingPathPrefix(1) } }
        #expect(memory.bytes(of: .uploads) == count)
        kept.withLock { $0[0].isCountedElsewhere() }
        #expect(memory.total == 0)
        kept.withLock { $0 = [] }
        #expect(memory.total == 0)
    }

    @Test func smallRequestsCostNothing() throws {
        let memory = MemoryLedger(limit: 1)
        let server = try TestServer(limits: limits(), memory: memory)
        let client = try server.client()
        for count in [0, 1, 1_000, 10_000] {
            try client.send(head(count) + bytes(count))
            #expect(client.receive(until: "\r\n\r\n").text.hasPrefix("HTTP/1.1 200"))
            _ = client.receiveUntilQuiet(milliseconds: 20)
        }
        #expect(memory.total == 0)
    }

    /// An announced body is refused before it comes, others when they have grown too large.
    @Test func aBodyWithoutRoomIsRefused() throws {
        let memory = MemoryLedger(limit: 4 * Self.mib)
        let server = try TestServer(limits: limits(), memory: memory)
        let first = try server.client()
        try first.send(head(3 * Self.mib) + bytes(3 * Self.mib - 1))
        #expect(eventually { memory.bytes(of: .uploads) == 3 * Self.mib ? true : nil } == true)

        let announced = try server.client()
        try announced.send(head(2 * Self.mib))
        let answer = announced.receiveAll()
        #expect(answer.text.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
        #expect(answer.text.hasSuffix("\r\n\r\n" + Self.refusal), "\(answer)")

        let chunked = try server.client()
        try chunked.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n200000\r\n")
        try? chunked.send(bytes(1_500_000))
        #expect(chunked.receive(until: Self.refusal).text.hasSuffix(Self.refusal))
        #expect(server.refusals.map(\.status) == [503, 503])

        // Who was there first, and who needs little, is served.
        try first.send(bytes(1))
        #expect(first.receive(until: "\r\n\r\n").text.hasPrefix("HTTP/1.1 200"))
        first.close()
        chunked.close()
        #expect(eventually { memory.total == 0 ? true : nil } == true, "\(memory.total) bytes are left")
    }

    /// Whatever clients do, nothing is left when they are gone.
    @Test(arguments: 0..<20 as Range<UInt64>) func nothingIsLeftWhenAllAreGone(seed: UInt64) throws {
        var random = TestGenerator(seed: seed)
        let memory = MemoryLedger(limit: 2 * Self.mib)
        do {
            let server = try TestServer(workers: 2, limits: limits(body: Self.mib), memory: memory)
            let clients = try (0..<6).map { _ in try server.client() }
            for _ in 0..<20 {
                let client = clients[Int.random(in: 0..<6, using: &random)]
                let count = 1 << Int.random(in: 8...20, using: &random)
                let sent = Bool.random(using: &random) ? count : Int.random(in: 0..<count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    let chunk =
                        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + String(count, radix: 16) + "\r\n"
                    _ = try? client.sendWithoutWaiting(wire(chunk) + bytes(sent))
                case 1: client.reset()
                default: _ = try? client.sendWithoutWaiting(head(count) + bytes(sent))
                }
            }
            for client in clients { client.close() }
            #expect(
                eventually { memory.total == 0 ? true : nil } == true, "seed \(seed): \(memory.total) bytes are left")
        }
        #expect(memory.total == 0, "seed \(seed)")
    }
}
