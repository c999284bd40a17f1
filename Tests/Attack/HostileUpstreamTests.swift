import SDJSON
import SDPlatform
import SDTestSupport
import Testing

/// Servers that are hostile to the daemon that calls them: each has an answer that is known beforehand, other clients never
/// wait, and memory is bounded.
@Suite(.serialized) struct HostileUpstreamTests {
    /// What the client of a proxied stub gets.
    enum Outcome: Sendable {
        /// A 500 that says this.
        case failure(String)
        /// A 200 with a body of this size.
        case whole(Int)
        /// A 200 whose body breaks off.
        case broken
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let outcome: Outcome
        /// What the server does once it has the request.
        let serve: @Sendable (RawClient) throws -> Void

        init(_ name: String, _ outcome: Outcome, _ serve: @escaping @Sendable (RawClient) throws -> Void) {
            (testDescription, self.outcome, self.serve) = (name, outcome, serve)
        }
    }

    /// Sends a text again and again until the daemon takes no more, or a limit is reached.
    private static func flood(_ client: RawClient, _ text: String, upTo limit: Int = 256 << 20) throws {
        let block = wire(String(repeating: text, count: max(1, 65_536 / text.utf8.count)))
        var sent = 0
        while sent < limit {
            try client.send(block)
            sent += block.count
        }
    }

    private static let bomb = gzipped([UInt8](repeating: 0, count: 64 << 20)[...]) ?? []
    private static let ok = "HTTP/1.1 200 OK\r\n"

