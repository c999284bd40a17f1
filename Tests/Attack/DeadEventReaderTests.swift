#if os(Linux)
    import SDTestSupport
    import Testing

    /// Readers of the event stream that read no more.
    @Suite(.serialized, .enabled(if: ProcessFacts.measuresMemory, "memory cannot be measured"))
    struct DeadEventReaderTests {
        private static let body = String(repeating: "x", count: 8_000)

        private func begin(_ daemon: Daemon, _ query: String = "") throws -> RawClient {
            let client = try RawClient(port: daemon.port)
            client.shrinkReceiveBuffer(to: 4096)
            try client.send("GET /__admin/events\(query) HTTP/1.1\r\nHost: localhost:\(daemon.port)\r\n\r\n")
            let start = client.receive(until: "\r\n\r\n", within: 30_000)
            #expect(start.bytes.starts(with: "HTTP/1.1 200".utf8), "\(start)")
            return client
        }

        /// Sends requests whose events are of about 10 kB each; every one is answered.
        private func post(_ count: Int, to daemon: Daemon) throws {
            let client = try PersistentConnection(port: daemon.port)
            for _ in 0..<count {
                #expect(try client.request("POST", "/none", body: Self.body).status == 404)
            }
        }

        private func memory(of daemon: Daemon) throws -> Int {
            try #require(ProcessFacts.residentBytes(of: daemon.process.identifier))
        }

        @Test func threeHundredReadersShareTheirEvents() throws {
            let daemon = try Daemon()
            try post(100, to: daemon)
            let before = try memory(of: daemon)
            let readers = try (0..<300).map { _ in try begin(daemon) }
            try post(600, to: daemon)
            let growth = try memory(of: daemon) - before
            for reader in readers { reader.reset() }
            #expect(growth < 64 << 20, "300 readers cost \(growth) bytes")
        }

        @Test func readersThatMissedMuchHoldOnePieceEach() throws {
            let daemon = try Daemon()
            try post(700, to: daemon)
            let first = try begin(daemon, "?after=0")
            let before = try memory(of: daemon)
            let readers = try (0..<40).map { _ in try begin(daemon, "?after=0") }
            #expect(try daemon.get("/none").status == 404)
            let growth = try memory(of: daemon) - before
            for reader in readers + [first] { reader.reset() }
            #expect(growth < 32 << 20, "40 readers cost \(growth) bytes")
        }
    }
#endif
