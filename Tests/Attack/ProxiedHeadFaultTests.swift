import SDTestSupport
import Testing

/// Faults on answers of other servers that have more than one head, or none of their own behind it: 103 and 101.
@Suite struct ProxiedHeadFaultTests {
    private static let early = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"

    private static func daemon(_ port: UInt16, _ fault: String) throws -> Daemon {
        try Daemon(files: [
            "a.json": """
            {"request": {}, "response": {"proxyBaseUrl": "http://127.0.0.1:\(port)", "fault": \(fault)}}
            """
        ])
    }

    /// What the client gets first, and whether a 103 may come before the answer.
    @Test(
        arguments: [
            (#"{"cutAfter": "nothing"}"#, "", false), (#"{"cutAfter": "nothing", "then": "rst"}"#, "", false),
            (#"{"garbagePrefix": "noise"}"#, "noiseHTTP/1.1 200 OK\r\n", false),
            (#"{"cutAfter": "headers"}"#, "HTTP/1.1 200 OK\r\n", true),
            (#"{"duplicateHeader": "X-Own"}"#, "HTTP/1.1 200 OK\r\n", true),
            (#"{"slowClose": "10ms"}"#, "HTTP/1.1 200 OK\r\n", true),
        ])
    func whatComesFirstComesInFrontOf103(fault: String, first: String, isInformed: Bool) throws {
        let server = try RawServer { client, _ in
            _ = client.receive(until: "\r\n\r\n")
            for _ in 0..<2 { try client.send(Self.early) }
            try client.send("HTTP/1.1 200 OK\r\nX-Own: 1\r\nContent-Length: 2\r\n\r\nok")
            _ = client.receiveAll()
        }
        let daemon = try Self.daemon(server.port, fault)
        let client = try RawClient(port: daemon.port)
        try client.send("GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        let text = client.receiveAll(within: 10_000).text
        let expected = (isInformed ? Self.early + Self.early : "") + first
        #expect(first.isEmpty ? text.isEmpty : text.hasPrefix(expected), "\(text)")
    }

    /// A 101 has neither a length nor an end: what would change these leaves it as it is, and the other protocol begins.
    @Test(arguments: [
        #"{"wrongLength": 5}"#, #"{"wrongLength": -1}"#, #"{"slowClose": "10ms"}"#, #"{"dropTrailers": true}"#,
        #"{"cutAfter": 10}"#, #"{"corrupt": {"byte": 0}}"#, #"{"duplicateHeader": "X-Own"}"#,
    ])
    func aSwitchHasNoLengthAndNoEnd(fault: String) throws {
        let server = try RawServer { client, _ in
            _ = client.receive(until: "\r\n\r\n")
            try client.send(
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\nX-Own: 1\r\n\r\n")
            while case let some = client.receiveSome(within: 30_000), !some.bytes.isEmpty {
                try client.send(some.bytes)
            }
        }
        let daemon = try Self.daemon(server.port, fault)
        let client = try RawClient(port: daemon.port)
        try client.send("GET /x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
        let head = client.receive(until: "\r\n\r\n").text
        #expect(head.hasPrefix("HTTP/1.1 101 "), "\(head)\(daemon.process.errors)")
        let lower = head.lowercased()
        #expect(!lower.contains("content-length") && !lower.contains("connection: close"), "\(head)")
        for word in ["hello;", "again;"] {
            try client.send(word)
            #expect(client.receive(until: ";").text == word, "\(fault)")
        }
        client.finishSending()
        expectWire(client.receiveAll(), "", .fin)
    }
}
