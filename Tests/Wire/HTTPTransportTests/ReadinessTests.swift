import SDHTTPTransport
import SDTestSupport
import Testing

/// What a client has sent is read to its end: when everything came before the loop looked, and when it fills one read
/// (64 KiB) exactly, nearly or several times.
@Suite struct ReadinessTests {
    enum Ending: CaseIterable {
        /// The client sends nothing more, and waits for the answer.
        case open
        /// The client closes its side at once.
        case closed
        /// The client sends another request after the answer.
        case next
    }

    static let read = 65_536
    static let sizes = [100, read - 1, read, read + 1, 2 * read - 1, 2 * read, 2 * read + 1]

    /// A server whose loop is kept by the request for `/keep` until `goOn` is told.
    private struct KeptServer {
        let server: TestServer
        let begun = Events<Void>()
        let goOn = Events<Void>()

        init() throws {
            var limits = ServerLimits.patient
            limits.body = 16 << 20
            server = try TestServer(limits: limits) { [begun, goOn] request, reply in
                if request.path.elementsEqual("/keep".utf8) {
                    begun.tell(())
                    _ = goOn.next()
                }
                reply.send(script(answer("\(request.body.count)"), .end(.keepAlive)))
            }
        }
    }

    /// A request of `size` bytes with its head, and the length of its body.
    private func request(of size: Int) -> (bytes: [UInt8], body: Int) {
        // Five digits or six, with leading zeros.
        let head = "PUT /body HTTP/1.1\r\nHost: a\r\nContent-Length: "
        let body = size - head.utf8.count - 6 - 4
        let digits = String(repeating: "0", count: 6 - "\(body)".utf8.count) + "\(body)"
        return (wire(head + digits + "\r\n\r\n") + [UInt8](repeating: 0x61, count: body), body)
    }

    @Test(arguments: sizes, Ending.allCases)
    func whatCameWhileTheLoopWasBusyIsReadToItsEnd(size: Int, ending: Ending) throws {
        let kept = try KeptServer()
        let keeper = try kept.server.client()
        let client = try kept.server.client()
        try keeper.send(get("/keep"))
        try #require(kept.begun.next() != nil)
        let request = request(of: size)
        #expect(request.bytes.count == size)
        try client.send(request.bytes)
        if ending == .closed { client.finishSending() }
        kept.goOn.tell(())
        let answer = answered("\(request.body)")
        if ending == .closed {
            expectWire(client.receiveAll(), answer, .fin)
            return
        }
        expectWire(client.receive(answer.count), answer, .open)
        if ending == .next {
            try client.send(request.bytes)
            expectWire(client.receive(answer.count), answer, .open)
        }
    }

    @Test(arguments: sizes) func whatComesAfterAPauseIsRead(size: Int) throws {
        let kept = try KeptServer()
        let client = try kept.server.client()
        let request = request(of: size + 1)
        try client.send(Array(request.bytes[..<size]))
        #expect(client.receiveUntilQuiet(milliseconds: 50).bytes.isEmpty)
        try client.send(Array(request.bytes[size...]))
        let answer = answered("\(request.body)")
        expectWire(client.receive(answer.count), answer, .open)
        // The end of an idle client, which comes alone.
        client.finishSending()
        expectWire(client.receiveAll(), "", .fin)
    }

    @Test func bodiesOfManyReadsAreReadBesideEachOther() throws {
        let kept = try KeptServer()
        let clients = try (0..<3).map { _ in try kept.server.client() }
        let size = 8 << 20
        for client in clients { try client.send("PUT /body HTTP/1.1\r\nHost: a\r\nContent-Length: \(size)\r\n\r\n") }
        let piece = [UInt8](repeating: 0x61, count: 1 << 20)
        for _ in 0..<8 { for client in clients { try client.send(piece) } }
        let answer = answered("\(size)")
        for client in clients { expectWire(client.receive(answer.count), answer, .open) }
    }
}
