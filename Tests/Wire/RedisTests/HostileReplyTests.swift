import SDRedis
import SDTestSupport
import Testing

/// What a server may send that is no reply, or too much of one.
@Suite struct HostileReplyTests {
    static let table: [(String, RedisFailure.Kind, String)] = [
        ("garbage\r\n", .malformed, "sent what is no reply"),
        ("\u{0}\u{1}\u{2}\r\n", .malformed, "sent what is no reply"),
        ("HTTP/1.1 400 Bad Request\r\n\r\n", .malformed, "sent what is no reply"),
        ("$9223372036854775807\r\n", .tooLarge, "it is larger than 1048576 bytes"),
        ("$99999999999999999999999999\r\n", .malformed, "sent what is no reply"),
        ("$1048577\r\n", .tooLarge, "it is larger than 1048576 bytes"),
        ("$-2\r\n", .malformed, "sent what is no reply"),
        ("$x\r\n", .malformed, "sent what is no reply"),
        ("*1000000000\r\n", .tooLarge, "it is larger than 1048576 bytes"),
        ("*2147483647\r\n", .tooLarge, "it is larger than 1048576 bytes"),
        ("*4294967297\r\n", .malformed, ""),
        ("*9223372036854775807\r\n", .malformed, ""),
        ("*-2\r\n", .malformed, "sent what is no reply"),
        (String(repeating: "*1\r\n", count: 8), .malformed, "sent what is no reply"),
        (String(repeating: "*1\r\n", count: 100_000), .malformed, "sent what is no reply"),
        (String(repeating: "*2\r\n:1\r\n", count: 100), .malformed, "sent what is no reply"),
        ("+" + String(repeating: "x", count: 100_000), .malformed, "a line without an end"),
        (":12a\r\n", .malformed, "sent what is no reply"),
        (":99999999999999999999\r\n", .malformed, "sent what is no reply"),
        // The types of RESP3.
        ("%1\r\n+a\r\n+b\r\n", .malformed, "sent what is no reply"),
        ("~1\r\n+a\r\n", .malformed, "sent what is no reply"),
        ("_\r\n", .malformed, "sent what is no reply"),
        ("#t\r\n", .malformed, "sent what is no reply"),
        (",1.5\r\n", .malformed, "sent what is no reply"),
        ("(123\r\n", .malformed, "sent what is no reply"),
        ("=5\r\ntxt:a\r\n", .malformed, "sent what is no reply"),
        (">1\r\n+a\r\n", .malformed, "sent what is no reply"),
        ("*1\r\n_\r\n", .malformed, "sent what is no reply"),
        // As much as is allowed, but not what it takes in memory.
        ("*60000\r\n", .tooLarge, "it is larger than 1048576 bytes"),
        ("+OK\r\n+OK\r\n", .malformed, "sent a reply that nobody asked for"),
    ]

    @Test(arguments: table.indices) func whatIsNoReplyEndsTheConnection(_ index: Int) throws {
        let (bytes, kind, text) = Self.table[index]
        let server = try FakeRedis.greeting { client, number in
            _ = client.receive(until: FakeRedis.command("GET", "a"))
            try client.send(number == 0 ? bytes : "+fine\r\n")
            _ = client.receiveAll()
        }
        let caller = try RedisCaller(server.address) { $0.maxReplyBytes = 1 << 20 }
        _ = try caller.ready()
        let outcome = caller.start(["GET", "a"])
        let failure = try caller.failure()
        #expect(failure.text.contains(text), "\(bytes.prefix(40).debugDescription): \(failure.text)")
        if !text.isEmpty { #expect(failure.kind == kind, "\(bytes.prefix(40).debugDescription): \(failure.text)") }
        #expect(
            failure.text.hasPrefix(
                failure.kind == .tooLarge ? "a reply of \(server.address)/0" : "\(server.address)/0 "))
        // The second +OK is what nobody asked for.
        if case .failure(let failure) = try outcome.result() {
            #expect(failure.kind == .closed)
        } else {
            #expect(bytes.hasPrefix("+OK"))
        }
        _ = try caller.ready()
        #expect(try caller.call("GET", "a") == .status("fine"))
    }

