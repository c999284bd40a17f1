import SDJSON
import SDTestSupport
import Testing

/// CONNECT requests that become no tunnel: each has an answer at once, whatever else it says or sends.
@Suite(.timeLimit(.minutes(30))) struct ConnectWithoutTunnelTests {
    private static let files = ["a.json": #"{"request": {"url": "/a"}, "response": {"body": "a"}}"#]

    /// A request with a body, whole, in part or not at all, is refused by its head, and nothing behind it is a request.
    @Test(arguments: [
        "Content-Length: 5\r\n\r\n", "Content-Length: 5\r\n\r\nabc", "Content-Length: 5\r\n\r\nabcde",
        "Content-Length: 99999999999\r\n\r\n", "Content-Length: 5\r\nExpect: 100-continue\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n5\r\nab", "Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /a HTTP/1.1\r\nHost: a\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n0\r\na: b\r\n\r\nGET /a HTTP/1.1\r\nHost: a\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\nzz\r\nGET /a HTTP/1.1\r\nHost: a\r\n\r\n",
        "Content-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /a HTTP/1.1\r\nHost: a\r\n\r\n",
    ])
    func aBodyIsRefused(rest: String) throws {
        let target = try RawServer { connection, _ in _ = connection.receiveAll() }
        for option in ["--forward-proxy", "--enable-browser-proxying"] {
            let proxy = try Daemon(files: Self.files, [option])
            let client = try RawClient(port: proxy.port)
            let place = "127.0.0.1:\(target.port)"
            try client.send("CONNECT \(place) HTTP/1.1\r\nHost: \(place)\r\n\(rest)")
            let received = client.receiveAll(within: 30_000)
            #expect(received.text.hasPrefix("HTTP/1.1 400 "), "\(received.text)")
            #expect(!received.text.dropFirst(9).contains("HTTP/1.1"), "\(received.text)")
            #expect(received.ending == .fin, "\(received)")
        }
        #expect(target.connections == 0)
    }

    @Test func aLengthOfZeroIsNoBody() throws {
        let target = try RawServer { connection, _ in try connection.send("hello") }
        let proxy = try Daemon(files: Self.files, ["--forward-proxy"])
        let client = try RawClient(port: proxy.port)
        try client.send("CONNECT 127.0.0.1:\(target.port) HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
        #expect(client.receive(until: "hello").text.hasSuffix("established\r\n\r\nhello"))
    }

    /// Bytes that a client sends in the hope of a tunnel are no request where there is none.
    @Test(arguments: [["--no-upstream"], ["--deny-proxy-targets", "127.0.0.1"]])
    func whatFollowsARefusalIsNoRequest(options: [String]) throws {
        let proxy = try Daemon(files: Self.files, ["--forward-proxy"] + options)
        let client = try RawClient(port: proxy.port)
        try client.send(
            "CONNECT 127.0.0.1:1 HTTP/1.1\r\nHost: a\r\n\r\nGET /a HTTP/1.1\r\nHost: a\r\n\r\n")
        let received = client.receiveAll(within: 30_000)
        #expect(received.text.hasPrefix("HTTP/1.1 502 "))
        #expect(!received.text.dropFirst(9).contains("HTTP/1.1"), "\(received.text)")
    }

    /// To a daemon that is no proxy CONNECT is a request that nothing answers but a stub that names it, and whose client is told the
    /// option, whatever else the stubs answer or send on.
    @Test(arguments: ["ANY /**: { body: hello }", "GET /a: { body: a }", ""], [false, true])
    func withoutAProxyItIsToldTheOption(stub: String, passesThrough: Bool) throws {
        let target = try RawServer { connection, _ in
            _ = connection.receive(until: "\r\n\r\n")
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        let url = "http://127.0.0.1:\(target.port)"
        let daemon = try Daemon(files: ["a.yaml": stub], passesThrough ? ["--pass-through", url] : [])
        let client = try RawClient(port: daemon.port)
        try client.send("CONNECT a.example:443 HTTP/1.1\r\nHost: a\r\n\r\nGET /a HTTP/1.1\r\nHost: a\r\n\r\n")
        let received = client.receiveAll(within: 30_000)
        #expect(received.text.hasPrefix("HTTP/1.1 404 ") && received.ending == .fin, "\(received)")
        #expect(received.text.contains("It asks for a tunnel to a.example:443: start with --forward-proxy"))
        #expect(!received.text.dropFirst(9).contains("HTTP/1.1"), "\(received.text)")
        #expect(target.connections == 0)
        let report = try daemon.admin("GET", "/report?fail=unmatched")
        #expect(report.json?["verdict"] == "failed", "\(report.text)")
    }

    @Test func aStubThatNamesItAnswers() throws {
        let refusal = #"{"request": {"method": "CONNECT"}, "response": {"status": 407}}"#
        let all = #"{"priority": 1, "request": {"method": "ANY"}, "response": {"body": "all"}}"#
        let daemon = try Daemon(files: ["a.json": refusal, "b.json": all])
        let client = try RawClient(port: daemon.port)
        try client.send("CONNECT a.example:443 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(client.receive(until: "\r\n\r\n").text.hasPrefix("HTTP/1.1 407 "))
    }

    @Test(arguments: [
        "/", "*", "a", "a:", "a:x", "a:0", "a:65536", "http://a.example:443/", "[::1%25lo]:443", "a%2e:1",
    ])
    func targetsThatAreNoHostWithAPort(target: String) throws {
        let proxy = try Daemon(files: Self.files, ["--forward-proxy"])
        let client = try RawClient(port: proxy.port)
        try client.send("CONNECT \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(client.receiveAll(within: 30_000).text.hasPrefix("HTTP/1.1 400 "))
    }

    // MARK: HTTP/2

    /// A frame.
    private static func frame(_ kind: UInt8, _ flags: UInt8, stream: UInt8, _ payload: [UInt8] = []) -> [UInt8] {
        [0, UInt8(payload.count >> 8), UInt8(payload.count & 255), kind, flags, 0, 0, 0, stream] + payload
    }

    private static func literal(_ name: String, _ value: String) -> [UInt8] {
        [0, UInt8(name.utf8.count)] + Array(name.utf8) + [UInt8(value.utf8.count)] + Array(value.utf8)
    }

    /// Over HTTP/2 there are no tunnels: the answer says so, and has an end; without a proxy it is that of any request.
    @Test(arguments: [["--forward-proxy"], ["--enable-browser-proxying"], []])
    func connectInHTTP2(options: [String]) throws {
        let proxy = try Daemon(files: Self.files, options)
        let client = try RawClient(port: proxy.port)
        let head = Self.literal(":method", "CONNECT") + Self.literal(":authority", "127.0.0.1:1")
        try client.send(
            Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + Self.frame(4, 0, stream: 0)
                + Self.frame(1, 4, stream: 1, head)
                + Self.frame(0, 0, stream: 1, Array("hello".utf8)))
        // The last frame of the stream is RST_STREAM with NO_ERROR: the client shall send no more.
        let end = Self.frame(3, 0, stream: 1, [0, 0, 0, 0])
        let text = String(decoding: end, as: UTF8.self)
        let received = client.receive(until: text, within: 30_000)
        #expect(received.bytes.suffix(end.count).elementsEqual(end), "\(received)")
        let says = String(decoding: received.bytes, as: UTF8.self)
        #expect(says.contains("CONNECT is answered in HTTP/1.1 only") == !options.isEmpty)
        try client.send(
            Self.frame(
                1, 5, stream: 3,
                Self.literal(":method", "GET") + Self.literal(":scheme", "http") + Self.literal(":authority", "a")
                    + Self.literal(":path", "/a")))
        let next = Self.frame(0, 1, stream: 3, Array("a".utf8))
        #expect(
            client.receive(until: String(decoding: next, as: UTF8.self), within: 30_000).bytes.suffix(10).elementsEqual(
                next))
    }
}
