import SDTestSupport
import Testing

/// Clients that take more than their part of the loop, of signals, of memory or of the connections.
@Suite(.serialized) struct FairShareTests {
    @Test func aPipelineOfDearRequestsTakesTurns() throws {
        let stub = #"{"request": {"urlPath": "/dear", "bodyPatterns": [{"matches": "(a+)+$"}]}}"#
        // Each request takes a millisecond of the loop, or ten in a debug build.
        let daemon = try Daemon(files: ["mappings/a.json": stub], ["--match-budget", "1"])
        let body = String(repeating: "a", count: 40) + "b"
        func request(_ fields: String) -> String {
            "POST /dear HTTP/1.1\r\nHost: a\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n" + body
        }
        let wait = try ProbeClient.longestWait(at: daemon.port, "300 dear requests in one write") { () throws in
            let client = try RawClient(port: daemon.port)
            try client.send(String(repeating: request(""), count: 299) + request("Connection: close\r\n"))
            let answers = client.receiveAll(within: 120_000).text
            #expect(answers.ranges(of: "HTTP/1.1 500 ").count == 300)
        }
        ProbeClient.expectShort(wait)
    }

    @Test func hundredsOfSignalsAreFewReadings() throws {
        let stubs = (0..<500).map { #"{"request": {"urlPath": "/s\#($0)"}}"# }
        let daemon = try Daemon(
            files: ["mappings/a.json": #"{"mappings": [\#(stubs.joined(separator: ","))]}"#], ["--no-watch"])
        let wait = try ProbeClient.longestWait(at: daemon.port, "555 signals") { () throws in
            let client = try PersistentConnection(port: daemon.port)
            for _ in 0..<555 {
                daemon.process.signal(1)
                // Each signal is delivered before the next is sent.
                #expect(try client.request("GET", "/s1").status == 200)
            }
            try daemon.folder.write("mappings/b.yaml", "GET /b: {}")
            daemon.process.signal(1)
            let isRead = try eventually(within: 30_000) { try client.request("GET", "/b").status == 200 ? true : nil }
            #expect(isRead == true)
        }
        ProbeClient.expectShort(wait)
    }

    @Test func uploadsThatFallSilentAreRefused() throws {
        let daemon = try Daemon(
            files: ["a.yaml": "POST /a: {}"], ["--body-timeout", "5s", "--body-idle-timeout", "5s"])
        let name = "twenty uploads that fall silent"
        let wait = try ProbeClient.longestWait(at: daemon.port, name) { () throws in
            let part = [UInt8](repeating: 0x78, count: 8 << 20)
            let clients = try (0..<20).map { _ in
                let client = try RawClient(port: daemon.port)
                let head = "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 52428800\r\n\r\n"
                try client.send(Array(head.utf8) + part)
                return client
            }
            for client in clients {
                #expect(client.receiveAll(within: 60_000).text.hasPrefix("HTTP/1.1 408"))
            }
        }
        ProbeClient.expectShort(wait)
        daemon.expectPeakMemory(below: 400 << 20, name)
    }

    /// The library of TLS holds parts of what follows, of which the socket does not tell.
    @Test func aLargeBodyOverTLSTakesTurns() throws {
        let daemon = try Daemon(files: ["a.yaml": "POST /a: {}"], ["--tls", "auto", "--no-request-journal"])
        let body = [UInt8](repeating: 0x61, count: 90 << 20)
        // Both sides encrypt in this machine, so the records are made before.
        let client = try TLSClient.connected(to: daemon.port)
        let records = try client.encrypted(
            wire("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.count)\r\n\r\n") + body)
        let wait = try ProbeClient.longestWait(at: daemon.port, "a body of 90 MiB over TLS") { () throws in
            try client.raw.send(records)
            #expect(client.receive(12).text == "HTTP/1.1 200")
        }
        ProbeClient.expectShort(wait)
    }

    /// 4 MiB of header blocks in CONTINUATIONs, all larger than a head may be. The library allows eight for a block, and counts
    /// one again that comes in two records.
    @Test(arguments: [false, true]) func largeHeadsOfHTTP2TakeTurns(secured: Bool) throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /a: {}"], ["--tls", "auto", "--no-request-journal"])
        var bytes = HTTP2Bytes.beginning
        let streams = 4 << 20 / (4 * 16_384)
        for index in UInt32(0)..<UInt32(streams) {
            let field = [0x00, 1, 0x78, 0x7f, 0xb9, 0x16] + [UInt8](repeating: 0x61, count: 3000)
            let block = HTTP2Bytes.block("/a") + (0..<22).flatMap { _ in field }
            let parts = stride(from: 0, to: block.count, by: 16_384).map {
                Array(block[$0..<min(block.count, $0 + 16_384)])
            }
            let stream = index * 2 + 1
            bytes += HTTP2Bytes.frame(1, 1, stream, parts[0])
            for part in parts.dropFirst().dropLast() { bytes += HTTP2Bytes.frame(9, 0, stream, part) }
            bytes += HTTP2Bytes.frame(9, 4, stream, parts[parts.count - 1])
        }
        let name = "4 MiB of HEADERS and CONTINUATION" + (secured ? " over TLS" : "")
        var options = TLSClient.Options()
        options.protocols = ["h2"]
        let client = try TLSClient(port: daemon.port, options)
        if secured { #expect(try client.shake() == .complete) }
        let sent = secured ? try client.encrypted(bytes) : bytes
        let wait = try ProbeClient.longestWait(at: daemon.port, name) { () throws in
            try client.raw.send(sent)
            // Each is refused.
            let received = client.raw.receive(streams * 20 + 1)
            #expect(received.ending == .open && received.bytes.count > streams * 20)
        }
        ProbeClient.expectShort(wait)
    }

    @Test func idleConnectionsGiveWayToNewcomers() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /a: { body: ok }"], ["--max-connections", "8"])
        var idle: [PersistentConnection] = []
        // Three times as many as there are places; none of them leaves.
        for _ in 0..<24 {
            let client = try PersistentConnection(port: daemon.port)
            #expect(try client.request("GET", "/a", within: 60_000).text == "ok")
            idle.append(client)
        }
        #expect(idle.count == 24)
    }
}