    /// The length of a bulk is believed until it is too much; without one, what comes is counted.
    @Test func anEndlessReply() throws {
        let server = try FakeRedis.greeting { client, _ in
            _ = client.receive(until: FakeRedis.command("GET", "a"))
            try client.send("*1000\r\n")
            let item = "$60000\r\n" + String(repeating: "x", count: 60_000) + "\r\n"
            while true { try client.send(item) }
        }
        let caller = try RedisCaller(server.address) { $0.maxReplyBytes = 1 << 20 }
        _ = try caller.ready()
        let outcome = caller.start(["GET", "a"])
        #expect(try caller.failure().kind == .tooLarge)
        #expect(throws: RedisFailure.self) { try outcome.result().get() }
    }

    @Test func theLargestReplyThatIsTaken() throws {
        let length = 1_000_000
        let server = try FakeRedis.greeting { client, _ in
            _ = client.receive(until: FakeRedis.command("GET", "a"))
            try client.send("$\(length)\r\n" + String(repeating: "x", count: length) + "\r\n")
            _ = client.receive(until: FakeRedis.command("GET", "b"))
            try client.send(
                "*20000\r\n" + String(repeating: "_", count: 0) + String(repeating: ":1\r\n", count: 20_000))
            _ = client.receiveAll()
        }
        let caller = try RedisCaller(server.address) { $0.maxReplyBytes = 1 << 20 }
        _ = try caller.ready()
        #expect(try caller.call("GET", "a").data?.count == length)
        #expect(try caller.call("GET", "b").list?.count == 20_000)
    }

    @Test func halfAReply() throws {
        for (bytes, number) in [("$5\r\nab", 0), ("*2\r\n:1\r\n", 1), (":", 2), ("", 3)] {
            let server = try FakeRedis.greeting { client, _ in
                _ = client.receive(until: FakeRedis.command("GET", "a"))
                try client.send(bytes)
            }
            let caller = try RedisCaller(server.address)
            _ = try caller.ready()
            let outcome = caller.start(["GET", "a"])
            #expect(
                try caller.failure() == RedisFailure(.closed, "\(server.address)/0 closed the connection"), "\(number)")
            #expect(throws: RedisFailure(.closed, "\(server.address)/0 closed the connection")) {
                try outcome.result().get()
            }
        }
    }

    static let strangers: [(String, RedisFailure.Kind, String)] = [
        ("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", .malformed, "; it speaks HTTP"),
        ("\u{15}\u{3}\u{3}\u{0}\u{2}\u{2}\u{16}", .malformed, "; it speaks TLS, which is rediss:// or valkeys://"),
        ("SSH-2.0-OpenSSH_9.2\r\n", .malformed, "sent what is no reply"),
        ("$3\r\nabc\r\n+PONG\r\n", .malformed, "does not say which version of Redis or Valkey it is"),
        (
            "$21\r\nredis_version:5.0.14\n\r\n+PONG\r\n", .refused,
            "is Redis 5.0.14; Redis 6 or later, or Valkey, is needed"
        ),
        (
            "-NOAUTH Authentication required.\r\n-NOAUTH x\r\n", .refused,
            "wants a password: NOAUTH Authentication required."
        ),
        ("$14\r\nredis_version:\r\n+PONG\r\n", .refused, "is Redis ; Redis 6 or later"),
        (
            "$19\r\nredis_version:7.0.0\r\n-LOADING Redis is loading the dataset in memory\r\n", .unreachable,
            "is not ready: LOADING Redis is loading the dataset in memory"
        ),
        ("", .closed, "closed the connection"),
    ]

    @Test(arguments: strangers.indices) func whatAnswersTheGreeting(_ index: Int) throws {
        let (bytes, kind, text) = Self.strangers[index]
        let server = try RawServer { client, _ in
            _ = client.receive(until: FakeRedis.command("PING"))
            try client.send(bytes)
            if !bytes.isEmpty { _ = client.receiveAll() }
        }
        let caller = try RedisCaller(server.address)
        let failure = try caller.failure()
        #expect(failure.kind == kind)
        #expect(failure.text.contains(text), "\(failure.text)")
    }

    @Test func valkeySaysItsOwnVersion() throws {
        let server = try RawServer { client, _ in
            try FakeRedis.greet(client, info: "redis_version:7.2.4\r\nserver_name:valkey\r\nvalkey_version:8.1.1\r\n")
            _ = client.receiveAll()
        }
        #expect(try RedisCaller(server.address).ready() == "Valkey 8.1.1")
    }
}
