import SDCReactor
import SDCTestTransports
import SDPlatform
import SDTestSupport
import Testing

/// A 101: from then on bytes of another protocol go both ways.
@Suite struct CallSwitchTests {
    private func switching(_ port: UInt16) -> CallHarness.Call { CallHarness.Call(port) { $0.may_switch = true } }

    private static let switched = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n"
    private static let told = "101 Switching Protocols [Upgrade: echo] [Connection: Upgrade]"

    /// Sends back what comes.
    private func echoing() throws -> RawServer {
        try RawServer { client, _ in
            _ = client.receive(until: "\r\n\r\n")
            try client.send(Self.switched)
            while case let received = client.receiveSome(), !received.bytes.isEmpty { try client.send(received.bytes) }
            try client.send("bye")
        }
    }

    @Test func tenThousandMessagesAreEchoed() throws {
        let server = try echoing()
        let quota = CallHarness.Quota()
        let call = CallHarness(quota).start(switching(server.port))
        #expect(call.wait(for: "101"))
        let message = [UInt8](repeating: 0x6d, count: 100)
        for number in 1...10_000 {
            call.send(message)
            while call.received < UInt64(max(number - 20, 0)) * 100 { SystemCalls.pause(milliseconds: 1) }
        }
        call.finish()
        #expect(call.whole() == Self.told + " | <1000003 bytes> | done")
        #expect(quota.open == 0)
    }

    /// Our side goes on when the server's has ended.
    @Test func eachSideEndsByItself() throws {
        let got = Events<RawClient.Received>()
        let server = try RawServer { client, _ in
            _ = client.receive(until: "\r\n\r\n")
            try client.send(Self.switched + "first words")
            client.finishSending()
            got.tell(client.receiveAll())
        }
        let call = CallHarness().start(switching(server.port))
        #expect(call.wait(for: "input ended"))
        #expect(call.send("abc"))
        #expect(call.send("def"))
        call.finish()
        #expect(got.next() == RawClient.Received(Array("abcdef".utf8), .fin))
        #expect(call.whole() == Self.told + " | <first words> | input ended | done")
    }

    /// What is switched may rest for as long as an answer may, unless its user does not read.
    @Test(arguments: [false, true]) func whatRestsForTooLongEnds(isPaused: Bool) throws {
        let server = try RawServer { client, _ in
            _ = client.receive(until: "\r\n\r\n")
            try client.send(Self.switched + "first words")
            _ = client.receiveAll()
        }
        let call = CallHarness().start(
            CallHarness.Call(server.port) { raw in
                raw.may_switch = true
                raw.stall_timeout_ms = 3_000
                raw.pauses = isPaused
            })
        let told = Self.told + " | <first words> | "
        guard isPaused else {
            return #expect(call.whole() == told + "failed: server sent nothing more of its answer for 3000 ms")
        }
        #expect(call.wait(for: "<first words"))
        SystemCalls.pause(milliseconds: 4_000)
        call.finish()
        call.read(true)
        #expect(call.whole() == told + "done")
    }

    /// The time begins when its user reads again, not when the loop last looked at the clock.
    @Test func theTimeBeginsWithReading() throws {
        let server = try RawServer { client, _ in
            _ = client.receive(until: "\r\n\r\n")
            try client.send(Self.switched + "first words")
            _ = client.receiveAll()
        }
        let call = CallHarness().start(
            CallHarness.Call(server.port) { raw in
                raw.may_switch = true
                raw.stall_timeout_ms = 1_000
                raw.pauses = true
            })
        #expect(call.wait(for: "<first words"))
        SystemCalls.pause(milliseconds: 1_800)
        let begin = ContinuousClock.now
        call.read(true)
        #expect(call.whole().hasSuffix("failed: server sent nothing more of its answer for 1000 ms"))
        #expect(ContinuousClock.now - begin >= .milliseconds(990))
    }

    /// What the server does not take waits with the one who sends.
    @Test func aSlowServerIsNotFlooded() throws {
        let goOn = Events<Bool>()
        let size = 32 << 20
        let server = try RawServer { client, _ in
            _ = client.receive(until: "\r\n\r\n")
            try client.send(Self.switched)
            _ = goOn.next()
            var left = size
            while left > 0 {
                let count = client.receive(min(left, 1 << 20)).bytes.count
                if count == 0 { return }
                left -= count
            }
            try client.send("all")
            _ = client.receiveAll()
        }
        let call = CallHarness().start(switching(server.port))
        #expect(call.wait(for: "101"))
        let piece = [UInt8](repeating: 0x61, count: 64 << 10)
        var sent = piece.count
        while call.send(piece) { sent += piece.count }
        #expect(sent < 16 << 20)
        #expect(!call.text.contains("wants"))
        goOn.tell(true)
        #expect(call.wait(for: "wants"))
        while sent < size {
            if call.send([]) {
                call.send(piece)
                sent += piece.count
            } else {
                SystemCalls.pause(milliseconds: 1)
            }
        }
        #expect(call.wait(for: "<all"))
        call.finish()
        #expect(call.whole() == Self.told + " | wants | <all> | done")
    }

    @Test func aResetIsTold() throws {
        let server = try RawServer { client, _ in
            _ = client.receive(until: "\r\n\r\n")
            try client.send(Self.switched + "abc")
            _ = client.receive(1)
            client.reset()
        }
        let call = CallHarness().start(switching(server.port))
        #expect(call.wait(for: "<abc"))
        call.send("x")
        #expect(
            call.whole() == Self.told
                + " | <abc> | failed: server reset the connection in the middle of its answer: Connection reset by peer"
        )
    }

    /// A server that does not want to switch answers as always, and the connection is kept.
    @Test func aServerMayRefuse() throws {
        let server = try answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno", closing: false)
        let quota = CallHarness.Quota()
        let harness = CallHarness(quota)
        #expect(harness.call(switching(server.port)) == "200 OK [Content-Length: 2] | <no> | done")
        #expect(quota.idle == 1)
    }
}