    private static let heads = [
        Case("a head without end", .failure("Network failure")) {
            try flood($0, "X-Field: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n")
        },
        Case("a head without end after its status", .failure("Network failure")) {
            try $0.send(ok)
            try flood($0, "X-Field: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n")
        },
        Case("a line without end", .failure("Network failure")) {
            try $0.send(ok + "X-Field: ")
            try flood($0, "a")
        },
        Case("informational answers without end", .failure("Network failure")) {
            try flood($0, "HTTP/1.1 102 Processing\r\n\r\n")
        },
        Case("garbage", .failure("The target server failed to respond")) {
            try $0.send([UInt8](repeating: 0x80, count: 4096))
        },
        Case("another protocol", .failure("The target server failed to respond")) { try $0.send("220 mail ready\r\n") },
        Case("no byte at all", .failure("")) { _ in },
        Case("a reset", .failure("Connection reset")) { $0.reset() },
        Case("a reset in the head", .failure("Connection reset")) {
            try $0.send(ok + "Content-Le")
            _ = $0.receiveAll(within: 50)
            $0.reset()
        },
        Case("silence", .failure("Read timed out")) { _ = $0.receiveAll(within: 20_000) },
        Case("silence in the head", .failure("Read timed out")) {
            try $0.send(ok)
            _ = $0.receiveAll(within: 20_000)
        },
        Case("a length below 0", .failure("")) { try $0.send(ok + "Content-Length: -5\r\n\r\nhello") },
        Case("a length beyond all numbers", .failure("The target server failed to respond")) {
            try $0.send(ok + "Content-Length: 99999999999999999999\r\n\r\nhello")
        },
        Case("a length beside chunks", .failure("The target server failed to respond")) {
            try $0.send(ok + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")
        },
        Case("a length that is none", .failure("")) { try $0.send(ok + "Content-Length: many\r\n\r\nhello") },
    ]

    private static let bodies = [
        Case("a body shorter than its length", .broken) { try $0.send(ok + "Content-Length: 100\r\n\r\nhello") },
        Case("a body longer than its length", .whole(5)) {
            try $0.send(ok + "Content-Length: 5\r\n\r\nhello, and more")
        },
        Case("a reset in the body", .broken) {
            try $0.send(ok + "Content-Length: 100\r\n\r\nhello")
            _ = $0.receiveAll(within: 50)
            $0.reset()
        },
        Case("silence in the body", .broken) {
            try $0.send(ok + "Content-Length: 100\r\n\r\nhello")
            _ = $0.receiveAll(within: 20_000)
        },
        Case("a chunk's size that is none", .broken) {
            try $0.send(ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n")
        },
        Case("a chunk beyond all numbers", .broken) {
            try $0.send(ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nFFFFFFFFFFFFFFFFFF\r\n")
        },
        Case("chunks without an end", .broken) {
            try $0.send(ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
        },
        Case("100,000 chunks of a byte", .whole(100_000)) { client in
            try client.send(ok + "Transfer-Encoding: chunked\r\n\r\n")
            for _ in 0..<100 { try client.send(String(repeating: "1\r\nx\r\n", count: 1_000)) }
            try client.send("0\r\n\r\n")
        },
        Case("a gzip bomb", .whole(bomb.count)) {
            try $0.send(ok + "Content-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n")
            try $0.send(bomb)
        },
        Case("a body without end of 64 MiB", .whole(64 << 20)) {
            try $0.send(ok + "Content-Length: \(64 << 20)\r\n\r\n")
            try flood($0, "x", upTo: 64 << 20)
        },
    ]

    /// The answer behind informational ones, which are passed on.
    private static func final(_ bytes: [UInt8]) -> [UInt8] {
        var rest = bytes[...]
        while rest.starts(with: wire("HTTP/1.1 1")) {
            guard let end = rest.indices.first(where: { rest[$0...].starts(with: wire("\r\n\r\n")) }) else { break }
            rest = rest[(end + 4)...]
        }
        return Array(rest)
    }

    private func expect(_ outcome: Outcome, _ received: RawClient.Received, _ log: String) {
        let answer = HTTPAnswer(Self.final(received.bytes))
        switch outcome {
        case .failure(let words):
            #expect(answer?.status == 500, "\(received.text.prefix(300))\n\(log)")
            #expect(answer?.text.contains(words) == true || words.isEmpty, "\(answer?.text.prefix(300) ?? "")")
        case .whole(let count):
            #expect(answer?.status == 200 && answer?.body.count == count, "\(received.text.prefix(300))\n\(log)")
        case .broken:
            #expect(received.text.hasPrefix("HTTP/1.1 200"), "\(received.text.prefix(300))\n\(log)")
            let isCut = received.ending == .rst || !received.text.hasSuffix("0\r\n\r\n")
            #expect(isCut && received.bytes.count < 1_000)
        }
    }

    @Test(arguments: heads + bodies) private func eachHasItsAnswer(_ of: Case) throws {
        let server = try RawServer { client, _ in
            _ = client.receive(until: "\r\n\r\n")
            try of.serve(client)
        }
        let stub = #"{"request": {"urlPath": "/a"}, "response": {"proxyBaseUrl": "http://127.0.0.1:\#(server.port)"}}"#
        // Only silence is to come upon the limit.
        let timeout = of.testDescription.hasPrefix("silence") ? "1500" : "60000"
        let daemon = try Daemon(files: ["a.json": stub], ["--workers", "1", "--proxy-timeout", timeout])
        let wait = try ProbeClient.longestWait(at: daemon.port, of.testDescription) {
            let client = try RawClient(port: daemon.port)
            try client.send("GET /a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            expect(of.outcome, client.receiveAll(within: 60_000), daemon.process.errors)
        }
        ProbeClient.expectShort(wait)
        daemon.expectPeakMemory(below: 160 << 20, of.testDescription)
        // What is shown of it later is bounded, too.
        let archive = try daemon.get("/__admin/requests?format=har")
        #expect(archive.status == 200 && archive.body.count < 4 << 20)
    }

    /// In HTTP/2, the answers to the client's other requests go on.
    @Test(arguments: [
        "Content-Length: 50\r\n\r\nhello", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n",
    ])
    func aBrokenAnswerEndsItsStreamOfHTTP2Alone(answer: String) throws {
        let goOn = Events<Void>()
        let server = try RawServer { client, _ in
            let request = client.receive(until: "\r\n\r\n").text
            guard request.hasPrefix("GET /whole ") else { return try client.send(Self.ok + answer) }
            try client.send(Self.ok + "Content-Length: 10\r\n\r\nhello")
            _ = goOn.next()
            try client.send("world")
        }
        let daemon = try Daemon(["--workers", "1", "--proxy-all", "http://127.0.0.1:\(server.port)"])
        let client = try RawClient(port: daemon.port)
        try client.send(
            HTTP2Bytes.beginning + HTTP2Bytes.get("/whole", stream: 1) + HTTP2Bytes.get("/broken", stream: 3))
        let reset = String(decoding: HTTP2Bytes.frame(3, 0, 3, [0, 0, 0, 2]), as: UTF8.self)
        let broken = client.receive(until: reset, within: 60_000)
        #expect(broken.text.hasSuffix(reset) && broken.ending == .open, "\(broken)")
        goOn.tell(())
        let whole = client.receive(until: "world", within: 60_000)
        #expect(whole.text.hasSuffix("world") && whole.ending == .open, "\(whole)")
    }

    /// A client that leaves ends the call, and nobody waits for it.
    @Test func aBodyWithoutEndEndsWithItsClient() throws {
        let ended = Events<Bool>()
        let server = try RawServer { client, _ in
            _ = client.receive(until: "\r\n\r\n")
            try client.send(Self.ok + "Transfer-Encoding: chunked\r\n\r\n")
            do {
                while true { try client.send("4\r\ntick\r\n") }
            } catch {
                ended.tell(true)
            }
        }
        let stub = #"{"request": {"urlPath": "/a"}, "response": {"proxyBaseUrl": "http://127.0.0.1:\#(server.port)"}}"#
        let daemon = try Daemon(
            files: ["a.json": stub], ["--workers", "1"])
        let wait = try ProbeClient.longestWait(at: daemon.port, "a body without end") {
            let client = try RawClient(port: daemon.port)
            try client.send("GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n")
            _ = client.receive(4 << 20, within: 30_000)
            client.reset()
            #expect(ended.next(within: 30_000) == true)
        }
        ProbeClient.expectShort(wait)
        daemon.expectPeakMemory(below: 160 << 20, "a body without end")
    }

    /// While it is recorded, a bomb that is larger than what is decompressed stays as it is.
    @Test func aBombIsRecordedAsItCame() throws {
        let server = try RawServer { client, _ in
            _ = client.receive(until: "\r\n\r\n")
            try client.send(Self.ok + "Content-Encoding: gzip\r\nContent-Length: \(Self.bomb.count)\r\n\r\n")
            try client.send(Self.bomb)
        }
        let daemon = try Daemon(["--workers", "1"])
        #expect(
            try daemon.admin("POST", "/recordings/start", #"{"targetBaseUrl": "http://127.0.0.1:\#(server.port)"}"#)
                .status == 200)
        #expect(try daemon.get("/bomb").body == Self.bomb)
        let wait = try ProbeClient.longestWait(at: daemon.port, "a bomb that is recorded") {
            let answer = try daemon.admin("POST", "/recordings/stop")
            #expect(answer.status == 200)
        }
        ProbeClient.expectShort(wait)
        daemon.expectPeakMemory(below: 512 << 20, "a bomb that is recorded")
    }
}
