import SDHTTPTransport
import SDPlatform
import SDTestSupport
import SDUpstream
import Testing

/// Servers that lie, break off or never end: each is a defined problem.
@Suite struct HostileServerTests {
    private struct Case: Sendable, CustomTestStringConvertible {
        let answer: String
        let kind: UpstreamProblem.Kind
        let message: String

        init(_ answer: String, _ kind: UpstreamProblem.Kind, _ message: String) {
            self.answer = answer
            self.kind = kind
            self.message = message
        }

        var testDescription: String { String(answer.prefix(60)) }
    }

    private static let cases = [
        Case("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", .malformed, "before the end of its answer"),
        Case(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", .malformed, "before the end of its answer"),
        Case("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nab", .malformed, "chunks are wrong"),
        Case("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabcdef\r\n", .malformed, "chunks are wrong"),
        Case(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nab", .malformed,
            "chunks are wrong"),
        Case("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\nabc", .malformed, "Content-Length"),
        Case("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", .malformed, "Content-Length"),
        Case("HTTP/1.1 200 OK\r\nContent-Length: -3\r\n\r\nabc", .malformed, "Content-Length"),
        Case("HTTP/1.1 200 OK\r\nX: y", .malformed, "before the end of its head"),
        Case("220 mail.example ESMTP\r\n", .malformed, "sent what is no HTTP"),
        Case("\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}", .malformed, "sent what is no HTTP"),
        Case("HTTP/3.7 999999 what\r\n\r\n", .malformed, "sent what is no HTTP"),
        Case("", .reset, "closed the connection without an answer"),
        Case(
            "HTTP/1.1 200 OK\r\n"
                + String(repeating: "X-Long: " + String(repeating: "y", count: 1000) + "\r\n", count: 2000)
                + "\r\n", .tooLarge, "header"),
        Case("HTTP/1.1 200 OK\r\nX: " + String(repeating: "y", count: 2_000_000) + "\r\n\r\n", .tooLarge, "header"),
        Case("HTTP/1.1 200 OK\r\n" + String(repeating: "a:b\r\n", count: 20_000) + "\r\n", .tooLarge, "header"),
        Case(
            String(repeating: "HTTP/1.1 103 Early\r\nA: b\r\n\r\n", count: 10_000) + "HTTP/1.1 200 OK\r\n\r\n",
            .tooLarge,
            "header"),
        Case(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + String(repeating: "a: b\r\n", count: 20_000)
                + "\r\n", .tooLarge, "header"),
        Case("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nabc", .malformed, "switched to another protocol"),
    ]

    /// Framing that contradicts itself, or could be read in two ways: the next server could see other messages.
    private static let contradictions = [
        Case("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", .malformed, "both Content-Length and"),
        Case("Transfer-Encoding: chunked\r\nContent-Length: 3\r\n", .malformed, "both Content-Length and"),
        Case("Content-Length: 5\r\nContent-Length: 5\r\n", .malformed, "several Content-Length headers are given"),
        Case("Content-Length: 5, 5\r\n", .malformed, "Content-Length"),
        Case("Content-Length: 99999999999999999999\r\n", .malformed, "Content-Length"),
        Case("Content-Length: 9223372036854775808\r\n", .malformed, "Content-Length"),
        Case("Content-Length: +5\r\n", .malformed, "Content-Length"),
        Case("Content-Length: 0x5\r\n", .malformed, "Content-Length"),
        Case("Content-Length: 5abc\r\n", .malformed, "Content-Length"),
        Case("Content-Length: \r\n", .malformed, "Content-Length"),
        Case("Content-Length : 5\r\n", .malformed, "no HTTP"),
        Case("X Y: 5\r\n", .malformed, "no HTTP"),
        Case("X: a\r\n  b\r\n", .malformed, "folded"),
        Case("Transfer-Encoding: gzip\r\n", .malformed, "Transfer-Encoding"),
        Case("Transfer-Encoding: chunked, chunked\r\n", .malformed, "Transfer-Encoding"),
    ]

    @Test(arguments: contradictions)
    private func whatContradictsItselfIsRefused(_ one: Case) throws {
        let server = try answering("HTTP/1.1 200 OK\r\n" + one.answer + "\r\nhello")
        let whole = try Caller().get("http://127.0.0.1:\(server.port)/")
        #expect(whole.head == nil && whole.body.isEmpty)
        #expect(whole.problem?.kind == one.kind)
        #expect(whole.problem?.message.contains(one.message) == true, "\(whole.problem?.message ?? "no problem")")
    }

    @Test(arguments: cases) private func eachHasAProblem(_ one: Case) throws {
        let server = try answering(one.answer)
        let whole = try Caller().get("http://127.0.0.1:\(server.port)/")
        #expect(whole.problem?.kind == one.kind)
        #expect(whole.problem?.message.hasPrefix("127.0.0.1:\(server.port)") == true)
        #expect(whole.problem?.message.contains(one.message) == true, "\(whole.problem?.message ?? "no problem")")
    }

    @Test func nobodyListens() throws {
        let port = TestPort.free()
        let whole = try Caller().get("http://127.0.0.1:\(port)/")
        #expect(whole.problem == UpstreamProblem(.refusedConnection, "127.0.0.1:\(port) refused the connection"))
    }

    /// A connection that fails leaves nothing behind: the next client of the loop, whose socket has its number, is served.
    @Test(arguments: ["http", "https"]) func clientsAreServedAfterFailedConnections(scheme: String) throws {
        let closed = TestPort.free()
        let plain = try RawServer { connection, _ in try connection.send("HTTP/1.1 400 No\r\n\r\n") }
        let caller = try Caller()
        for _ in 0..<40 {
            let port = scheme == "http" ? closed : plain.port
            #expect(try caller.get("\(scheme)://127.0.0.1:\(port)/").problem != nil)
            let client = try caller.server.client()
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            let text = client.receive(until: "[Host]=[a]").text
            #expect(text.hasSuffix("[Host]=[a]"))
            guard !text.isEmpty else { return }
        }
    }

    /// The second address of a name is called where the first one refuses.
    @Test func theNextAddressIsTried() throws {
        let server = try TestServer(listen: { try $0.listen(address: "::1", port: TestPort.free()) })
        let caller = try Caller()
        for _ in 0..<20 {
            let whole = try caller.get("http://localhost:\(server.port)/")
            #expect(whole.problem == nil)
            let other = try Caller { $0.closesConnections = true }
            #expect(try other.get("http://localhost:\(server.port)/").problem == nil)
        }
    }

    @Test(arguments: [false, true]) func resets(inTheMiddle: Bool) throws {
        let server = try RawServer { connection, _ in
            _ = connection.receive(until: "\r\n\r\n")
            if inTheMiddle { try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc") }
            connection.reset()
        }
        let problem = try Caller().get("http://127.0.0.1:\(server.port)/").problem
        #expect(problem?.kind == .reset)
        #expect(problem?.message.contains("reset the connection") == true, "\(problem?.message ?? "")")
    }

    @Test(arguments: [
        "", "ftp://a/", "http://", "http://a:b/", "http://a:99999/", "/a", "http://a b/", "http://[::x]/",
        "http://a%2e/",
    ])
    func urlsThatCannotBeCalled(url: String) throws {
        #expect(try Caller().get(url).problem?.kind == .badURL)
    }

    /// More bytes than were announced belong to nothing.
    @Test func bytesBehindTheAnswerAreDropped() throws {
        let server = try answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi there", closing: false)
        let caller = try Caller()
        for _ in 0..<3 { #expect(try caller.get("http://127.0.0.1:\(server.port)/").text == "hi") }
    }

    /// A million pieces take turns: nothing else waits for them.
    @Test func manySmallChunksHoldNobodyUp() throws {
        let count = 1_000_000
        let server = try answering(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + String(repeating: "1\r\na\r\n", count: count)
                + "0\r\n\r\n")
        let long = Locked<[LoopWatchdog.LongCall]>([])
        let caller = try Caller(
            watchdog: LoopWatchdog(limit: 200_000_000) { call in long.withLock { $0.append(call) } })
        let answer = PausingAnswer()
        answer.goOn()
        caller.upstream.start(UpstreamRequest("GET", "http://127.0.0.1:\(server.port)/"), on: caller.loop, answer)
        #expect(answer.ended.next() == true)
        #expect(answer.count.withLock { $0 } == count)
        #expect(long.withLock { $0 }.isEmpty, "\(long.withLock { $0 })")
    }
}
