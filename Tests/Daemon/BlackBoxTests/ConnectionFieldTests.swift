import SDTestSupport
import Testing

/// Fields that belong to one connection stay there, in requests and in answers (RFC 9110, 7.6.1).
@Suite struct ConnectionFieldTests {
    private static let ways: [CallWay] = [.stub, .passThrough, .proxyAll, .forwardProxy, .record]

    /// The names of the fields of a message, in lower case.
    private static func names(_ head: String) -> Set<String> {
        Set(head.split(separator: "\r\n").dropFirst().map { $0.prefix { $0 != ":" }.lowercased() })
    }

    private static func url(_ daemon: CallingDaemon) -> String {
        daemon.way == .forwardProxy ? daemon.target.origin + "/a" : "/a"
    }

    @Test(arguments: ways) func theyDoNotGoOn(way: CallWay) throws {
        let target = try CountingTarget { client, _, _ in
            try client.send(CountingTarget.ok)
            return true
        }
        let daemon = try CallingDaemon(way, target)
        let fields = [
            "Proxy-Authorization: Basic c2VjcmV0", "TE: trailers, gzip", "Trailer: X-T", "Keep-Alive: timeout=5",
            "Proxy-Connection: keep-alive", "Upgrade: x/1", "HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA",
            "CONNECTION: x-one ,X-Two", "connection: x-three, close", "X-One: 1", "x-two: 2", "X-Three: 3", "X-Kept: k",
            "Proxy-Authenticate: x", "Proxy-Authentication-Info: y",
        ]
        let client = try daemon.client()
        try client.send(
            "GET \(Self.url(daemon)) HTTP/1.1\r\nHost: a\r\n" + fields.joined(separator: "\r\n") + "\r\n\r\n")
        #expect(client.receiveAll().text.hasSuffix("ok"))
        let head = try #require(target.requests.first?.head)
        let agent: Set<String> = way == .forwardProxy ? [] : ["user-agent"]
        #expect(Self.names(head) == agent.union(["host", "x-kept", "connection", "stunt-double-hop"]), "\(head)")
        #expect(target.requests.first?.values("connection") == ["keep-alive"])
    }

    @Test(arguments: ways) func theyDoNotComeBack(way: CallWay) throws {
        let fields = [
            "Proxy-Authenticate: Basic realm=x", "Proxy-Authentication-Info: y", "Keep-Alive: timeout=5", "TE: q",
            "Trailer: X-T", "Proxy-Connection: keep-alive", "Upgrade: h2,h2c", "Connection: Upgrade, X-One", "X-One: 1",
            "connection: x-two", "X-TWO: 2", "X-Kept: k", "Content-Length: 2",
        ]
        let target = try CountingTarget { client, _, _ in
            try client.send("HTTP/1.1 200 OK\r\n" + fields.joined(separator: "\r\n") + "\r\n\r\nok")
            return true
        }
        let daemon = try CallingDaemon(way, target)
        let client = try daemon.client()
        try client.send("GET \(Self.url(daemon)) HTTP/1.1\r\nHost: a\r\n\r\n")
        let head = client.receive(until: "\r\n\r\n").text
        #expect(Self.names(head).subtracting(["matched-stub-id"]) == ["x-kept", "content-length"], "\(head)")
    }

    /// Trailers pass in chunks, and with them what announces them; but none that would change how the message is read.
    @Test(arguments: ways, [3, 2_000_000]) func trailersPass(way: CallWay, size: Int) throws {
        let target = try CountingTarget { client, _, _ in
            try client.send(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n2\r\nok\r\n0\r\nX-T: 1\r\n"
                    + "Connection: close\r\nProxy-Authenticate: x\r\n\r\n")
            return true
        }
        let daemon = try CallingDaemon(way, target)
        let client = try daemon.client()
        let body = [UInt8](repeating: 0x61, count: size)
        try client.send(
            wire(
                "POST \(Self.url(daemon)) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTrailer: X-Last\r\n\r\n"
                    + String(size, radix: 16) + "\r\n") + body
                + wire("\r\n0\r\nX-Last: 1\r\nProxy-Authorization: x\r\nConnection: y\r\n\r\n"))
        let answer = client.receive(until: "0\r\nX-T: 1\r\n\r\n").text
        #expect(answer.hasSuffix("\r\n0\r\nX-T: 1\r\n\r\n"), "\(answer)")
        #expect(answer.contains("\r\nTrailer: X-T\r\n"))
        let request = try #require(target.requests.first)
        #expect(request.values("trailer") == ["X-Last"])
        #expect(request.rest.hasSuffix("\r\n0\r\nX-Last: 1\r\n\r\n"), "\(request.rest.suffix(200))")
    }

    /// Framing in trailers contradicts that of the head: the answer is broken off.
    @Test(arguments: ways, ["Content-Length: 7", "Transfer-Encoding: chunked"])
    func framingInTrailersBreaksTheAnswerOff(way: CallWay, field: String) throws {
        let target = try CountingTarget { client, _, _ in
            try client.send(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\(field)\r\n\r\n")
            return true
        }
        let daemon = try CallingDaemon(way, target)
        let client = try daemon.client()
        try client.send("GET \(Self.url(daemon)) HTTP/1.1\r\nHost: a\r\n\r\n")
        let answer = client.receiveAll()
        #expect(answer.ending != .open && !answer.text.contains("\r\n0\r\n"), "\(answer)")
    }

    @Test(arguments: [("User-Agent: me/1\r\n", ["me/1"]), ("", []), ("user-agent: a\r\n", ["a"])])
    func theForwardProxySendsTheClientsName(field: String, sent: [String]) throws {
        let target = try CountingTarget { client, _, _ in
            try client.send(CountingTarget.ok)
            return true
        }
        let daemon = try CallingDaemon(.forwardProxy, target)
        let client = try daemon.client()
        try client.send("GET \(target.origin)/a HTTP/1.1\r\nHost: a\r\n\(field)\r\n")
        #expect(client.receive(until: "\r\n\r\nok").text.hasSuffix("ok"))
        #expect(target.requests.first?.values("user-agent") == sent)
    }
}
