import SDHTTPTransport
import SDTestSupport
import Testing

/// A client that sends ahead of the answers is read only up to a limit.
@Suite struct PipelineLimitTests {
    @Test func everyAnswerFreesOnlyItsOwnShareOfThePipeline() throws {
        let held = Events<HeldReply>()
        let server = try TestServer(limits: .patient) { _, reply in held.tell(HeldReply(reply)) }
        let client = try server.client()
        let request = wire(get("/"))
        let block = Array(repeatElement(request, count: 2000).joined())
        let taken = answered("")
        func fill() throws -> Int {
            var total = 0
            while true {
                let count = try client.sendWithoutWaiting(block)
                total += count
                // If nothing is accepted for a while, the kernel's buffers are full: the server has stopped reading.
                if count == 0, !client.waitUntilSendable(milliseconds: 100) { return total }
            }
        }
        _ = try fill()
        var later = 0
        for _ in 1...100 {
            try #require(held.next()).send(script(.raw(WireBytes(taken)), .end(.keepAlive)))
            expectWire(client.receive(taken.count), taken, .open)
        }
        later = try fill()
        #expect(later < 1_000_000, "100 answers to requests of \(request.count) bytes let \(later) bytes in")
        // A reply that is kept keeps its server alive, so the queue must not be freed with one in it.
        try #require(held.next()).drop()
    }
}
