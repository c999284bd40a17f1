import SDTestSupport
import Testing

#if os(Linux)
    /// The real daemon's descriptors and memory after much work. The benchmarks do the same at full size.
    @Suite(.serialized, .disabled(if: ProcessFacts.isSanitized, "a sanitizer keeps freed memory"))
    struct EnduranceTests {
        @Test func idleConnectionsCostLittleAndLeaveNothingBehind() throws {
            let daemon = try Daemon(files: ["a.yaml": "GET /a: { body: x }"])
            _ = try daemon.get("/a")
            let before = daemon.process.facts
            let count = min(1_000, ProcessFacts.allowDescriptors(2_500) - 500)
            var clients = try (0..<count).map { _ in try RawClient(port: daemon.port) }
            for client in clients { try client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n") }
            for client in clients { #expect(client.receive(until: "0\r\n\r\n").text.contains("\r\nx\r\n")) }
            let during = daemon.process.facts
            #expect(during.descriptors >= count)
            #expect(during.residentBytes - before.residentBytes < count * 16_384)
            clients = []
            #expect(eventually { daemon.process.facts.descriptors <= before.descriptors ? true : nil } == true)
        }

        /// The clients reset their connections, so that none of them keeps its port for a minute.
        @Test func tenThousandIdleConnectionsLeaveNothingBehind() throws {
            let daemon = try Daemon(files: ["a.yaml": "GET /a: { body: x }"])
            _ = try daemon.get("/a")
            let before = daemon.process.facts
            let count = min(10_000, ProcessFacts.allowDescriptors(12_000) - 1_000)
            func round() throws -> Int {
                let clients = try (0..<count).map { _ in try RawClient(port: daemon.port) }
                // The last one is served, so all before it were accepted.
                try clients[count - 1].send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(clients[count - 1].receive(until: "0\r\n\r\n").text.contains("\r\nx\r\n"))
                #expect(daemon.process.facts.descriptors >= count)
                for client in clients { client.reset() }
                let left = eventually(within: 60_000) {
                    daemon.process.facts.descriptors <= before.descriptors ? true : nil
                }
                #expect(left == true, "descriptors were leaked")
                return daemon.process.facts.residentBytes
            }
            let first = try round()
            _ = try round()
            _ = try round()
            let isFlat = eventually { daemon.process.facts.residentBytes - first < 2 << 20 ? true : nil }
            #expect(isFlat == true, "memory grows with closed connections")
        }

        @Test func manyRequestsLeaveMemoryFlat() throws {
            let daemon = try Daemon(
                files: ["a.yaml": "GET /a: { body: x }"], ["--max-request-journal-entries", "1000"])
            let client = try RawClient(port: daemon.port)
            let batch = 100
            let requests = String(repeating: "GET /a HTTP/1.1\r\nHost: x\r\n\r\n", count: batch)
            let length = try lengthOfAnswer(client)
            func send(_ count: Int) throws {
                for _ in 0..<(count / batch) {
                    try client.send(requests)
                    #expect(client.receive(length * batch).bytes.count == length * batch)
                }
            }
            try send(20_000)
            let before = daemon.process.facts
            try send(60_000)
            let after = daemon.process.facts
            #expect(after.residentBytes - before.residentBytes < 2 << 20)
            #expect(after.descriptors == before.descriptors)
        }

        private func lengthOfAnswer(_ client: RawClient) throws -> Int {
            try client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
            return client.receive(until: "0\r\n\r\n").bytes.count
        }

        /// The journal limits the bytes of the bodies that it keeps.
        @Test func theJournalIsBoundedByBytes() throws {
            let daemon = try Daemon(
                files: ["a.yaml": "POST /a: { status: 204 }"], ["--max-request-journal-size", "4MiB"])
            let client = try RawClient(port: daemon.port)
            let body = String(repeating: "b", count: 1 << 20)
            let request = "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body
            func send(_ count: Int) throws {
                for _ in 0..<count {
                    try client.send(request)
                    #expect(client.receive(until: "\r\n\r\n").text.hasPrefix("HTTP/1.1 204"))
                }
            }
            try send(10)
            let before = daemon.process.facts
            try send(100)
            #expect(daemon.process.facts.residentBytes - before.residentBytes < 8 << 20)
        }

        /// Many clients that do not read a large body are served from one copy of it.
        @Test func clientsThatNeverReadShareOneCopy() throws {
            let daemon = try Daemon(
                files: [
                    "a.yaml": "GET /big: { file: big.txt }",
                    "__files/big.txt": String(repeating: "0123456789abcdef", count: 1 << 20),
                ])
            // A file is cached once it has been unchanged for a moment: by its second answer at the latest.
            for _ in 0..<2 { #expect(try daemon.get("/big").body.count == 16 << 20) }
            let first = try RawClient(port: daemon.port)
            first.shrinkReceiveBuffer(to: 4_096)
            try first.send("GET /big HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(first.receive(1_000).bytes.count == 1_000)
            let before = daemon.process.facts
            let clients = try (0..<20).map { _ in try RawClient(port: daemon.port) }
            for client in clients {
                client.shrinkReceiveBuffer(to: 4_096)
                try client.send("GET /big HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(client.receive(1_000).bytes.count == 1_000)
            }
            #expect(daemon.process.facts.residentBytes - before.residentBytes < 24 << 20)
        }
    }

    extension ChildProcess {
        /// The number of open descriptors and the resident memory, as the system reports them.
        fileprivate var facts: (descriptors: Int, residentBytes: Int) {
            (ProcessFacts.openDescriptors(of: identifier), ProcessFacts.residentBytes(of: identifier) ?? 0)
        }
    }
#endif
