import SDCReactor
import SDCTestTransports
import SDPlatform
import SDTestSupport
import Testing

/// What a call is told of servers that answer, lie, break off or never end.
@Suite struct CallAnswerTests {
    private static let ok = "HTTP/1.1 200 OK\r\n"

    private static let cases: [(String, String)] = [
        (ok + "Content-Length: 5\r\n\r\nhello", "200 OK [Content-Length: 5] | <hello> | done"),
        (ok + "Content-Length: 5\r\n\r\nhello, you", "200 OK [Content-Length: 5] | <hello> | done"),
        (ok + "\r\nto the end", "200 OK | <to the end> | done"),
        (
            "HTTP/1.1 103 E\r\nLink: a\r\n\r\n" + ok
                + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-T: 1\r\n\r\n",
            "103 E [Link: a] | 200 OK [Transfer-Encoding: chunked] | <abc> | done [X-T: 1]"
        ),
        // A 100 that nobody has asked for is not told.
        ("HTTP/1.1 100 C\r\n\r\n" + ok + "Content-Length: 0\r\n\r\n", "200 OK [Content-Length: 0] | done"),
        ("HTTP/1.1 204 No\r\n\r\n", "204 No | done"),
        ("HTTP/1.1 304 No\r\nContent-Length: 5\r\n\r\n", "304 No [Content-Length: 5] | done"),
        ("HTTP/1.1 408 Late\r\nContent-Length: 0\r\n\r\n", "408 Late [Content-Length: 0] | done"),
        (
            ok + "Content-Length: 10\r\n\r\nabc",
            "200 OK [Content-Length: 10] | <abc> | failed: server closed the connection before the end of its answer: "
                + "the connection ended before the end of the body"
        ),
        (
            ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nab",
            "200 OK [Transfer-Encoding: chunked] | <ab> | failed: server closed the connection before the end of its "
                + "answer: the connection ended before the end of the body"
        ),
        (
            ok + "Transfer-Encoding: chunked\r\n\r\nzz\r\nab",
            "200 OK [Transfer-Encoding: chunked] | failed: server sent a body whose chunks are wrong: a chunk size is not "
                + "a hexadecimal number"
        ),
        (ok + "Content-Length: x\r\n\r\nabc", "failed: server sent what is no HTTP: Content-Length is not a number"),
        (
            ok + "Content-Length: 99999999999999999999\r\n\r\nabc",
            "failed: server sent what is no HTTP: Content-Length is not a number"
        ),
        (
            ok + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
            "failed: server sent what is no HTTP: several Content-Length headers differ"
        ),
        (ok + "X: y", "failed: server closed the connection before the end of its head"),
        (
            "220 mail.example ESMTP\r\n",
            "failed: server sent what is no HTTP: it begins with no status line of HTTP/1.0 or HTTP/1.1"
        ),
        (
            "HTTP/3.7 999999 what\r\n\r\n",
            "failed: server sent what is no HTTP: the supported HTTP versions are 1.0 and 1.1"
        ),
        ("", "failed: server closed the connection without an answer"),
        (
            ok + String(repeating: "a:b\r\n", count: 20_000) + "\r\n",
            "failed: server sent more header fields than 1 MiB, or 5000, in its answer"
        ),
        (
            ok + "X: " + String(repeating: "y", count: 2_000_000) + "\r\n\r\n",
            "failed: server sent more header fields than 1 MiB, or 5000, in its answer"
        ),
        (
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nabc",
            "failed: server switched to another protocol, which nobody had asked for"
        ),
        (
            "\0\0\0\u{4}\0\0\0\0\0",
            "failed: server speaks HTTP/2 alone: --proxy-http2 names the servers that are spoken to in it"
        ),
    ]

    @Test(arguments: cases.indices) func eachAnswerIsTold(index: Int) throws {
        let (answer, told) = Self.cases[index]
        let server = try answering(answer)
        let quota = CallHarness.Quota()
        let harness = CallHarness(quota)
        #expect(harness.get(server.port) == told)
        // Nothing is left of a connection that the server closes.
        #expect(quota.isClosed())
    }

    @Test(arguments: [false, true]) func resets(inTheMiddle: Bool) throws {
        let server = try RawServer { client, _ in
            _ = client.receive(until: "\r\n\r\n")
            if inTheMiddle { try client.send(Self.ok + "Content-Length: 10\r\n\r\nabc") }
            client.reset()
        }
        let text = CallHarness().get(server.port)
        let middle = inTheMiddle ? " in the middle of its answer" : ""
        #expect(text.hasSuffix("failed: server reset the connection\(middle): Connection reset by peer"), "\(text)")
    }

