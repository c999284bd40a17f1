import SDHTTPTransport
import SDPlatform
import SDTestSupport
import Testing

/// What a connection of HTTP/2 has beside its requests is counted, and little of it is kept while it is idle.
@Suite struct HTTP2MemoryTests {
    /// Many streams at once, whose heads are different and leave much behind.
    @Test(.enabled(if: ProcessFacts.measuresMemory, "memory cannot be returned"))
    func anIdleConnectionKeepsLittle() throws {
        let memory = MemoryLedger()
        let server = try HTTP2Server(memory: memory)
        do {
            let client = try server.client()
            for round in UInt32(0)..<10 {
                let ids = (0..<20).map { (round * 20 + $0) * 2 + 1 }
                try client.send(
                    ids.map { id in
                        HTTP2Client.head(id, "/\(id)", [("x-long", String(repeating: "a", count: 2000))])
                    })
                client.wait { client in ids.allSatisfy { client[$0].end != .open } }
            }
            #expect(client.ending == .open && client[1].end == .end)
            #expect(memory.bytes(of: .connections) > 0)
            let kept = eventually {
                let bytes = memory.bytes(of: .connections)
                return bytes < 32 << 10 ? bytes : nil
            }
            #expect(kept != nil, "\(memory.bytes(of: .connections)) bytes")
            // It works as before.
            try client.ask(999, "/again")
            #expect(client.answer(999).end == .end)
        }
        #expect(eventually { memory.total == 0 ? true : nil } == true, "\(memory.total) bytes are left")
    }

    @Test func connectionsOfHTTP1AreNotCounted() throws {
        let memory = MemoryLedger()
        let server = try TestServer(limits: .http2, memory: memory, answerWithEcho)
        let client = try server.client()
        try client.send(get("/"))
        #expect(client.receive(until: "\r\n\r\n").text.hasPrefix("HTTP/1.1 200"))
        #expect(memory.bytes(of: .connections) == 0)
    }
}
