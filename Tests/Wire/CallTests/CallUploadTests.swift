import SDCReactor
import SDCTestTransports
import SDPlatform
import SDTestSupport
import Testing

/// Bodies of requests, on their way while the answer comes.
@Suite struct CallUploadTests {
    private static let ok = "HTTP/1.1 200 OK\r\n"
    private static let done = ok + "Content-Length: 2\r\n\r\nhi"
    private static let toldDone = "200 OK [Content-Length: 2] | <hi> | done"

    /// A request whose body is sent piece by piece.
    private static func streaming(
        _ port: UInt16, length: UInt64? = nil, _ change: @escaping @Sendable (inout harness_call) -> Void = { _ in }
    ) -> CallHarness.Call {
        var call = CallHarness.Call(port) { raw in
            raw.streams = true
            raw.chunked = length == nil
            raw.length = length ?? 0
            change(&raw)
        }
        call.head =
            "POST / HTTP/1.1\r\nHost: a\r\n"
            + (length.map { "Content-Length: \($0)\r\n\r\n" } ?? "Transfer-Encoding: chunked\r\n\r\n")
        return call
    }

    @Test func chunksAreSentPieceByPiece() throws {
        let got = Events<String>()
        let server = try RawServer { client, _ in
            got.tell(client.receive(until: "\r\n\r\n").text)
            got.tell(client.receive(until: "3\r\nabc\r\n").text)
            got.tell(client.receive(until: "2\r\nde\r\n").text)
            got.tell(client.receive(until: "0\r\nX-T: 1\r\n\r\n").text)
            try client.send(Self.done)
        }
        let call = CallHarness().start(Self.streaming(server.port))
        #expect(got.next()?.hasSuffix("Transfer-Encoding: chunked\r\n\r\n") == true)
        #expect(call.wait(for: "wants"))
        #expect(call.send("abc"))
        #expect(got.next() == "3\r\nabc\r\n")
        #expect(call.send("de"))
        #expect(got.next() == "2\r\nde\r\n")
        call.finish("X-T: 1\r\n")
        #expect(got.next() == "0\r\nX-T: 1\r\n\r\n")
        #expect(call.whole() == "wants | " + Self.toldDone)
        #expect(!call.send("more"))
    }

    @Test func aBodyOfKnownLengthIsSentAsItIs() throws {
        let got = Events<String>()
        let server = try RawServer { client, _ in
            _ = client.receive(until: "\r\n\r\n")
            got.tell(client.receive(5).text)
            try client.send(Self.done)
            _ = client.receiveAll()
        }
        let quota = CallHarness.Quota()
        let call = CallHarness(quota).start(Self.streaming(server.port, length: 5))
        #expect(call.wait(for: "wants"))
        call.send("ab")
        call.send("cde")
        call.finish()
        #expect(got.next() == "abcde")
        #expect(call.whole() == "wants | " + Self.toldDone)
        #expect(quota.idle == 1)
    }

    /// One that has fewer bytes than it was to have, or more.
    @Test(arguments: ["ab", "abcdef"]) func aBodyOfAnotherLengthIsBroken(bytes: String) throws {
        let ended = Events<RawClient.Received>()
        let server = try RawServer { client, _ in
            _ = client.receive(until: "\r\n\r\n")
            ended.tell(client.receiveAll())
        }
        let call = CallHarness().start(Self.streaming(server.port, length: 5))
        #expect(call.wait(for: "wants"))
        call.send(bytes)
        call.finish()
        #expect(call.whole() == "wants | failed: the client left before the end of the body for server")
        let received = ended.next()
        #expect(received?.ending != .open && (received?.bytes.count ?? 9) < 5)
    }

