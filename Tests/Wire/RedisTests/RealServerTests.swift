import SDRedis
import SDTestSupport
import Testing

/// What a real server does.
@Suite(.enabled(if: RedisServer.program != nil, "there is no redis-server")) struct RealServerTests {
    @Test func commandsOnASocketAndOnAPort() throws {
        let server = try RedisServer(listens: true)
        let addresses = [
            "unix://\(server.socketPath)", "redis+unix://\(server.socketPath)?db=2",
            "redis://127.0.0.1:\(server.port)/1",
            "valkey://localhost:\(server.port)/3",
        ]
        for address in addresses {
            let caller = try RedisCaller(address)
            #expect(try caller.ready().hasPrefix("Redis "))
            #expect(try caller.call("SET", "a", "1") == .status("OK"))
            #expect(try caller.call("INCR", "a") == .integer(2))
            #expect(try caller.call("GET", "a") == .bytes(Array("2".utf8)))
            #expect(try caller.call("GET", "none") == .null)
            #expect(
                try caller.call("EVAL", "return {1, 'x', {}, false}", "0")
                    == .array([.integer(1), .bytes([0x78]), .array([]), .null]))
            #expect(try caller.call("NOPE").errorText?.hasPrefix("ERR unknown command") == true)
        }
    }

    @Test func passwordsAndUsers() throws {
        let server = try RedisServer([
            "--requirepass", "hunter2", "--user", "limited", "on", ">x", "~*", "+@all", "-@dangerous",
        ])
        let good = try RedisCaller("redis+unix://:hunter2@\(server.socketPath)") { $0.name = "stuntdouble" }
        _ = try good.ready()
        #expect(try good.call("CLIENT", "GETNAME").text == "stuntdouble")
        let limited = try RedisCaller("redis+unix://limited:x@\(server.socketPath)")
        #expect(try limited.ready() == "Redis 6 or later")

        let none = try RedisCaller("unix://\(server.socketPath)").failure()
        #expect(none.kind == .refused && none.text.contains("wants a password: NOAUTH"), "\(none)")
        let wrong = try RedisCaller("redis+unix://:hunter3@\(server.socketPath)").failure()
        #expect(wrong.kind == .refused && wrong.text.contains("refuses AUTH: WRONGPASS"), "\(wrong)")
        let far = try RedisCaller("redis+unix://:hunter2@\(server.socketPath)?db=99").failure()
        #expect(far.kind == .refused && far.text.contains("refuses SELECT 99: ERR DB index is out of range"), "\(far)")
    }

    @Test func overTLS() throws {
        let folder = try TemporaryFolder()
        try folder.write("ca.pem", TestCertificates.authority)
        try folder.write("cert.pem", TestCertificates.localhost)
        try folder.write("key.pem", TestCertificates.localhostKey)
        let port = TestPort.free()
        let file = { folder.path + "/" + $0 }
        let server: RedisServer
        do {
            server = try RedisServer([
                "--tls-port", String(port), "--tls-cert-file", file("cert.pem"), "--tls-key-file", file("key.pem"),
                "--tls-ca-cert-file", file("ca.pem"), "--tls-auth-clients", "no",
            ])
        } catch let failure as RedisServerFailure where failure.reason.contains("Bad directive") {
            try Test.cancel("redis-server was built without TLS")
        }
        _ = server
        for address in ["rediss://127.0.0.1:\(port)", "valkeys://localhost:\(port)/1"] {
            let caller = try RedisCaller(address) { $0.authorities = file("ca.pem") }
            _ = try caller.ready()
            let value = String(repeating: "x", count: 1_000_000)
            #expect(try caller.call("SET", "a", value) == .status("OK"))
            #expect(try caller.call("GET", "a").text == value)
        }
        let distrusted = try RedisCaller("rediss://localhost:\(port)").failure()
        #expect(distrusted.kind == .refused && distrusted.text.contains("is not trusted: "), "\(distrusted)")
        let unchecked = try RedisCaller("rediss://localhost:\(port)") { $0.checksCertificate = false }
        _ = try unchecked.ready()
        let missing = try RedisCaller("rediss://localhost:\(port)") { $0.authorities = file("none.pem") }.failure()
        #expect(missing.text.contains("the file of trusted authorities cannot be read"), "\(missing)")
        // One side alone speaks TLS.
        let plain = try RedisCaller("redis://localhost:\(port)").failure()
        #expect(plain.kind == .malformed || plain.kind == .closed, "\(plain)")
        let http = try TestServer()
        let other = try RedisCaller("rediss://127.0.0.1:\(http.port)").failure()
        #expect(other.kind == .unreachable && other.text.contains("cannot be called over TLS"), "\(other)")
    }

    @Test func aServerIsKilledAndComesBack() throws {
        let server = try RedisServer(listens: true)
        for address in ["unix://\(server.socketPath)", "redis://127.0.0.1:\(server.port)"] {
            let caller = try RedisCaller(address)
            _ = try caller.ready()
            server.kill()
            #expect(try caller.failure().kind == .closed)
            #expect(try caller.start(["GET", "a"]).result().failure?.kind == .unreachable)
            try server.restart()
            _ = try caller.ready()
            #expect(try caller.call("SET", "a", "1") == .status("OK"))
        }
    }

    @Test func aServerIsStopped() throws {
        let server = try RedisServer()
        let caller = try RedisCaller("unix://\(server.socketPath)")
        _ = try caller.ready()
        server.pause()
        #expect(try caller.start(["GET", "a"], within: 100).result().failure?.kind == .timedOut)
        server.resume()
        // The late reply belongs to the first, and the connection is the same.
        #expect(try caller.call("ECHO", "x").text == "x")
        server.pause()
        _ = caller.start(["GET", "a"], within: 100)
        #expect(try caller.failure().kind == .timedOut)
        server.resume()
        _ = try caller.ready()
        #expect(try caller.call("ECHO", "y").text == "y")
    }

    @Test func channels() throws {
        let server = try RedisServer()
        let messages = Events<String>()
        let reader = try RedisCaller("unix://\(server.socketPath)") { $0.silence = 5_000 }
        reader.connection.subscribe(["a", "b"]) { channel, payload in
            messages.tell(String(decoding: channel + [0x20] + payload, as: UTF8.self))
        }
        _ = try reader.ready()
        #expect(try reader.start(["GET", "a"]).result().failure?.kind == .refused)
        let writer = try RedisCaller("unix://\(server.socketPath)")
        _ = try writer.ready()
        #expect(try writer.call("PUBLISH", "a", "1") == .integer(1))
        #expect(try writer.call("PUBLISH", "c", "1") == .integer(0))
        #expect(try writer.call("PUBLISH", "b", "") == .integer(1))
        #expect([messages.next(), messages.next()] == ["a 1", "b "])
        // Beside a connection that is ready.
        reader.connection.subscribe(["c"]) { _, payload in messages.tell(String(decoding: payload, as: UTF8.self)) }
        #expect(eventually { try? writer.call("PUBLISH", "c", "2") == .integer(1) ? true : nil } == true)
        #expect(messages.next() == "2")

        server.kill()
        _ = try reader.failure()
        try server.restart()
        _ = try reader.ready()
        _ = try writer.ready()
        #expect(try writer.call("PUBLISH", "a", "3") == .integer(1))
        #expect(try writer.call("PUBLISH", "c", "4") == .integer(1))
        #expect([messages.next(), messages.next()] == ["a 3", "4"])

        // Nothing is told for longer than a server may be silent; a server that is stopped is found out.
        #expect(reader.states.next(within: 7_000) == nil)
        server.pause()
        #expect(try reader.failure().kind == .timedOut)
        server.resume()
        _ = try reader.ready()
    }

    @Test func aThousandCommandsFromManyThreads() throws {
        let server = try RedisServer()
        let caller = try RedisCaller("unix://\(server.socketPath)")
        _ = try caller.ready()
        let done = Events<Bool>()
        for thread in 0..<10 {
            runOnThread {
                let outcomes = (0..<1_000).map { caller.start(["ECHO", "\(thread).\($0)"]) }
                done.tell(outcomes.enumerated().allSatisfy { (try? $1.result().get().text) == "\(thread).\($0)" })
            }
        }
        for _ in 0..<10 { #expect(done.next() == true) }
    }
}
