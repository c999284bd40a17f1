import SDHTTPTransport
import SDTestSupport
import Testing

/// Bodies of HTTP/2 that the handler takes while they come.
@Suite(.timeLimit(.minutes(30))) struct HTTP2StreamedBodyTests {
    private func head(_ stream: UInt32, _ path: String, _ fields: [(String, String)] = []) -> HTTP2Frame {
        HTTP2Client.head(stream, path, method: "POST", fields, ends: false)
    }

    /// Sends a body as the client's windows let it.
    private func send(
        _ body: [UInt8], on stream: UInt32, _ client: HTTP2Client, ends: Bool = true
    ) throws {
        var sent = 0
        while sent < body.count {
            let count = min(16_384, body.count - sent)
            func room(_ client: HTTP2Client) -> Bool {
                func granted(_ id: UInt32) -> Int {
                    client.others.filter { $0.kind == HTTP2Frame.Kind.windowUpdate.rawValue && $0.stream == id }
                        .reduce(0) { $0 + Int(HTTP2Frame.number(at: 0, in: $1.payload)) }
                }
                return sent + count <= min(65_535 + granted(0), 262_144 + granted(stream))
            }
            guard client.wait(until: room) else { return }
            sent += count
            let flags = ends && sent == body.count ? HTTP2Frame.endStream : 0
            try client.send(HTTP2Frame(.data, flags, stream: stream, Array(body[(sent - count)..<sent])))
        }
    }

    @Test(arguments: [true, false])
    func aBodyBeyondAllLimitsIsTaken(announced: Bool) throws {
        let server = try StreamingServer()
        let client = try HTTP2Client(port: server.port)
        let body = pattern(1_000_000)
        try client.send(head(1, "/sum", announced ? [("content-length", "\(body.count)")] : []))
        try send(body, on: 1, client)
        let text = "\(Sum.text(of: body)) announced \(announced ? "\(body.count)" : "none")"
        #expect(client.answer(1).text == text)
        #expect(server.handler.asked.withLock { $0 } == 1)
        #expect(server.handler.ends.next() == "")
    }

    @Test func trailersAreTold() throws {
        let server = try StreamingServer()
        let client = try HTTP2Client(port: server.port)
        try client.send(head(1, "/sum"))
        try send(pattern(5000), on: 1, client, ends: false)
        try client.send(
            HTTP2Frame(
                .headers, HTTP2Frame.endHeaders | HTTP2Frame.endStream, stream: 1, HTTP2Frame.block([("a", "1")])))
        #expect(client.answer(1).text.hasSuffix(" announced none a=1"))
    }

    /// Where the handler wants to be asked about short bodies, those of unknown length are taken before anything of them has come.
    @Test func shortBodiesAreTakenWhereTheHandlerIsAsked() throws {
        let server = try StreamingServer()
        server.handler.streamsShort.withLock { $0 = true }
        let client = try HTTP2Client(port: server.port)
        try client.send(head(1, "/short"))
        let body = try #require(server.handler.bodies.next())
        server.handler.begin(body)
        try client.send(HTTP2Frame(.data, stream: 1, wire("ab")))
        #expect(server.handler.pieces.next() == wire("ab"))
        try client.send(HTTP2Frame(.data, HTTP2Frame.endStream, stream: 1, wire("c")))
        #expect(server.handler.pieces.next() == wire("c") && server.handler.ends.next() == "")
        server.handler.replies.next()?.send(StreamingHandler.answer("done"))
        #expect(client.answer(1).text == "done")
        // One that is announced, and one that the handler does not take.
        for (stream, path, fields): (UInt32, String, [(String, String)]) in [
            (3, "/short", [("content-length", "3")]), (5, "/whole", []),
        ] {
            try client.send(head(stream, path, fields))
            try send(wire("abc"), on: stream, client)
            #expect(client.answer(stream).text == "whole 3")
        }
        // It is asked again once the body has grown.
        try client.send(head(7, "/sum"))
        try send(pattern(5000), on: 7, client)
        #expect(client.answer(7).text == Sum.text(of: pattern(5000)) + " announced none")
        #expect(server.handler.asked.withLock { $0 } == 4)
    }

    /// Once it is answered a client may rest as long as it likes.
    @Test func anAnsweredClientMayRest() throws {
        var limits = ServerLimits.streamed
        (limits.bodyTimeout, limits.bodyIdleTimeout) = (4_000, 4_000)
        let server = try StreamingServer(limits: limits)
        server.handler.streamsShort.withLock { $0 = true }
        let client = try HTTP2Client(port: server.port)
        try client.send(head(1, "/short"))
        let body = try #require(server.handler.bodies.next())
        guard let reply = server.handler.replies.next()?.take() else { return #expect(Bool(false), "no reply") }
        server.handler.begin(body)
        let stream = reply.hold([.head(ResponseHead(status: 200, reason: "OK"))], onEnd: { _ in })
        #expect(client.wait { $0[1].status == "200" })
        try client.send(head(3, "/short"))
        server.handler.begin(try #require(server.handler.bodies.next()))
        // The other one's time is over, and with it that of this one, if it had any.
        #expect(client.wait { $0[3].end != .open })
        #expect(client[1].end == .open)
        try client.send(HTTP2Frame(.data, HTTP2Frame.endStream, stream: 1, wire("c")))
        #expect(server.handler.pieces.next() == wire("c"))
        stream.finish(WireScript([.end(.keepAlive)]))
        #expect(client.answer(1).end == .end)
    }

    @Test func aHandlerThatDoesNotTakeItGetsItWhole() throws {
        let server = try StreamingServer()
        let client = try HTTP2Client(port: server.port)
        try client.send(head(1, "/whole"))
        try send(pattern(60_000), on: 1, client)
        #expect(client.answer(1).text == "whole 60000")
        try client.send(head(3, "/whole", [("content-length", "70000")]))
        #expect(client.answer(3).status == "413")
    }

    @Test func whatIsNotWantedWaitsWithTheClient() throws {
        let server = try StreamingServer()
        let client = try HTTP2Client(port: server.port)
        let body = pattern(1_000_000)
        try client.send(head(1, "/held", [("content-length", "\(body.count)"), ("expect", "100-continue")]))
        let stream = try #require(server.handler.bodies.next())
        let reply = try #require(server.handler.replies.next())
        // As much as the stream's window takes, which is given no further.
        for start in stride(from: 0, to: 262_144, by: 16_384) {
            client.wait { client in
                let granted = client.others.filter { $0.kind == HTTP2Frame.Kind.windowUpdate.rawValue }
                return granted.contains { $0.stream == 0 }
            }
            try client.send(HTTP2Frame(.data, stream: 1, Array(body[start..<start + 16_384])))
        }
        try client.settle()
        #expect(!client.others.contains { $0.kind == HTTP2Frame.Kind.windowUpdate.rawValue && $0.stream == 1 })
        // Others go on.
        try client.ask(3, "/small")
        #expect(client.answer(3).text == "whole 0")
        server.handler.begin(stream)
        client.wait { $0.others.contains { $0.kind == HTTP2Frame.Kind.windowUpdate.rawValue && $0.stream == 1 } }
        var left = body[262_144...]
        while !left.isEmpty {
            let piece = Array(left.prefix(16_384))
            left = left.dropFirst(16_384)
            try client.settle()
            try client.send(HTTP2Frame(.data, left.isEmpty ? HTTP2Frame.endStream : 0, stream: 1, piece))
        }
        #expect(server.handler.ends.next() == "")
        var sum = Sum()
        while let piece = server.handler.pieces.next(within: 0) { sum.add(piece) }
        #expect(sum.text == Sum.text(of: body))
        reply.send(StreamingHandler.answer("done"))
        #expect(client.answer(1).text == "done")
    }

    @Test(arguments: ["reset", "close"])
    func theEndOfTheClientEndsTheBody(way: String) throws {
        let server = try StreamingServer()
        let client = try HTTP2Client(port: server.port)
        try client.send(head(1, "/sum", [("content-length", "50000")]))
        try send(pattern(20_000), on: 1, client, ends: false)
        try client.settle()
        if way == "reset" {
            try client.send(HTTP2Frame(.resetStream, stream: 1, HTTP2Frame.number(8)))
        } else {
            client.raw.close()
        }
        #expect(server.handler.ends.next() == .some(nil))
    }

    @Test func anEarlyAnswerEndsTheStream() throws {
        let server = try StreamingServer()
        let client = try HTTP2Client(port: server.port)
        try client.send(head(1, "/early", [("content-length", "50000")]))
        try send(pattern(20_000), on: 1, client, ends: false)
        #expect(client.answer(1).status == "403")
        #expect(server.handler.ends.next() == .some(nil))
        try client.ask(3, "/small")
        #expect(client.answer(3).text == "whole 0")
    }

    /// An answer that breaks off while the body still comes ends its stream, once, and nothing else of the connection.
    @Test(arguments: [WireStep.Abort.breakOff, .resetStream(code: 2)], [true, false])
    func anAnswerThatBreaksOffEndsTheStream(_ ending: WireStep.Abort, comes: Bool) throws {
        let server = try StreamingServer()
        let client = try HTTP2Client(port: server.port)
        for id in stride(from: UInt32(1), to: 41, by: 4) {
            try client.send(head(id, "/held", [("content-length", "50000000")]))
            let stream = try #require(server.handler.bodies.next())
            let reply = try #require(server.handler.replies.next())
            server.handler.begin(stream)
            try client.send(HTTP2Frame(.data, stream: id, pattern(10_000)))
            _ = server.handler.pieces.next()
            var answer = ResponseHead(status: 200, reason: "OK")
            answer.add("Content-Length", "50")
            reply.send(script(.head(answer), .body(WireBytes(wire("hello"))), .abort(ending)))
            // What comes before the client knows.
            if comes { for _ in 0..<3 { try client.send(HTTP2Frame(.data, stream: id, pattern(10_000))) } }
            #expect(client.answer(id).end == .reset(2))
            #expect(client[id].text == "hello")
            #expect(server.handler.ends.next() == .some(nil))
            while server.handler.pieces.next(within: 0) != nil {}
            try client.ask(id + 2, "/small")
            #expect(client.answer(id + 2).text == "whole 0")
        }
    }

    /// The same where the stream is about to end for another reason, here a body beyond its window.
    @Test(arguments: [WireStep.Abort.breakOff, .resetStream(code: 2)])
    func aStreamThatEndsForTwoReasonsEndsOnce(_ ending: WireStep.Abort) throws {
        let server = try StreamingServer()
        for _ in 0..<3 {
            let client = try HTTP2Client(port: server.port)
            try client.send(head(1, "/held", [("content-length", "50000000")]))
            let reply = try #require(server.handler.replies.next())
            for _ in 0..<16 {
                client.wait { client in
                    client.others.contains { $0.kind == HTTP2Frame.Kind.windowUpdate.rawValue && $0.stream == 0 }
                }
                try client.send(HTTP2Frame(.data, stream: 1, pattern(16_384)))
            }
            try client.settle()
            server.handler.before.withLock { $0 = { reply.send(script(.abort(ending))) } }
            // One read has both.
            try client.send(HTTP2Frame(.data, stream: 1, [0]), HTTP2Client.head(3, "/small"))
            #expect(client.answer(3).text == "whole 0")
            #expect(client.answer(1).end != .open)
            for id in stride(from: UInt32(5), to: 25, by: 2) {
                try client.ask(id, "/small")
                #expect(client.answer(id).text == "whole 0")
            }
        }
    }

    @Test func aSilentClientIsRefused() throws {
        var limits = ServerLimits.streamed
        limits.bodyTimeout = 300
        let server = try StreamingServer(limits: limits)
        let client = try HTTP2Client(port: server.port)
        try client.send(head(1, "/sum", [("content-length", "50000")]))
        try send(pattern(1000), on: 1, client, ends: false)
        #expect(server.handler.ends.next() == .some(nil))
        #expect(server.handler.refusals.next() == "408")
        try client.ask(3, "/small")
        #expect(client.answer(3).text == "whole 0")
    }
}
