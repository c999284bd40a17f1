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
        let wait = try SecondClient.longestWait(at: daemon.port, "300 dear requests in one write") { () throws in
            let client = try RawClient(port: daemon.port)
            try client.send(String(repeating: request(""), count: 299) + request("Connection: close\r\n"))
            let answers = client.receiveAll(within: 120_000).text
            #expect(answers.ranges(of: "HTTP/1.1 500 ").count == 300)
        }
        SecondClient.expectShort(wait)
    }

    @Test func hundredsOfSignalsAreFewReadings() throws {
        let stubs = (0..<500).map { #"{"request": {"urlPath": "/s\#($0)"}}"# }
        let daemon = try Daemon(
            files: ["mappings/a.json": #"{"mappings": [\#(stubs.joined(separator: ","))]}"#], ["--no-watch"])
        let wait = try SecondClient.longestWait(at: daemon.port, "555 signals") { () throws in
            let client = try KeptConnection(port: daemon.port)
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
        SecondClient.expectShort(wait)
    }

    @Test func uploadsThatFallSilentAreRefused() throws {
        let daemon = try Daemon(
            files: ["a.yaml": "POST /a: {}"], ["--body-timeout", "1s", "--body-idle-timeout", "1s"])
        let name = "twenty uploads that fall silent"
        let wait = try SecondClient.longestWait(at: daemon.port, name) { () throws in
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
        SecondClient.expectShort(wait)
        daemon.expectPeakMemory(below: 400 << 20, name)
    }

    @Test func idleConnectionsGiveWayToNewcomers() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /a: { body: ok }"], ["--max-connections", "8"])
        let wait = try SecondClient.longestWait(at: daemon.port, "idle connections at the limit") { () throws in
            var idle: [KeptConnection] = []
            // Three times as many as there are places; none of them leaves.
            for _ in 0..<24 {
                let client = try KeptConnection(port: daemon.port)
                #expect(try client.request("GET", "/a", within: 10_000).text == "ok")
                idle.append(client)
            }
            #expect(idle.count == 24)
        }
        SecondClient.expectShort(wait)
    }
}
