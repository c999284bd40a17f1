import SDTestSupport

/// A server whose words a test writes: it answers the greeting, and then what the test says.
enum FakeRedis {
    static let info = "# Server\r\nredis_version:7.0.0\r\nrun_id:1\r\n"

    /// - Parameter serve: gets each connection behind the greeting, and its number.
    static func greeting(
        _ serve: @escaping @Sendable (RawClient, Int) throws -> Void
    ) throws -> RawServer {
        try RawServer { client, number in
            try greet(client)
            try serve(client, number)
        }
    }

    /// Answers INFO and PING.
    static func greet(_ client: RawClient, info: String = info) throws {
        _ = client.receive(until: command("PING"))
        try client.send("$\(info.utf8.count)\r\n\(info)\r\n+PONG\r\n")
    }

    /// A command as it is sent.
    static func command(_ words: String...) -> String {
        "*\(words.count)\r\n" + words.map { "$\($0.utf8.count)\r\n\($0)\r\n" }.joined()
    }
}

extension RawServer {
    var address: String { "redis://127.0.0.1:\(port)" }
}