    @Test func silenceHasItsTime() throws {
        let silent = try RawServer { client, _ in _ = client.receiveAll() }
        let call = CallHarness.Call(silent.port) { $0.stall_timeout_ms = 60 }
        #expect(CallHarness().call(call) == "failed: server did not answer within 60 ms")
        let stalled = try answering(Self.ok + "Content-Length: 5\r\n\r\nhel", closing: false)
        let text = CallHarness().call(CallHarness.Call(stalled.port) { $0.stall_timeout_ms = 3_000 })
        #expect(
            text == "200 OK [Content-Length: 5] | <hel> | failed: server sent nothing more of its answer for 3000 ms")
    }

    /// A server that goes on, however slowly, is not given up.
    @Test func eachStepForwardHasItsTime() throws {
        let steps = Events<Int>()
        let server = try RawServer { client, _ in
            _ = client.receive(until: "\r\n\r\n")
            try client.send(Self.ok + "Content-Length: 6\r\n\r\n")
            while let step = steps.next() { try client.send("\(step)") }
        }
        let harness = CallHarness()
        let call = harness.start(CallHarness.Call(server.port) { $0.stall_timeout_ms = 5_000 })
        for step in 0..<6 {
            SystemCalls.pause(milliseconds: 1_000)
            steps.tell(step)
        }
        #expect(call.whole() == "200 OK [Content-Length: 6] | <012345> | done")
    }

    /// The body that is not read waits with the server, and no time passes for that meanwhile.
    @Test func aPausedAnswerWaitsWithTheServer() throws {
        let sent = Events<Int>()
        let size = 64 << 20
        let server = try RawServer { client, _ in
            _ = client.receive(until: "\r\n\r\n")
            try client.send(Self.ok + "Content-Length: \(size)\r\n\r\n")
            let piece = [UInt8](repeating: 0x61, count: 1 << 20)
            var count = 0
            while count < size {
                let now = try client.sendWithoutWaiting(piece)
                count += now
                if now == 0, !client.waitUntilSendable(milliseconds: 4_000) {
                    sent.tell(count)
                    _ = client.waitUntilSendable(milliseconds: 10_000)
                }
            }
            _ = client.receiveAll()
        }
        let harness = CallHarness()
        let call = harness.start(
            CallHarness.Call(server.port) {
                $0.pauses = true
                $0.stall_timeout_ms = 3_000
            })
        #expect(call.wait(for: "<"))
        let stuck = sent.next() ?? size
        #expect(stuck < 16 << 20)
        #expect(call.received <= 128 << 10)
        #expect(!call.text.contains("failed"))
        while call.received < size, !call.text.contains("failed") { call.read(true) }
        call.read(true)
        #expect(call.whole() == "200 OK [Content-Length: \(size)] | <\(size) bytes> | done")
    }

    /// One that is paused with its last byte is told its end all the same, once it reads on.
    @Test(arguments: [
        "Content-Length: 3\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", "\r\nabc",
    ])
    func theEndWaitsToo(answer: String) throws {
        let server = try answering(Self.ok + answer, closing: answer.hasPrefix("\r\n"))
        let call = CallHarness().start(CallHarness.Call(server.port) { $0.pauses = true })
        #expect(call.wait(for: "<abc"))
        call.read(true)
        #expect(call.whole().hasSuffix("| <abc> | done"))
    }

    /// A hundred thousand pieces take turns: jobs of the loop have theirs between them.
    @Test func manySmallChunksHoldNobodyUp() throws {
        let count = 100_000
        let server = try answering(
            Self.ok + "Transfer-Encoding: chunked\r\n\r\n" + String(repeating: "1\r\na\r\n", count: count) + "0\r\n\r\n"
        )
        let harness = CallHarness()
        let call = harness.start(CallHarness.Call(server.port))
        while call.received == 0 { _ = harness.connections }
        #expect(call.whole() == "200 OK [Transfer-Encoding: chunked] | <\(count) bytes> | done")
    }

    @Test func aCallThatIsCancelledIsNotToldItsEnd() throws {
        let gone = Events<RawClient.Ending>()
        let server = try RawServer { client, _ in
            _ = client.receive(until: "\r\n\r\n")
            try client.send(Self.ok + "Content-Length: 5\r\n\r\nhel")
            gone.tell(client.receiveAll().ending)
        }
        let quota = CallHarness.Quota()
        let harness = CallHarness(quota)
        let call = harness.start(CallHarness.Call(server.port))
        #expect(call.wait(for: "<hel"))
        call.cancel()
        #expect(gone.next() != .open)
        #expect(call.text == "200 OK [Content-Length: 5] | <hel")
        #expect(quota.open == 0)
    }

    /// The end of a loop, or of its caller, is told to all of its calls.
    @Test(arguments: [false, true]) func theEndOfALoopIsTold(ofTheCallerAlone: Bool) throws {
        let server = try RawServer { client, _ in
            _ = client.receive(until: "\r\n\r\n")
            _ = client.receiveAll()
        }
        let quota = CallHarness.Quota(connections: 2)
        let harness = CallHarness(quota)
        let calls = (0..<4).map { _ in harness.start(CallHarness.Call(server.port)) }
        if ofTheCallerAlone { harness.endCaller() } else { harness.stop() }
        for call in calls {
            #expect(call.text == "failed: the call to server was given up, since its loop has ended")
        }
        #expect(quota.open == 0 && quota.idle == 0)
        if ofTheCallerAlone { #expect(harness.get(server.port) == "not begun") }
    }
}
