import Foundation
import SDJSON
import SDTestSupport
import Testing

/// Who breaks off ends both sides of a call, the client's and the other server's, and the journal says who it was.
@Suite(.timeLimit(.minutes(30))) struct BrokenCallTests {
    private static func daemon(_ port: UInt16) throws -> Daemon {
        try Daemon(files: ["a.yaml": "ANY /**: { proxy: \"http://127.0.0.1:\(port)\" }"])
    }

    /// The end of the only event, once it has one.
    private static func event(_ daemon: Daemon) throws -> (end: String?, status: Int?) {
        let event = try eventually { () -> JSONValue? in
            let event = try daemon.admin("GET", "/requests?after=0&limit=1").json?["requests"]?[0]
            return event?["end"] == nil ? nil : event
        }
        return (event?["end"]?.stringValue, event?["response"]?["status"]?.intValue)
    }

    private static let ok = "HTTP/1.1 200 OK\r\n"

    @Test(arguments: [
        ("a body shorter than its length", ok + "Content-Length: 50\r\n\r\nabcde", false),
        ("a reset in a body", ok + "Content-Length: 50\r\n\r\nabcde", true),
        ("chunks without an end", ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n", false),
        ("a reset in chunks", ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n", true),
        ("a bad chunk", ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\nzz\r\n", false),
        ("half a chunk", ok + "Transfer-Encoding: chunked\r\n\r\n50\r\nabcde", false),
    ]) func aTargetThatBreaksOffBreaksOff(_: String, answer: String, resets: Bool) throws {
        let goOn = Events<Bool>()
        let target = try RawServer { client, _ in
            _ = client.receiveRequest()
            try client.send(answer)
            // The client has what came.
            _ = goOn.next()
            if resets { client.reset() }
        }
        let daemon = try Self.daemon(target.port)
        let client = try RawClient(port: daemon.port)
        try client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(client.receive(until: "abcde").text.hasSuffix("abcde"))
        goOn.tell(true)
        let rest = client.receiveAll(within: 30_000)
        #expect(rest.ending != .open && !rest.text.hasSuffix("0\r\n\r\n"), "\(rest)")
        #expect(try Self.event(daemon) == ("targetGone", 200))
    }

    /// How far a call has come when its client leaves.
    enum Moment: CaseIterable, Sendable { case uploading, uploadingChunks, waiting, waitingAfterUpload, answering }

    @Test(arguments: Moment.allCases, [false, true]) func aClientThatLeavesEndsTheCall(moment: Moment, resets: Bool)
        throws
    {
        let (come, gone) = (Events<Bool>(), Events<RawClient.Ending>())
        let target = try RawServer { client, _ in
            let head = client.receive(until: "\r\n\r\n").text
            guard head.hasSuffix("\r\n\r\n") else { return }
            switch moment {
            case .uploading, .uploadingChunks: _ = client.receive(100_000)
            case .waiting: break
            case .waitingAfterUpload: _ = client.receive(2_000_000)
            case .answering: try client.send(Self.ok + "Content-Length: 50\r\n\r\nabcde")
            }
            come.tell(true)
            gone.tell(client.receiveAll(within: 30_000).ending)
        }
        let daemon = try Self.daemon(target.port)
        let client = try RawClient(port: daemon.port)
        let body = [UInt8](repeating: 0x61, count: 2_000_000)
        switch moment {
        case .uploading: try client.send(wire("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 9000000\r\n\r\n") + body)
        case .uploadingChunks:
            try client.send(wire("POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n200000\r\n") + body)
        case .waitingAfterUpload:
            try client.send(wire("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000\r\n\r\n") + body)
        case .waiting, .answering: try client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
        }
        #expect(come.next() == true)
        if moment == .answering { _ = client.receive(until: "abcde") }
        if resets { client.reset() } else { client.close() }
        let ending = gone.next(within: 30_000)
        #expect(ending != nil && ending != .open)
        #expect(try Self.event(daemon).end == "clientGone")
        #expect(target.connections == 1)
        #expect(!daemon.process.errors.contains("got a 500"))
    }

    /// A refusal before the body has been read is the client's answer, and the upload ends.
    @Test(
        arguments: ["Content-Length: 500000000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n1dcd6500\r\n"],
        [false, true])
    func anUploadThatIsRefusedEnds(framing: String, closes: Bool) throws {
        let gone = Events<RawClient.Ending>()
        let target = try RawServer { client, _ in
            guard client.receive(until: "\r\n\r\n").text.hasSuffix("\r\n\r\n") else { return }
            _ = client.receive(100_000)
            try client.send("HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\nConnection: close\r\n\r\nno!")
            if closes { return client.close() }
            gone.tell(client.receiveAll(within: 30_000).ending)
        }
        let daemon = try Self.daemon(target.port)
        let client = try RawClient(port: daemon.port)
        try client.send("POST /a HTTP/1.1\r\nHost: a\r\n" + framing)
        let piece = [UInt8](repeating: 0x61, count: 1 << 20)
        var sent = 0
        while sent < 400, !client.waitUntilReadable(microseconds: 0) {
            do { try client.send(piece) } catch { break }
            sent += 1
        }
        #expect(sent < 400)
        let answer = client.receiveAll(within: 30_000)
        #expect(answer.ending != .open)
        #expect(answer.text.hasPrefix("HTTP/1.1 413 Too Large\r\n") && answer.text.hasSuffix("no!"), "\(answer)")
        if !closes { #expect(gone.next(within: 30_000) ?? .open != .open) }
        #expect(try Self.event(daemon) == ("sent", 413))
        #expect(target.connections == 1)
    }

    /// What a client sends of a long body, and what of that is refused while the rest goes on to the other server.
    @Test(arguments: [
        ("Content-Length: 2000000\r\n\r\n", "", 408),
        ("Transfer-Encoding: chunked\r\n\r\n200000\r\n", "", 408),
        ("Transfer-Encoding: chunked\r\n\r\n124f80\r\n", "\r\nzz\r\n", 400),
    ]) func aBodyThatIsRefusedIsNoEndOfTheDaemon(framing: String, rest: String, status: Int) throws {
        let come = Events<Bool>()
        let target = try RawServer { client, _ in
            guard client.receive(until: "\r\n\r\n").text.hasSuffix("\r\n\r\n") else { return }
            _ = client.receive(1_000_000)
            come.tell(true)
            _ = client.receiveAll(within: 30_000)
        }
        let time = status == 408 ? "5s" : "60s"
        let limits = ["--body-timeout", time, "--body-idle-timeout", time, "-v"]
        let daemon = try Daemon(
            files: ["a.yaml": "ANY /**: { proxy: \"http://127.0.0.1:\(target.port)\" }"], limits)
        let client = try RawClient(port: daemon.port)
        try client.send(
            wire("POST /a HTTP/1.1\r\nHost: a\r\n" + framing) + [UInt8](repeating: 0x61, count: 1_200_000))
        #expect(come.next() == true)
        try client.send(rest)
        let answer = client.receiveAll(within: 30_000)
        #expect(answer.text.hasPrefix("HTTP/1.1 \(status) ") && answer.ending != .open, "\(answer)")
        #expect(try Self.event(daemon) == ("refused", status))
        #expect(daemon.says("refused in the middle of its body"))
        let report = try daemon.admin("GET", "/report?fail=aborted")
        #expect(report.json?["verdict"] == "failed", "\(report.text)")
        #expect(!daemon.process.errors.contains("daemon stopped"), "\(daemon.process.errors)")
    }

    /// A server that breaks off while the client sends nothing more of its body, and the end of the exchange.
    private static let broken: [(answer: String, end: String, status: Int)] = [
        ("", "sent", 500),
        ("HTTP/1.1 200 OK\r\nConte", "sent", 500),
        (ok + "Content-Length: 50\r\n\r\nabcde", "targetGone", 200),
        (ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n", "targetGone", 200),
        (ok + "\r\nabcde", "sent", 200),
        ("HTTP/1.1 500 No\r\nContent-Length: 50\r\n\r\nabcde", "targetGone", 500),
    ]

    private static func resting(_ answer: String) throws -> (target: RawServer, daemon: Daemon) {
        let target = try RawServer { client, _ in
            guard client.receive(until: "\r\n\r\nabc").text.hasSuffix("abc") else { return }
            try client.send(answer)
        }
        // Longer than the test.
        let daemon = try Daemon(
            files: ["a.yaml": "ANY /**: { proxy: \"http://127.0.0.1:\(target.port)\" }"], ["--body-timeout", "10m"])
        return (target, daemon)
    }

    @Test(arguments: broken) func anUploadThatRestsEndsWithItsTarget(_ one: (answer: String, end: String, status: Int))
        throws
    {
        let (target, daemon) = try Self.resting(one.answer)
        let client = try RawClient(port: daemon.port)
        try client.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 500000000\r\n\r\nabc")
        let answer = client.receiveAll(within: 30_000)
        #expect(answer.ending != .open)
        #expect(answer.text.hasPrefix("HTTP/1.1 \(one.status) "), "\(answer)")
        #expect(try Self.event(daemon) == (one.end, one.status))
        #expect(target.connections == 1)
    }

    /// In HTTP/2 its stream ends, and the connection goes on.
    @Test(arguments: broken) func aStreamThatRestsEndsWithItsTarget(_ one: (answer: String, end: String, status: Int))
        throws
    {
        let (target, daemon) = try Self.resting(one.answer)
        defer { withExtendedLifetime(target) {} }
        let client = try HTTP2Client(port: daemon.port)
        let head = HTTP2Client.head(1, "/a", method: "POST", [("content-length", "500000000")], ends: false)
        try client.send(head, HTTP2Frame(.data, stream: 1, wire("abc")))
        let answer = client.answer(1)
        #expect(answer.status == "\(one.status)")
        // Whole where there is one, and then the rest of the body is not wanted.
        let expected: [HTTP2Client.End] = one.end == "sent" ? [.end, .reset(0)] : [.reset(2)]
        #expect(expected.contains(answer.end), "\(answer)")
        #expect(try Self.event(daemon) == (one.end, one.status))
        try client.ask(3, "/__admin/health")
        #expect(client.answer(3).status == "200")
    }

    // MARK: - Streams of one connection

    /// Another server's error is that of the stream that called it: the other streams of its connection are answered.
    @Test(arguments: [
        (ok + "Content-Length: 50\r\n\r\nabcde", HTTP2Client.End.reset(2), "200"),
        (ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\nzz\r\n", .reset(2), "200"),
        (ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n", .reset(2), "200"),
        ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", .end, "500"),
        ("no HTTP\r\n\r\n", .end, "500"),
        ("", .end, "500"),
    ]) func aBrokenTargetEndsItsStreamAlone(answer: String, end: HTTP2Client.End, status: String) throws {
        let goOn = Events<Bool>()
        let target = try RawServer { client, _ in
            let head = client.receive(until: "\r\n\r\n").text
            guard head.hasPrefix("GET /good") else { return try client.send(answer) }
            try client.send(Self.ok + "Content-Length: 8\r\n\r\ngood")
            _ = goOn.next()
            try client.send("good")
        }
        let daemon = try Self.daemon(target.port)
        let client = try HTTP2Client(port: daemon.port)
        try client.ask(1, "/good")
        client.wait { $0[1].text == "good" }
        for id in [3, 5, 7] as [UInt32] {
            try client.ask(id, "/broken")
            #expect(client.answer(id).end == end, "\(client[id])")
            #expect(client[id].status == status)
        }
        goOn.tell(true)
        #expect(client.answer(1).text == "goodgood")
        #expect(client[1].end == .end)
        try client.ask(9, "/__admin/health")
        #expect(client.answer(9).status == "200")
        #expect(client.goAway == nil)
    }

    /// A target that breaks off in its answer while the body of an HTTP/2 stream still comes.
    @Test(arguments: [ok + "Content-Length: 50\r\n\r\nabcde", ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n"])
    func aStreamWhoseBodyComesEndsOnce(answer: String) throws {
        let target = try RawServer { client, _ in
            guard client.receive(until: "\r\n\r\n").text.hasSuffix("\r\n\r\n") else { return }
            _ = client.receive(10_000)
            try client.send(answer)
        }
        let daemon = try Self.daemon(target.port)
        for _ in 0..<5 {
            let client = try HTTP2Client(port: daemon.port)
            try client.send(HTTP2Client.head(1, "/a", method: "POST", [("content-length", "50000000")], ends: false))
            // As much as the client may send at once; some of it comes behind the end.
            for _ in 0..<4 { try client.send(HTTP2Frame(.data, stream: 1, [UInt8](repeating: 0x61, count: 16_000))) }
            #expect(client.answer(1).end == .reset(2), "\(client[1])")
            try client.ask(3, "/__admin/health")
            #expect(client.answer(3).status == "200")
        }
        #expect(daemon.process.poll() == nil)
    }

    // MARK: - Uploads under way

    /// A server that goes away in the middle of an upload, without an answer.
    @Test(
        arguments: ["Content-Length: 500000000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n1dcd6500\r\n"],
        [false, true])
    func anUploadWhoseTargetGoesEnds(framing: String, resets: Bool) throws {
        let target = try RawServer { client, _ in
            guard client.receive(until: "\r\n\r\n").text.hasSuffix("\r\n\r\n") else { return }
            _ = client.receive(100_000)
            if resets { client.reset() }
        }
        let daemon = try Self.daemon(target.port)
        let client = try RawClient(port: daemon.port)
        try client.send("POST /a HTTP/1.1\r\nHost: a\r\n" + framing)
        let piece = [UInt8](repeating: 0x61, count: 1 << 20)
        var sent = 0
        while sent < 400, !client.waitUntilReadable(microseconds: 0) {
            do { try client.send(piece) } catch { break }
            sent += 1
        }
        #expect(sent < 400)
        let answer = client.receiveAll(within: 30_000)
        #expect(answer.ending != .open)
        #expect(answer.text.hasPrefix("HTTP/1.1 500 "), "\(answer)")
        #expect(try Self.event(daemon).status == 500)
        #expect(target.connections == 1)
    }
}
