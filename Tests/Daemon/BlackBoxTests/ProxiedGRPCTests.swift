import SDJSON
import SDTestSupport
import Testing

/// All kinds of calls of gRPC through stubs, as frames: what its clients send and expect.
@Suite struct ProxiedGRPCTests {
    private static let head = [(":status", "200"), ("content-type", "application/grpc")]
    private static let good = [("grpc-status", "0"), ("grpc-message", "")]
    private static let bad = [("grpc-status", "5"), ("grpc-message", "none")]
    private static let asked = [("content-type", "application/grpc"), ("te", "trailers")]

    private static func daemon(_ target: FrameTarget, _ more: String = "") throws -> Daemon {
        try Daemon(files: [
            "a.yaml": "POST /p.S/**: { proxy: { to: \"\(target.origin)\", http2: true }\(more) }"
        ])
    }

    /// Answers each message with one, and the end with a status.
    private static func echo(_ frame: HTTP2Frame) -> [HTTP2Frame] {
        if frame.kind == HTTP2Frame.Kind.headers.rawValue { return [.fields(frame.stream, head)] }
        let message = String(decoding: frame.payload, as: UTF8.self)
        return (message.isEmpty ? [] : [.data(frame.stream, "<\(message)>")])
            + (frame.ends ? [.fields(frame.stream, good, ends: true)] : [])
    }

    private static func begin(_ client: HTTP2Client, _ stream: UInt32 = 1, ends: Bool = false) throws {
        try client.send(HTTP2Client.head(stream, "/p.S/M", method: "POST", asked, ends: ends))
    }

    private static func isDone(_ stream: HTTP2Client.Stream, _ status: String) -> Bool {
        stream.end == .end && stream.blocks.last?.contains("grpc-status: \(status)\n") == true
    }

    /// Each message is answered before the next one is sent.
    @Test(arguments: ["", ", delay: 5ms", ", fault: { bandwidth: 1MB/s }"])
    func bothSidesGoOnWithEachOther(more: String) throws {
        let target = try FrameTarget(Self.echo)
        let daemon = try Self.daemon(target, more)
        let client = try HTTP2Client(port: daemon.port)
        try Self.begin(client)
        // The head goes out before anything of the body, and so does that of the answer.
        #expect(target.frames.next()?.kind == HTTP2Frame.Kind.headers.rawValue)
        #expect(client.wait { $0[1].status == "200" })
        var whole = ""
        for message in ["1", "22", "333"] {
            try client.send(.data(1, message))
            whole += "<\(message)>"
            #expect(client.wait { $0[1].text == whole }, "\(client[1])")
        }
        try client.send(.data(1, "", ends: true))
        let answer = client.answer(1)
        #expect(Self.isDone(answer, "0") && answer.blocks.count == 2, "\(answer)")
        let event = eventually { () -> JSONValue? in
            let event = try? daemon.admin("GET", "/requests").json?["requests"]?[0]
            return event?["response"]?["body"] == nil ? nil : event
        }
        #expect(event?["request"]?["body"] == "122333" && event?["response"]?["body"] == .string(whole))
    }

    @Test func anOptionDoesTheSame() throws {
        let target = try FrameTarget(Self.echo)
        let daemon = try Daemon(files: ["a.yaml": "GET /a: {}"], ["--proxy-all", target.origin, "--proxy-http2=*"])
        let client = try HTTP2Client(port: daemon.port)
        try Self.begin(client)
        try client.send(.data(1, "a"))
        #expect(client.wait { $0[1].text == "<a>" })
        try client.send(.data(1, "b", ends: true))
        #expect(client.answer(1).text == "<a><b>" && Self.isDone(client[1], "0"))
    }

    /// A call that its client ends with its message, and one without any.
    @Test(arguments: [["a"], ["a", "b"], []]) func callsThatAskAtOncePass(messages: [String]) throws {
        let target = try FrameTarget { frame in
            guard frame.ends else { return [] }
            return [
                .fields(frame.stream, Self.head), .data(frame.stream, "x"),
                .fields(frame.stream, Self.good, ends: true),
            ]
        }
        let daemon = try Self.daemon(target)
        let client = try HTTP2Client(port: daemon.port)
        try Self.begin(client, ends: messages.isEmpty)
        for (index, message) in messages.enumerated() {
            try client.send(.data(1, message, ends: index == messages.count - 1))
        }
        let answer = client.answer(1)
        #expect(answer.text == "x" && answer.blocks.count == 2 && Self.isDone(answer, "0"), "\(answer)")
    }

    /// The status alone is one header block that is also the end: clients that stand on gRPC's C core take no DATA there.
    @Test(arguments: [
        "", ", delay: 5ms", ", fault: { bandwidth: 1MB/s }", ", fault: { delay: 5ms }", ", headers: { X-Own: a }",
    ])
    func aStatusAloneIsOneFrame(more: String) throws {
        let target = try FrameTarget { frame in
            frame.ends ? [.fields(frame.stream, Self.head + Self.bad, ends: true)] : []
        }
        let daemon = try Self.daemon(target, more)
        let client = try HTTP2Client(port: daemon.port)
        for stream: UInt32 in [1, 3, 5] {
            try Self.begin(client, stream)
            try client.send(.data(stream, "a", ends: true))
            let answer = client.answer(stream)
            #expect(answer.blocks.count == 1 && answer.pieces.isEmpty, "\(answer)")
            #expect(Self.isDone(answer, "5") && answer.status == "200", "\(answer)")
        }
    }

