import Foundation
import SDTestSupport
import Testing

/// Exchanges that are not one request and then one answer pass through the daemon as they are.
@Suite struct ProxiedFlowTests {
    private static func daemon(_ port: UInt16, _ more: [String] = []) throws -> Daemon {
        try Daemon(["--workers", "1", "--proxy-all", "http://127.0.0.1:\(port)"] + more)
    }

    private static let hints =
        "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\nX-Many: 1\r\nX-Many: 2\r\n\r\n"

    // MARK: Informational answers

    /// They arrive before the final answer exists, with their fields.
    @Test func informationPassesWhenItComes() throws {
        let goOn = Events<Bool>()
        let server = try RawServer { client, _ in
            _ = client.receive(until: "\r\n\r\n")
            try client.send("HTTP/1.1 102 Processing\r\n\r\n" + Self.hints)
            _ = goOn.next()
            try client.send(CountingTarget.ok)
        }
        let daemon = try Self.daemon(server.port)
        let client = try RawClient(port: daemon.port)
        try client.send("GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        let expected = "HTTP/1.1 102 Processing\r\n\r\n" + Self.hints
        expectWire(client.receive(expected.utf8.count, within: 10_000), expected, .open)
        goOn.tell(true)
        let rest = client.receiveAll().text
        #expect(rest.hasPrefix("HTTP/1.1 200 OK\r\n") && rest.hasSuffix("\r\n\r\nok"), "\(rest)")
    }

    @Test func informationPassesInHTTP2() throws {
        let goOn = Events<Bool>()
        let server = try RawServer { client, _ in
            _ = client.receive(until: "\r\n\r\n")
            try client.send(Self.hints)
            _ = goOn.next()
            try client.send(CountingTarget.ok)
        }
        let daemon = try Self.daemon(server.port)
        let client = try HTTP2Client(port: daemon.port)
        try client.ask(1, "/a")
        #expect(client.wait(within: 10_000) { !$0[1].blocks.isEmpty })
        let early = client[1].blocks.first ?? ""
        #expect(early.hasPrefix(":status: 103\n") && early.contains("link: </a.css>; rel=preload"), "\(early)")
        #expect(early.contains("x-many: 1\nx-many: 2"))
        goOn.tell(true)
        let stream = client.answer(1)
        #expect(stream.status == "200" && stream.text == "ok" && stream.blocks.count == 2, "\(stream)")
    }

    /// Clients of HTTP/1.0 know of no such answers (RFC 9110, 15.2).
    @Test func oldClientsGetTheAnswerAlone() throws {
        let server = try RawServer { client, _ in
            _ = client.receive(until: "\r\n\r\n")
            try client.send(Self.hints + CountingTarget.ok)
        }
        let daemon = try Self.daemon(server.port)
        let client = try RawClient(port: daemon.port)
        try client.send("GET /a HTTP/1.0\r\nHost: a\r\n\r\n")
        let all = client.receiveAll().text
        #expect(all.hasPrefix("HTTP/1.1 200 OK\r\n") && !all.contains("103"), "\(all)")
    }

    // MARK: 100-continue

    /// A client that waits for a 100 gets it, and its body goes on whole.
    @Test(arguments: [3, 3_000_000]) func aClientThatWaitsForA100SendsItsBody(size: Int) throws {
        let target = try CountingTarget { client, request, _ in
            try client.send("HTTP/1.1 200 OK\r\nContent-Length: \("\(request.rest.utf8.count)".utf8.count)\r\n\r\n")
            try client.send("\(request.rest.utf8.count)")
            return true
        }
        let daemon = try Self.daemon(target.port)
        let client = try RawClient(port: daemon.port)
        try client.send(
            "POST /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: \(size)\r\n\r\n"
        )
        let expected = "HTTP/1.1 100 Continue\r\n\r\n"
        expectWire(client.receive(expected.utf8.count, within: 10_000), expected, .open)
        try client.send([UInt8](repeating: 0x61, count: size))
        let answer = client.receiveAll().text
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.hasSuffix("\r\n\r\n\(size)"), "\(answer)")
    }

