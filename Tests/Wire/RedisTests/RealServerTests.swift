import SDRedis
import SDTestSupport
import Testing

/// What a real server does.
@Suite(.enabled(if: RedisServer.program != nil, "there is no redis-server")) struct RealServerTests {
    @Test func commandsOnASocketAndOnAPort() throws {
        let server = try RedisServer(listens: true)
        for address in [
            "unix://\(server.socketPath)", "redis://127.0.0.1:\(server.port)/1", "valkey://localhost:\(server.port)",
        ] {
            let caller = try RedisCaller(address)
            #expect(try caller.ready().hasPrefix("Redis "))
            #expect(try caller.call("SET", "a", "1") == .status("OK"))
            #expect(try caller.call("INCR", "a") == .integer(2))
            #expect(try caller.call("GET", "a") == .bytes(Array("2".utf8)))
            #expect(try caller.call("GET", "none") == .null)
            #expect(
                try caller.call("EVAL", "return {1, 'x', {}, false}", "0")
                    == .array([.integer(1), .bytes([0x78]), .array([]), .null]))
            guard case .error(let text) = try caller.call("NOPE") else { throw RedisCaller.Silence() }
            #expect(text.hasPrefix("ERR unknown command"))
        }
    }
}
