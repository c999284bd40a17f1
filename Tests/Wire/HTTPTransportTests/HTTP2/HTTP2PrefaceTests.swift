import SDHTTPTransport
import SDTestSupport
import Testing

/// How a connection comes to speak HTTP/2.
@Suite struct HTTP2PrefaceTests {
    private static let settings = "HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n"
    private static let upgrade = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n" + settings

    @Test func thePrefaceMayComeInAnyPieces() throws {
        let server = try HTTP2Server()
        let client = try server.client(settings: nil)
        for byte in HTTP2Client.preface + HTTP2Client.settings([]).bytes + HTTP2Client.head(1, "/a").bytes {
            try client.raw.send([byte])
        }
        #expect(client.answer(1).text.hasPrefix("GET /a HTTP/2.0"))
    }

    @Test func theServerTellsItsLimits() throws {
        let server = try HTTP2Server()
        let client = try server.client()
        try client.settle()
        #expect(client.others.first == HTTP2Client.settings([(3, 20), (4, 262_144), (6, 4096)]))
    }

    @Test func aRequestMayUpgrade() throws {
        let server = try HTTP2Server()
        let request = "GET /a?b=c HTTP/1.1\r\nHost: a\r\n" + Self.upgrade + "\r\n"
        let client = try HTTP2Client(port: server.port, after: request)
        #expect(
            client.answer(1).text
                == "GET /a?b=c HTTP/1.1 keep\npath /a\nquery b=c\n[Host]=[a]\n[Connection]=[Upgrade, HTTP2-Settings]\n"
                + "[Upgrade]=[h2c]\n[HTTP2-Settings]=[AAMAAABkAAQCAAAAAAIAAAAA]")
        try client.ask(3, "/next")
        #expect(client.answer(3).text.hasPrefix("GET /next HTTP/2.0"))
    }

    @Test func aRequestWithABodyMayUpgrade() throws {
        let server = try HTTP2Server()
        let body = String(repeating: "a", count: 30_000)
        let request = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 30000\r\n" + Self.upgrade + "\r\n" + body
        let client = try HTTP2Client(port: server.port, after: request)
        #expect(client.answer(1).text.hasSuffix("body 30000 " + body))
    }

    /// Frames may stand right behind the request that upgrades.
    @Test func nothingBehindTheRequestIsLost() throws {
        let server = try HTTP2Server()
        let request = "GET /a HTTP/1.1\r\nHost: a\r\n" + Self.upgrade + "\r\n"
        let frames = HTTP2Client.preface + HTTP2Client.settings([]).bytes + HTTP2Client.head(3, "/b").bytes
        let client = try HTTP2Client(
            port: server.port, settings: nil, after: request + String(decoding: frames, as: UTF8.self))
        #expect(client.answer(1).text.hasPrefix("GET /a HTTP/1.1"))
        #expect(client.answer(3).text.hasPrefix("GET /b HTTP/2.0"))
    }

    @Test(arguments: [
        "Upgrade: websocket\r\n" + settings, "Upgrade: h2c\r\n", "Upgrade: h2c\r\nHTTP2-Settings: !\r\n",
        "Upgrade: h2c\r\n" + settings + settings, "Upgrade: h2\r\n" + settings,
    ])
    func anUpgradeThatIsNoneIsHTTP1(fields: String) throws {
        let server = try HTTP2Server { _ in script(answer("plain"), .end(.keepAlive)) }
        let client = try RawClient(port: server.port)
        try client.send(get("/", "Connection: Upgrade, HTTP2-Settings\r\n" + fields))
        expectWire(client.receive(answered("plain").count), answered("plain"), .open)
    }

    /// Connection names both fields, in whatever way, or they are none of the request's (RFC 7540 section 3.2.1).
    @Test(arguments: [
        "", "Connection: Upgrade\r\n", "Connection: HTTP2-Settings\r\n", "Connection: keep-alive, Upgrade\r\n",
        "Connection: Upgrade HTTP2-Settings\r\n", "Connection: Upgrade-HTTP2-Settings\r\n",
        "X-Connection: Upgrade, HTTP2-Settings\r\n",
    ])
    func anUpgradeThatConnectionDoesNotNameIsHTTP1(connection: String) throws {
        let server = try HTTP2Server { _ in script(answer("plain"), .end(.keepAlive)) }
        let client = try RawClient(port: server.port)
        try client.send(get("/", connection + "Upgrade: h2c\r\n" + Self.settings))
        expectWire(client.receive(answered("plain").count), answered("plain"), .open)
    }

    @Test(arguments: ["", "Connection: keep-alive\r\n"])
    func anUpgradeOfHTTP10IsNone(connection: String) throws {
        let server = try HTTP2Server { _ in script(answer("plain"), .end(.keepAlive)) }
        let client = try RawClient(port: server.port)
        try client.send("GET / HTTP/1.0\r\nHost: a\r\n" + connection + Self.upgrade + "\r\n")
        if connection.isEmpty {
            expectWire(client.receiveAll(), answered("plain"), .fin)
        } else {
            expectWire(client.receive(answered("plain").count), answered("plain"), .open)
        }
    }

    @Test(arguments: [
        "CONNECTION: http2-settings\r\nConnection: upgrade\r\n", "Connection: HTTP2-Settings , keep-alive,Upgrade\r\n",
    ])
    func connectionMayNameTheFieldsInAnyWay(connection: String) throws {
        let server = try HTTP2Server()
        let request = "GET /a HTTP/1.1\r\nHost: a\r\n" + connection + "Upgrade: h2c\r\n" + Self.settings + "\r\n"
        let client = try HTTP2Client(port: server.port, after: request)
        #expect(client.answer(1).text.hasPrefix("GET /a HTTP/1.1"))
    }

    @Test func aServerWithoutPlainHTTP2AnswersInHTTP1() throws {
        var limits = ServerLimits.http2
        limits.plainHTTP2 = false
        let server = try HTTP2Server(limits: limits) { _ in script(answer("plain"), .end(.keepAlive)) }
        let client = try RawClient(port: server.port)
        try client.send(get("/", Self.upgrade))
        expectWire(client.receive(answered("plain").count), answered("plain"), .open)
        let other = try RawClient(port: server.port)
        try other.send(HTTP2Client.preface + HTTP2Client.settings([]).bytes)
        let received = other.receiveAll()
        #expect(received.text.hasPrefix("HTTP/1.1 505 HTTP Version Not Supported\r\n"))
        #expect(received.text.hasSuffix("\r\n\r\nHTTP/2 without TLS is switched off\n"))
        #expect(server.handler.refusals.next() == "505 HTTP/2 without TLS is switched off")
    }

    @Test func thePrefaceBehindARequestIsNone() throws {
        let server = try HTTP2Server { _ in script(answer("plain"), .end(.keepAlive)) }
        let client = try RawClient(port: server.port)
        try client.send(wire(get("/")) + HTTP2Client.preface)
        let received = client.receiveAll()
        #expect(received.text.contains("HTTP/1.1 505 HTTP Version Not Supported\r\n"))
    }

    @Test func aPrefaceThatGoesOnDifferentlyEndsTheConnection() throws {
        let server = try HTTP2Server()
        let client = try server.client(settings: nil)
        try client.raw.send("PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n")
        client.receiveAll()
        #expect(client.goAway?.code == 1)
        #expect(server.handler.troubles.next()?.contains("127.0.0.1:") == true)
    }

    @Test func aServerMayGreetWithoutSettings() throws {
        let server = try HTTP2Server(preface: .noSettings)
        let client = try server.client()
        try client.ask(1, "/a")
        client.wait(within: 100) { _ in false }
        #expect(client.others.isEmpty && client.streams.isEmpty && client.ending == .open)
    }

    @Test func aServerMayGreetWithGarbage() throws {
        let server = try HTTP2Server(preface: .garbage)
        let client = try server.client()
        client.receiveAll()
        #expect(String(decoding: client.rest, as: UTF8.self) == "lskdu018973t09sylgasjkfg1][]'./.sdlv")
        #expect(client.ending == .fin)
    }
}
