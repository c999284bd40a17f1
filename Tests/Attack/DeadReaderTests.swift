#if os(Linux)
    import SDTestSupport
    import Testing

    /// Clients that ask for much, take a little, and then read no more.
    @Suite(.serialized, .enabled(if: ProcessFacts.measuresMemory, "memory cannot be measured")) struct DeadReaderTests {
        private static let size = 50 << 20
        private static let readers = 60

        /// What the daemon's memory grows by for readers that take the first bytes of an answer.
        private func growth(_ daemon: Daemon, _ target: String, headers: String = "") throws -> Int {
            func begin() throws -> RawClient {
                let client = try RawClient(port: daemon.port)
                client.shrinkReceiveBuffer(to: 4096)
                try client.send("GET \(target) HTTP/1.1\r\nHost: localhost:\(daemon.port)\r\n\(headers)\r\n")
                let start = client.receive(4096, within: 30_000)
                #expect(start.bytes.starts(with: "HTTP/1.1 200".utf8), "\(target): \(start)")
                return client
            }
            let first = try begin()
            let before = try #require(ProcessFacts.residentBytes(of: daemon.process.identifier))
            let others = try (1..<Self.readers).map { _ in try begin() }
            let after = try #require(ProcessFacts.residentBytes(of: daemon.process.identifier))
            for client in others + [first] { client.reset() }
            return after - before
        }

        @Test(arguments: ["/big.bin", "/__files/big.bin", "/__admin/files/big.bin", "/stub", "/gzip"])
        func readersOfAFileCostNoMemory(target: String) throws {
            let mapping = #"{"request": {"urlPath": "/stub"}, "response": {"bodyFileName": "big.bin"}}"#
            let daemon = try Daemon(
                files: ["mappings/a.json": mapping, "__files/big.bin": String(repeating: "x", count: Self.size)],
                ["--enable-stub-cors"])
            let isPacked = target == "/gzip"
            let growth = try growth(
                daemon, isPacked ? "/stub" : target, headers: isPacked ? "Accept-Encoding: gzip\r\n" : "")
            #expect(growth < Self.size, "\(Self.readers) readers of \(target) cost \(growth) bytes")
        }

        /// Responses that differ in their header lines still share their body.
        @Test func readersOfABodyWithHeadersOfTheirOwnShareIt() throws {
            let daemon = try Daemon(["--enable-stub-cors"])
            let size = 24 << 20
            let body = String(repeating: "x", count: size)
            let stub = #"{"request": {"urlPath": "/big"}, "response": {"body": "\#(body)"}}"#
            #expect(try daemon.admin("POST", "/mappings", stub).status == 201)
            let growth = try growth(daemon, "/big", headers: "Origin: http://page.example\r\n")
            #expect(growth < 2 * size, "\(Self.readers) readers of a body cost \(growth) bytes")
        }
    }
#endif