    /// A status behind a head, without a message between them.
    @Test func aStatusBehindTheHeadIsTrailers() throws {
        let target = try FrameTarget { frame in
            frame.ends ? [.fields(frame.stream, Self.head), .fields(frame.stream, Self.bad, ends: true)] : []
        }
        let daemon = try Self.daemon(target)
        let client = try HTTP2Client(port: daemon.port)
        try Self.begin(client, ends: true)
        let answer = client.answer(1)
        #expect(answer.blocks.count == 2 && answer.text == "" && Self.isDone(answer, "5"), "\(answer)")
    }

    /// The server has said all while its client still asks, and wants to hear no more.
    @Test func anAnswerMayEndBeforeTheQuestion() throws {
        let target = try FrameTarget { frame in
            switch String(decoding: frame.payload, as: UTF8.self) {
            case "a": return [.fields(frame.stream, Self.head), .data(frame.stream, "x")]
            case "b":
                let reset = HTTP2Frame(.resetStream, stream: frame.stream, HTTP2Frame.number(0))
                return [.fields(frame.stream, Self.bad, ends: true), reset]
            default: return []
            }
        }
        let daemon = try Self.daemon(target)
        let client = try HTTP2Client(port: daemon.port)
        try Self.begin(client)
        try client.send(.data(1, "a"))
        #expect(client.wait { $0[1].text == "x" }, "\(client[1])")
        try client.send(.data(1, "b"))
        #expect(client.wait { $0[1].blocks.count == 2 && $0[1].end != .open }, "\(client[1])")
        #expect(client[1].blocks.last?.contains("grpc-status: 5\n") == true, "\(client[1])")
        // The connection goes on.
        try client.ask(3, "/__admin/health")
        #expect(client.answer(3).status == "200")
    }

    @Test func aClientThatLeavesEndsTheCall() throws {
        let target = try FrameTarget(Self.echo)
        let daemon = try Self.daemon(target)
        let client = try HTTP2Client(port: daemon.port)
        try Self.begin(client)
        try client.send(.data(1, "a"))
        #expect(client.wait { $0[1].text == "<a>" })
        try client.send(HTTP2Frame(.resetStream, stream: 1, HTTP2Frame.number(8)))
        let end = eventually { () -> JSONValue? in
            try? daemon.admin("GET", "/requests?after=0&limit=1").json?["requests"]?[0]?["end"]
        }
        #expect(end == "clientGone")
    }

    /// A call that would go on in HTTP/1.1 is refused at its head, with the reason, while its client still asks; others are not.
    @Test(arguments: ["stub", "--pass-through", "--proxy-all"], ["application/grpc", "application/grpc+proto"])
    func withoutHTTP2ACallIsRefusedAtOnce(way: String, type: String) throws {
        let target = try RawServer { client, _ in
            _ = client.receive(until: "\r\n\r\n")
            try client.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        }
        let url = "http://127.0.0.1:\(target.port)"
        let stubs = ["a.yaml": "POST /p.S/**: { proxy: \"\(url)\" }"]
        let daemon = way == "stub" ? try Daemon(files: stubs) : try Daemon([way, url])
        let client = try HTTP2Client(port: daemon.port)
        let fields = [("content-type", type), ("te", "trailers")]
        try client.send(HTTP2Client.head(1, "/p.S/M", method: "POST", fields, ends: false))
        #expect(client.wait { $0[1].end != .open })
        #expect(client[1].status == "500")
        let place = "127.0.0.1:\(target.port)"
        let reason = "\(place) is called in HTTP/1.1, and a call of gRPC cannot go on in it: --proxy-http2"
        #expect(client[1].text.contains(reason), "\(client[1].text)")
        #expect(daemon.says(reason) && target.connections == 0)
        let web = [("content-type", "application/grpc-web"), ("content-length", "1")]
        try client.send(HTTP2Client.head(3, "/p.S/M", method: "POST", web, ends: false), .data(3, "a", ends: true))
        #expect(client.answer(3).text == "ok")
    }

    /// Chunks of HTTP/1.1 go on as they come, too; a body with a length is sent whole.
    @Test func chunksGoOnAsTheyCome() throws {
        let target = try FrameTarget(Self.echo)
        let daemon = try Self.daemon(target)
        let client = try daemon.rawClient()
        try client.send("POST /p.S/M HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        #expect(target.frames.next()?.kind == HTTP2Frame.Kind.headers.rawValue)
        try client.send("1\r\na\r\n")
        #expect(target.frames.next()?.payload == wire("a"))
        try client.send("1\r\nb\r\n0\r\n\r\n")
        #expect(target.frames.next()?.payload == wire("b"))
        #expect(client.receive(until: "0\r\n").text.contains("<b>"))
    }

    /// What a stub looks at is read as a whole, as ever.
    @Test func whatIsLookedAtIsReadBefore() throws {
        let target = try FrameTarget(Self.echo)
        let daemon = try Daemon(files: [
            "a.yaml": """
            POST /p.S/M:
              - { when: { body: { contains: b } }, body: own }
              - { proxy: { to: "\(target.origin)", http2: true } }
            """
        ])
        let client = try HTTP2Client(port: daemon.port)
        for (stream, message, answer): (UInt32, String, String) in [(1, "b", "own"), (3, "a", "<a>")] {
            try Self.begin(client, stream)
            try client.send(.data(stream, message, ends: true))
            #expect(client.answer(stream).text == answer)
        }
    }
}

extension Daemon {
    fileprivate func rawClient() throws -> RawClient { try RawClient(port: port) }
}