    /// The answer to a request that is still being sent is its end, whatever becomes of the rest.
    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nearly", "HTTP/1.1 413 Too Large\r\nContent-Length: 5\r\n\r\nearly",
        "HTTP/1.1 413 Too Large\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nearly\r\n0\r\n\r\n",
    ]) func anEarlyAnswerIsTheEnd(answer: String) throws {
        let server = try RawServer { client, _ in
            _ = client.receive(until: "\r\n\r\n")
            _ = client.receive(1)
            try client.send(answer)
            _ = client.receiveAll()
        }
        let quota = CallHarness.Quota()
        let harness = CallHarness(quota)
        for length in [nil, 1_000_000] as [UInt64?] {
            let call = harness.start(Self.streaming(server.port, length: length))
            #expect(call.wait(for: "wants"))
            call.send([UInt8](repeating: 0x61, count: length == nil ? 1 : 500_000))
            let text = call.whole()
            #expect(text.hasSuffix("| <early> | done"), "\(text)")
            // What is left of the request makes the connection useless.
            #expect(quota.open == 0)
        }
        var whole = CallHarness.Call(server.port)
        whole.head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 30000000\r\n\r\n"
        whole.body = [UInt8](repeating: 0x61, count: 30_000_000)
        #expect(harness.call(whole).hasSuffix("| <early> | done"))
        #expect(quota.open == 0)
    }

    /// A server that refuses an upload answers and closes, and its system resets the connection when more of the upload comes.
    @Test func theAnswerOfAServerThatClosesIsRead() throws {
        let server = try RawServer { client, _ in
            _ = client.receive(until: "\r\n\r\n")
            try client.send("HTTP/1.1 413 Too Large\r\nContent-Length: 5\r\n\r\nearly")
        }
        let harness = CallHarness()
        for _ in 0..<20 {
            var call = CallHarness.Call(server.port)
            call.head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3000000\r\n\r\n"
            call.body = [UInt8](repeating: 0x61, count: 3_000_000)
            #expect(harness.call(call) == "413 Too Large [Content-Length: 5] | <early> | done")
        }
    }

    /// A server that breaks off while nothing more is sent ends the call.
    @Test(arguments: [
        ("", "failed: server closed the connection without an answer"),
        ("HTTP/1.1 200 OK\r\nConte", "failed: server closed the connection before the end of its head"),
        ("HTTP/1.1 200 OK\r\n\r\nwhole", "200 OK | <whole> | done"),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello",
            "200 OK [Content-Length: 50] | <hello> | failed: server closed the connection before the end of its answer: "
                + "the connection ended before the end of the body"
        ),
        ("HTTP/1.1 500 No\r\nContent-Length: 5\r\n\r\nhello", "500 No [Content-Length: 5] | <hello> | done"),
    ]) func aRestingUploadEndsWithItsServer(answer: String, told: String) throws {
        let server = try RawServer { client, _ in
            _ = client.receive(until: "1\r\na\r\n")
            try client.send(answer)
        }
        let call = CallHarness().start(Self.streaming(server.port) { $0.stall_timeout_ms = 30_000 })
        #expect(call.wait(for: "wants"))
        call.send("a")
        #expect(call.whole() == "wants | " + told)
        #expect(server.connections == 1)
    }

    /// A server that answers while the body rests is sent the rest.
    @Test func aServerThatStaysIsSentTheRest() throws {
        let server = try RawServer { client, _ in
            _ = client.receive(until: "1\r\na\r\n")
            try client.send(Self.ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
            _ = client.receive(until: "1\r\nb\r\n0\r\n\r\n")
            try client.send("0\r\n\r\n")
            _ = client.receiveAll()
        }
        let quota = CallHarness.Quota()
        let call = CallHarness(quota).start(Self.streaming(server.port))
        #expect(call.wait(for: "wants"))
        call.send("a")
        #expect(call.wait(for: "<hello"))
        call.send("b")
        call.finish()
        #expect(call.whole() == "wants | 200 OK [Transfer-Encoding: chunked] | <hello> | done")
        #expect(quota.idle == 1)
    }

    /// A user that rests is waited for, as long as the server has not begun to answer.
    @Test func aRestingUploadHasAllTime() throws {
        let server = try RawServer { client, _ in
            _ = client.receive(until: "0\r\n\r\n")
            try client.send(Self.done)
        }
        let call = CallHarness().start(Self.streaming(server.port) { $0.stall_timeout_ms = 3_000 })
        #expect(call.wait(for: "wants"))
        SystemCalls.pause(milliseconds: 4_000)
        call.send("a")
        call.finish()
        #expect(call.whole() == "wants | " + Self.toldDone)
    }

    @Test func aSlowServerIsNotFlooded() throws {
        let size = 64 << 20
        let goOn = Events<Bool>()
        let server = try RawServer { client, _ in
            _ = client.receive(until: "\r\n\r\n")
            _ = goOn.next()
            var left = size
            while left > 0 {
                let count = client.receive(min(left, 1 << 20)).bytes.count
                if count == 0 { return }
                left -= count
            }
            try client.send(Self.done)
        }
        let call = CallHarness().start(Self.streaming(server.port, length: UInt64(size)))
        #expect(call.wait(for: "wants"))
        let piece = [UInt8](repeating: 0x61, count: 64 << 10)
        var sent = 0
        while call.send(piece) { sent += piece.count }
        sent += piece.count
        #expect(sent < 16 << 20)
        goOn.tell(true)
        // Each piece waits until the one before it has left.
        while sent < size {
            if call.send([]) {
                call.send(piece)
                sent += piece.count
            } else {
                SystemCalls.pause(milliseconds: 1)
            }
        }
        call.finish()
        #expect(call.whole() == "wants | " + Self.toldDone)
    }

    // MARK: Expect: 100-continue

    @Test func theBodyWaitsForA100() throws {
        let got = Events<String>()
        let goOn = Events<Bool>()
        let server = try RawServer { client, _ in
            got.tell(client.receive(until: "\r\n\r\n").text)
            got.tell(client.receiveUntilQuiet(milliseconds: 50).text)
            try client.send("HTTP/1.1 100 Continue\r\n\r\n")
            got.tell(client.receive(3).text)
            try client.send(Self.done)
            _ = goOn.next()
        }
        let quota = CallHarness.Quota()
        let harness = CallHarness(quota)
        var call = CallHarness.Call(server.port) { raw in
            raw.expects_continue = true
            raw.continue_ms = 20_000
        }
        call.head = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n"
        call.body = Array("abc".utf8)
        #expect(harness.call(call) == "100 Continue | " + Self.toldDone)
        #expect(got.next()?.hasSuffix("\r\n\r\n") == true && got.next() == "" && got.next() == "abc")
        #expect(quota.idle == 1)
        let streamed = harness.start(
            Self.streaming(server.port, length: 3) { raw in
                raw.expects_continue = true
                raw.continue_ms = 20_000
                raw.fresh = true
            })
        #expect(streamed.wait(for: "100 Continue | wants"))
        streamed.send("abc")
        streamed.finish()
        #expect(streamed.whole() == "100 Continue | wants | " + Self.toldDone)
        goOn.tell(true)
        goOn.tell(true)
    }

    /// A server that says nothing is sent the body all the same, after a while.
    @Test func aServerThatSaysNothingGetsTheBody() throws {
        let server = try RawServer { client, _ in
            _ = client.receive(until: "\r\n\r\nabc")
            try client.send(Self.done)
        }
        var call = CallHarness.Call(server.port) { raw in
            raw.expects_continue = true
            raw.continue_ms = 50
        }
        call.head = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n"
        call.body = Array("abc".utf8)
        #expect(CallHarness().call(call) == Self.toldDone)
    }

    /// One that answers instead does not get it, and the connection ends.
    @Test(arguments: ["417 No", "200 OK"]) func aServerThatAnswersGetsNoBody(status: String) throws {
        let got = Events<RawClient.Received>()
        let server = try RawServer { client, _ in
            _ = client.receive(until: "\r\n\r\n")
            try client.send("HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n")
            got.tell(client.receiveAll())
        }
        let quota = CallHarness.Quota()
        var call = CallHarness.Call(server.port) { raw in
            raw.expects_continue = true
            raw.continue_ms = 20_000
        }
        call.head = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n"
        call.body = Array("abc".utf8)
        #expect(CallHarness(quota).call(call) == "\(status) [Content-Length: 0] | done")
        #expect(got.next() == RawClient.Received([], .fin))
        #expect(quota.open == 0)
    }
}
