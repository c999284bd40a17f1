import SDJSON
import SDTestSupport
import Testing

/// Work that does not end by itself soon: it lets others have their turn.
@Suite(.serialized) struct HeldLoopTests {
    @Test func waitingCallsWithDearExpectationsMatchBesideTheLoop() throws {
        let daemon = try Daemon(files: ["a.yaml": "POST /a: {}"])
        let pattern = #"{"pattern": {"bodyPatterns": [{"matches": "(a+)+$"}]}}"#
        let expectations = Array(repeating: pattern, count: 200).joined(separator: ",")
        let document = #"{"expectations": [\#(expectations)], "timeoutMs": 60000}"#
        let head = "POST /__admin/requests/verify HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        let callers = try (0..<20).map { _ in
            let caller = try RawClient(port: daemon.port)
            try caller.send("\(head)Content-Length: \(document.utf8.count)\r\n\r\n" + document)
            return caller
        }
        let isWaiting = try eventually(within: 60_000) {
            try daemon.admin("GET", "/health").status == 200 ? true : nil
        }
        #expect(isWaiting == true)
        let wait = try ProbeClient.longestWait(at: daemon.port, "twenty waiting calls of 200 expectations") {
            () throws in
            let client = try PersistentConnection(port: daemon.port)
            let body = String(repeating: "a", count: 40) + "b"
            for _ in 0..<3 { #expect(try client.request("POST", "/a", body: body).status == 200) }
            for caller in callers {
                let text = caller.receiveAll(within: 60_000).text
                #expect(text.hasPrefix("HTTP/1.1 500 ") && text.contains("--match-budget"), "\(text.prefix(500))")
            }
        }
        ProbeClient.expectShort(wait)
    }

    @Test func manySlicesWithoutAGapTakeTurns() throws {
        let stub = """
            GET /sliced: { file: large.txt, fault: { slice: { size: 1, gap: 0ms } } }
            """
        let text = String(repeating: "x", count: 1 << 18)
        let daemon = try Daemon(files: ["a.yaml": stub, "__files/large.txt": text])
        let wait = try ProbeClient.longestWait(at: daemon.port, "256 KiB in slices for twenty clients") { () throws in
            let clients = try (0..<20).map { _ in
                let client = try RawClient(port: daemon.port)
                try client.send("GET /sliced HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                return client
            }
            for client in clients {
                #expect(client.receiveAll(within: 120_000).bytes.count > 1 << 18)
            }
        }
        ProbeClient.expectShort(wait)
    }

    @Test func aLargePushToReadersThatDoNotReadTakesTurns() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /events: { stream: { name: news } }"])
        let count = 400
        let readers = try (0..<count).map { _ in
            let reader = try RawClient(port: daemon.port)
            try reader.send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n")
            return reader
        }
        for reader in readers { _ = reader.receive(until: "\r\n\r\n", within: 30_000) }
        let piece = #"{"data": "\#(String(repeating: "x", count: 1_000_000))"}"#
        let wait = try ProbeClient.longestWait(at: daemon.port, "1 MB for readers that do not read") { () throws in
            let answer = try daemon.admin("POST", "/streams/news", piece)
            #expect(answer.status == 200, "\(answer.text.prefix(500))")
            #expect(answer.text.contains("\(count)"), "\(answer.text.prefix(500))")
            // Posted behind all of the pieces.
            #expect(try daemon.admin("POST", "/streams/news/close").status == 200)
        }
        for reader in readers { reader.reset() }
        ProbeClient.expectShort(wait)
    }

    @Test func thousandsOfSessionsAreListedAndEndedBesideRequests() throws {
        let daemon = try Daemon(["--max-sessions", "3000"])
        let client = try PersistentConnection(port: daemon.port)
        for _ in 0..<3_000 { #expect(try client.request("POST", "/__admin/sessions").status == 201) }
        let refused = try client.request("POST", "/__admin/sessions")
        #expect(refused.status == 503 && refused.text.contains("--max-sessions"), "\(refused.text.prefix(500))")
        let wait = try ProbeClient.longestWait(at: daemon.port, "three thousand sessions") { () throws in
            #expect(try daemon.admin("GET", "/sessions").text.contains(#""total" : 3000"#))
            #expect(try daemon.admin("DELETE", "/sessions").text.contains("3000"))
        }
        ProbeClient.expectShort(wait)
        #expect(try client.request("POST", "/__admin/sessions").status == 201)
    }

    @Test func hundredsOfNamesAreCertifiedBesideRequests() throws {
        let state = try TemporaryFolder()
        let daemon = try Daemon(["--https-port", "0", "--state-dir", state.path])
        let port = try #require(daemon.ready["httpsPort"]?.intValue.map { UInt16($0) })
        let wait = try ProbeClient.longestWait(at: daemon.port, "certificates for 200 names at once") { () throws in
            let clients = try (0..<200).map { number in
                var options = TLSClient.Options()
                options.serverName = "name-\(number).example"
                return try TLSClient(port: port, options)
            }
            for client in clients { _ = try client.shake(within: 0) }
            // Whoever names no other host than others does not wait behind them.
            let usual = try TLSClient(port: port)
            #expect(try usual.shake() == .complete, "\(usual.problem)")
            for client in clients { #expect(try client.shake(within: 60_000) == .complete, "\(client.problem)") }
        }
        ProbeClient.expectShort(wait)
    }

    @Test func dearTemplatesAtOnceAreRenderedBesideTheLoop() throws {
        let dear = "{{size (join (range 1 100000) ',')}} {{#each (range 1 20000)}}{{#if this}}{{/if}}{{/each}}"
        let daemon = try Daemon(
            files: ["a.yaml": "GET /dear: { body: '\(dear.replacing("'", with: "''"))', template: true }"],
            ["--match-budget", "5000"])
        let wait = try ProbeClient.longestWait(at: daemon.port, "thirty dear templates at once") { () throws in
            let clients = try (0..<30).map { _ in
                let client = try RawClient(port: daemon.port)
                try client.send("GET /dear HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                return client
            }
            for client in clients {
                #expect(client.receiveAll(within: 120_000).text.contains("588894"))
            }
        }
        ProbeClient.expectShort(wait)
    }

    @Test func aLongAnswerIsMadeBesideTheLoop() throws {
        let elements = Array(repeating: #"{"id": 12, "name": "abcdefgh"}"#, count: 900_000).joined(separator: ",")
        let daemon = try Daemon(
            files: ["mappings/a.json": #"{"request": {"url": "/a"}, "response": {"jsonBody": [\#(elements)]}}"#])
        let wait = try ProbeClient.longestWait(at: daemon.port, "27 MB of JSON as an answer") { () throws in
            let client = try RawClient(port: daemon.port)
            try client.send("GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(client.receiveAll(within: 120_000).bytes.count > 25_000_000)
        }
        ProbeClient.expectShort(wait)
    }
}
