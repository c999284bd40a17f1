#if os(Linux)
    import SDJSON
    import SDTestSupport
    import Testing

    /// Clients that make the daemon hold more than it may.
    @Suite(.serialized, .enabled(if: ProcessFacts.measuresMemory, "memory cannot be measured")) struct MemoryLimitTests
    {
        private func resident(_ daemon: Daemon) throws -> Int {
            try #require(ProcessFacts.residentBytes(of: daemon.process.identifier))
        }

        private func memory(_ daemon: Daemon) throws -> JSONValue {
            try JSONValue(parsing: daemon.admin("GET", "/memory").text)
        }

        /// The warnings about the limit in the log.
        private func warnings(_ daemon: Daemon) -> Int {
            daemon.process.errors.split(separator: "\n").count { $0.contains("the memory limit of") }
        }

        @Test func silentUploadsHoldNoMoreThanTheLimit() throws {
            // However slow the machine is, no upload is over before the test is.
            let daemon = try Daemon(["--max-memory", "128MiB", "--body-timeout", "1h", "--body-idle-timeout", "1h"])
            let before = try resident(daemon)
            let part = [UInt8](repeating: 0x61, count: 49 << 20)
            var uploads: [RawClient] = []
            for _ in 0..<20 {
                let client = try RawClient(port: daemon.port)
                try client.send("POST /up HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(50 << 20)\r\n\r\n")
                // Where there is no room, the daemon answers and closes instead of reading.
                try? client.send(part)
                uploads.append(client)
                #expect(try daemon.get("/none").status == 404, "a second client is served")
            }
            let growth = try resident(daemon) - before
            #expect(growth < 160 << 20, "20 uploads cost \(growth) bytes")
            // The answer may be lost to a reset, since not all that was sent is read.
            let kept = uploads.count { client in
                let answer = client.receive(12, within: 200)
                return answer.bytes.isEmpty && answer.ending == .open
            }
            #expect(kept == 2)
            let late = try RawClient(port: daemon.port)
            try late.send("POST /up HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(50 << 20)\r\n\r\n")
            let answer = late.receiveAll().text
            #expect(answer.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"), "\(answer)")
            #expect(answer.contains("the memory limit of the server has no room for the request body"), "\(answer)")
            let held = try #require(try memory(daemon)["holders"]?["uploads"]?.intValue)
            #expect(held > 90 << 20 && held <= 128 << 20)
            #expect(warnings(daemon) == 1, "\(daemon.process.errors)")
            for client in uploads { client.reset() }
            #expect(
                try eventually(within: 30_000) { try memory(daemon)["holders"]?["uploads"] == 0 ? true : nil } == true)
        }

        /// The journals give way to each other and to the limit; what came last can be verified.
        @Test func journalsStayWithinTheLimit() throws {
            let daemon = try Daemon(["--max-memory", "16MiB"])
            let client = try PersistentConnection(port: daemon.port)
            let before = try resident(daemon)
            let body = String(repeating: "x", count: 200_000)
            for number in 0..<200 {
                #expect(try client.request("POST", "/\(number)", body: body).status == 404)
            }
            let growth = try resident(daemon) - before
            #expect(growth < 64 << 20, "40 MB of requests cost \(growth) bytes")
            let total = try eventually { () -> Int? in
                let total = try memory(daemon)["total"]?.intValue ?? .max
                return total <= 16 << 20 ? total : nil
            }
            #expect(total != nil)
            let last = try daemon.admin("POST", "/requests/count", #"{"urlPath": "/199"}"#)
            #expect(last.text.contains("\"count\" : 1"), "\(last.text)")
            #expect(warnings(daemon) == 1, "\(daemon.process.errors)")
        }

        /// Clients that ask for whole journals and read nothing do not take more than there is.
        @Test func deadReadersOfListsStayWithinTheLimit() throws {
            let daemon = try Daemon(["--max-memory", "64MiB"])
            let client = try PersistentConnection(port: daemon.port)
            let body = String(repeating: "x", count: 100_000)
            for _ in 0..<100 { #expect(try client.request("POST", "/a", body: body).status == 404) }
            let before = try resident(daemon)
            let readers = try (0..<30).map { _ in
                let reader = try RawClient(port: daemon.port)
                reader.shrinkReceiveBuffer(to: 4096)
                try reader.send("GET /__admin/requests HTTP/1.0\r\nHost: localhost\r\n\r\n")
                return reader
            }
            #expect(try client.request("GET", "/__admin/health").status == 200)
            let total = try eventually(within: 60_000) { () -> Int? in
                let total = try memory(daemon)["total"]?.intValue ?? .max
                return warnings(daemon) > 0 && total <= 64 << 20 ? total : nil
            }
            #expect(total != nil, "\(daemon.process.errors)")
            let growth = try resident(daemon) - before
            #expect(growth < 200 << 20, "30 readers of 10 MB cost \(growth) bytes")
            for reader in readers { reader.reset() }
            #expect(
                try eventually(within: 60_000) { try memory(daemon)["holders"]?["answers"] == 0 ? true : nil } == true)
        }

        /// A state that is refused is not read first: as values it would take several times its size.
        @Test(arguments: ["PUT", "PATCH"]) func aStateWithoutRoomTakesLittle(method: String) throws {
            let daemon = try Daemon(["--max-memory", "1GiB"])
            let texts = String(repeating: #""some longer text here for us","#, count: 3_300_000)
            let answer = try daemon.admin(method, "/state/a", #"{"properties": {"all": [\#(texts)1]}}"#)
            #expect(answer.status == 422 && answer.text.contains("--max-state-size"), "\(answer.text)")
            daemon.expectPeakMemory(below: 400 << 20, "a state of 100 MB")
        }

        @Test func theLimitIsShown() throws {
            let daemon = try Daemon(["--max-memory", "64MiB"])
            #expect(try memory(daemon)["limit"]?.intValue == 64 << 20)
            // A body that can never have room is too large.
            let client = try RawClient(port: daemon.port)
            try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(65 << 20)\r\n\r\n")
            #expect(client.receive(12).text == "HTTP/1.1 413")
        }
    }
#endif