    // MARK: Answers before the end of the upload

    /// An upload that is streamed, refused in its middle: the client gets the refusal, whether it goes on or not.
    @Test(arguments: [false, true], [false, true]) func aRefusalComesAtOnce(isChunked: Bool, goesOn: Bool) throws {
        let server = try RawServer { client, _ in
            _ = client.receive(until: "\r\n\r\n")
            _ = client.receive(100_000)
            try client.send("HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno")
            client.finishSending()
            _ = client.receiveAll(within: 20_000)
        }
        let daemon = try Self.daemon(server.port)
        let client = try RawClient(port: daemon.port)
        let framing = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: 10000000"
        try client.send("POST /a HTTP/1.1\r\nHost: a\r\n\(framing)\r\n\r\n")
        // Beyond the size from which bodies are streamed.
        let block = [UInt8](repeating: 0x61, count: 1 << 20)
        try client.send(isChunked ? wire("300000\r\n") + block + block + block : block + block + block)
        if goesOn { try? client.send(block) }
        let answer = client.receive(until: "\r\n\r\nno", within: 20_000).text
        #expect(answer.hasPrefix("HTTP/1.1 413 Too Large\r\n"), "\(answer)\(daemon.process.errors)")
    }

    /// One that answers with a 200 before it has read all gets the rest, and the client the answer meanwhile.
    @Test func anAnswerComesBesideTheUpload() throws {
        let count = Events<Int>()
        let server = try RawServer { client, _ in
            _ = client.receive(until: "\r\n\r\n")
            var got = client.receive(2_000_000).bytes.count
            try client.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n")
            got += client.receive(2_000_000).bytes.count
            try client.send("4\r\nlast\r\n0\r\n\r\n")
            count.tell(got)
        }
        let daemon = try Self.daemon(server.port)
        let client = try RawClient(port: daemon.port)
        try client.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 4000000\r\n\r\n")
        try client.send([UInt8](repeating: 0x61, count: 2_000_000))
        #expect(client.receive(until: "5\r\nfirst\r\n", within: 20_000).text.hasSuffix("\r\n\r\n5\r\nfirst\r\n"))
        try client.send([UInt8](repeating: 0x61, count: 2_000_000))
        #expect(client.receive(until: "0\r\n\r\n", within: 20_000).text == "4\r\nlast\r\n0\r\n\r\n")
        #expect(count.next() == 4_000_000)
    }

    // MARK: Half-closed connections

    /// A server that ends its side behind its answer, and reads on.
    @Test(arguments: ["Content-Length: 2\r\n\r\nok", "Connection: close\r\n\r\nok"])
    func aServerMayEndItsSideAlone(answer: String) throws {
        let server = try RawServer { client, _ in
            _ = client.receive(until: "\r\n\r\n")
            try client.send("HTTP/1.1 200 OK\r\n" + answer)
            client.finishSending()
            _ = client.receiveAll(within: 20_000)
        }
        let daemon = try Self.daemon(server.port)
        for _ in 0..<3 { #expect(try daemon.get("/a").text == "ok") }
    }

    /// A client that ends its side before its answer is taken for one that has left, as the page says: TCP does not tell the two
    /// apart. Behind the beginning of an answer, too.
    @Test(arguments: [false, true]) func aClientThatEndsItsSideEndsTheCall(isAnswered: Bool) throws {
        let (asked, ended) = (Events<Bool>(), Events<RawClient.Ending>())
        let server = try RawServer { client, _ in
            _ = client.receive(until: "\r\n\r\n")
            if isAnswered { try client.send("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nhello") }
            asked.tell(true)
            ended.tell(client.receiveAll(within: 20_000).ending)
        }
        let daemon = try Self.daemon(server.port)
        let client = try RawClient(port: daemon.port)
        try client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(asked.next() == true)
        if isAnswered { _ = client.receive(until: "hello") }
        client.finishSending()
        #expect(try #require(ended.next()) != .open)
        #expect(client.receiveAll().ending != .open)
    }
}
