import SDHTTPTransport
import SDRedis
import SDTestSupport
import Testing

/// Commands and their replies, as bytes.
@Suite struct CommandTests {
    @Test func commandsGoOutWithoutWaiting() throws {
        let sent = FakeRedis.command("SET", "a", "1") + FakeRedis.command("GET", "é\r\n") + FakeRedis.command("X", "")
        let server = try FakeRedis.greeting { client, _ in
            let received = client.receive(sent.utf8.count)
            try client.send(
                String(decoding: received.bytes, as: UTF8.self) == sent ? "+OK\r\n$0\r\n\r\n*-1\r\n" : "garbage\r\n")
            _ = client.receiveAll()
        }
        let caller = try RedisCaller(server.address)
        #expect(try caller.ready() == "Redis 7.0.0")
        let outcomes = [["SET", "a", "1"], ["GET", "é\r\n"], ["X", ""]].map { caller.start($0) }
        #expect(try outcomes.map { try $0.result().get() } == [.status("OK"), .bytes([]), .null])
    }

    @Test func aReplyComesByteByByte() throws {
        let reply = "*5\r\n$5\r\na\r\nbc\r\n:-12\r\n*2\r\n$-1\r\n*0\r\n-ERR no\r\n+fine\r\n:7\r\n"
        let server = try FakeRedis.greeting { client, _ in
            _ = client.receive(until: FakeRedis.command("A") + FakeRedis.command("B"))
            for byte in reply.utf8 {
                try client.send([byte])
                _ = client.receiveUntilQuiet(milliseconds: 1)
            }
            _ = client.receiveAll()
        }
        let caller = try RedisCaller(server.address)
        _ = try caller.ready()
        let outcomes = [caller.start(["A"]), caller.start(["B"])]
        #expect(
            try outcomes[0].result().get()
                == .array([
                    .bytes(Array("a\r\nbc".utf8)), .integer(-12), .array([.null, .array([])]), .error("ERR no"),
                    .status("fine"),
                ]))
        #expect(try outcomes[1].result().get() == .integer(7))
    }

    /// Whatever is logged or shown of a connection.
    @Test func thePasswordIsInNoText() throws {
        let server = try RawServer { client, number in
            _ = client.receive(until: FakeRedis.command("PING"))
            if number == 0 { try client.send("-WRONGPASS no hunter2 here: hunter2\r\n-NOAUTH\r\n-NOAUTH hunter2\r\n") }
            if number == 1 { try client.send("hunter2\r\n") }
            if number == 2 { try client.send("+OK\r\n+OK\r\n$0\r\n\r\n+PONG\r\n") }
            _ = client.receiveAll(within: 200)
        }
        let caller = try RedisCaller("redis://me:hunter2@127.0.0.1:\(server.port)") {
            $0.name = "sd"
            $0.connectTime = 20_000
        }
        let place = "redis://me:***@127.0.0.1:\(server.port)/0"
        let first = try caller.failure()
        #expect(first == RedisFailure(.refused, "\(place) refuses AUTH: WRONGPASS no *** here: ***"))
        guard case .failure(let failure) = try caller.start(["GET", "a"]).result() else { throw RedisCaller.Silence() }
        // Closed, where it has been ready a third time meanwhile.
        #expect([.unreachable, .closed].contains(failure.kind) && !failure.text.contains("hunter2"))
        for _ in 0..<3 { #expect(!(try caller.failure().text.contains("hunter2"))) }
    }

    @Test func theGreetingIsSentAtOnce() throws {
        let greeting = Events<String>()
        let server = try RawServer { client, _ in
            let received = client.receive(until: FakeRedis.command("PING"))
            greeting.tell(String(decoding: received.bytes, as: UTF8.self))
            try client.send("+OK\r\n-NOPERM no\r\n+OK\r\n-NOPERM no\r\n+PONG\r\n")
            _ = client.receiveAll()
        }
        let caller = try RedisCaller("redis://me:x@127.0.0.1:\(server.port)/3") { $0.name = "sd" }
        #expect(try caller.ready() == "Redis 6 or later")
        #expect(
            greeting.next()
                == FakeRedis.command("AUTH", "me", "x") + FakeRedis.command("CLIENT", "SETNAME", "sd")
                + FakeRedis.command("SELECT", "3") + FakeRedis.command("INFO", "server") + FakeRedis.command("PING"))
    }

    /// The time of one command costs no other: its reply is dropped when it comes.
    @Test func aCommandIsLate() throws {
        let server = try FakeRedis.greeting { client, _ in
            _ = client.receive(until: FakeRedis.command("SLOW") + FakeRedis.command("NEXT"))
            _ = client.receiveUntilQuiet(milliseconds: 3_000)
            try client.send("+slow\r\n+next\r\n")
            _ = client.receive(until: FakeRedis.command("LAST"))
            try client.send("+last\r\n")
            _ = client.receiveAll()
        }
        let caller = try RedisCaller(server.address) { $0.silence = 20_000 }
        _ = try caller.ready()
        let (slow, next) = (caller.start(["SLOW"], within: 50), caller.start(["NEXT"]))
        #expect(
            try slow.result() == .failure(RedisFailure(.timedOut, "\(server.address)/0 did not reply within 50 ms")))
        #expect(try next.result() == .success(.status("next")))
        #expect(try caller.call("LAST") == .status("last"))
        #expect(server.connections == 1)
    }

    /// A connection that is half open says nothing.
    @Test func aSilentServerIsLeft() throws {
        let server = try FakeRedis.greeting { client, number in
            if number > 0 {
                _ = client.receive(until: FakeRedis.command("A"))
                try client.send("+again\r\n")
            }
            _ = client.receiveAll()
        }
        let caller = try RedisCaller(server.address) { $0.silence = 3_000 }
        _ = try caller.ready()
        let outcomes = [
            caller.start(["A"], within: 100), caller.start(["A"], within: 250), caller.start(["B"], within: 60_000),
        ]
        // The third may wait for a minute, and so may the server; the first two have waited for long enough.
        #expect(try outcomes[0].result().failure?.kind == .timedOut)
        #expect(try outcomes[1].result().failure?.kind == .timedOut)
        let text = "\(server.address)/0 has sent nothing for 3000 ms, though it owes replies"
        #expect(try caller.failure() == RedisFailure(.timedOut, text))
        #expect(try outcomes[2].result() == .failure(RedisFailure(.closed, text)))
        _ = try caller.ready()
        #expect(try caller.call("A") == .status("again"))
    }

    @Test func aServerThatDoesNotAnswerAtAll() throws {
        let server = try RawServer { client, _ in _ = client.receiveAll() }
        let caller = try RedisCaller(server.address) { $0.connectTime = 100 }
        #expect(try caller.failure() == RedisFailure(.timedOut, "\(server.address)/0 did not answer within 100 ms"))
    }

    @Test func aServerThatDoesNotReadIsNotWrittenToWithoutEnd() throws {
        let server = try FakeRedis.greeting { client, _ in
            _ = client.receive(until: FakeRedis.command("GO"))
            _ = client.receiveUntilQuiet(milliseconds: 200)
            _ = client.receiveAll()
        }
        let caller = try RedisCaller(server.address) {
            $0.maxWaitingBytes = 1 << 20
            $0.silence = 60_000
        }
        _ = try caller.ready()
        let value = String(repeating: "x", count: 100_000)
        var full = 0
        for outcome in (0..<20).map({ _ in caller.start(["SET", "a", value], within: 500) }) {
            switch try outcome.result() {
            case .failure(let failure) where failure.kind == .full:
                #expect(failure.text == "more than 1048576 bytes of commands wait for \(server.address)/0")
                full += 1
            case .failure(let failure): #expect(failure.kind == .timedOut)
            case .success(let value): Issue.record("\(value)")
            }
        }
        #expect(full == 10)
    }

    @Test func commandsFailAtOnceWhileNobodyListens() throws {
        let port = TestPort.free()
        let caller = try RedisCaller("redis://127.0.0.1:\(port)")
        let failure = try caller.failure()
        #expect(
            failure == RedisFailure(.unreachable, "redis://127.0.0.1:\(port)/0 cannot be reached: Connection refused"))
        #expect(throws: failure) { try caller.call("GET", "a") }
        let missing = try RedisCaller("unix:///nowhere/x.sock").failure()
        #expect(
            missing == RedisFailure(.unreachable, "unix:///nowhere/x.sock cannot be reached: No such file or directory")
        )
        let unknown = try RedisCaller("redis://no-such-host.invalid").failure()
        #expect(unknown.kind == .unreachable && unknown.text.contains("no-such-host.invalid"), "\(unknown)")
    }

    @Test func aConnectionComesBack() throws {
        let server = try FakeRedis.greeting { client, number in
            _ = client.receive(until: FakeRedis.command("A"))
            if number < 3 { return }
            try client.send(":\(number)\r\n")
            _ = client.receiveAll()
        }
        let caller = try RedisCaller(server.address)
        for _ in 0..<3 {
            _ = try caller.ready()
            let outcome = caller.start(["A"])
            #expect(try outcome.result().failure?.kind == .closed)
            #expect(try caller.failure().kind == .closed)
        }
        _ = try caller.ready()
        #expect(try caller.call("A") == .integer(3))
    }

    /// What waits fails once, nothing is told any more, and nothing is left.
    @Test func whatIsClosedIsFreed() throws {
        let server = try FakeRedis.greeting { client, _ in _ = client.receiveAll() }
        var caller: RedisCaller? = try RedisCaller(server.address)
        weak let connection = caller?.connection
        _ = try caller?.ready()
        let waiting = try #require(caller?.start(["A"]))
        caller?.connection.close()
        #expect(try waiting.result().failure?.text == "the connection to \(server.address)/0 was closed")
        #expect(try caller?.start(["B"]).result().failure?.kind == .closed)
        #expect(caller?.states.next(within: 50) == nil)
        #expect(waiting.results.next(within: 0) == nil)
        caller = nil
        #expect(eventually { connection == nil ? true : nil } == true)
    }

    /// The loop ends with commands under way.
    @Test func theLoopEnds() throws {
        let server = try FakeRedis.greeting { client, _ in _ = client.receiveAll() }
        var caller: RedisCaller? = try RedisCaller(server.address)
        weak let connection = caller?.connection
        _ = try caller?.ready()
        let waiting = try #require(caller?.start(["A"]))
        caller?.server.server.stopAndWait()
        #expect(try waiting.result().failure?.kind == .closed)
        #expect(try caller?.start(["A"]).result().failure?.kind == .closed)
        caller = nil
        #expect(eventually { connection == nil ? true : nil } == true)
    }
}

extension Result {
    var failure: Failure? { if case .failure(let failure) = self { failure } else { nil } }
}
