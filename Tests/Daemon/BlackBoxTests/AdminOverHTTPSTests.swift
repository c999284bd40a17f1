import SDJSON
import SDTestSupport
import Testing

/// `--admin-api-require-https`: what counts is how the request came, not what it says.
@Suite(.timeLimit(.minutes(30))) struct AdminOverHTTPSTests {
    private static let options = ["--https-port", "0", "--admin-api-require-https"]
    private static let refusal = "HTTPS is required for accessing the admin API"

    private static func send(_ text: String, to daemon: Daemon) throws -> HTTPAnswer {
        let client = try RawClient(port: daemon.port)
        try client.send(text)
        return try #require(HTTPAnswer(client.receiveAll(within: 30_000).bytes))
    }

    @Test(arguments: [
        [], ["--forward-proxy"], ["--enable-browser-proxying"], ["--trust-all-proxy-targets", "--forward-proxy"],
    ])
    func plainRequestsThatSayTheyAreHTTPS(more: [String]) throws {
        let daemon = try SecuredDaemon(Self.options + more).daemon
        let port = daemon.port
        let secured = try #require(daemon.ready["httpsPort"]?.intValue)
        let targets = [
            "/__admin/health", "https://localhost/__admin/health", "HTTPS://localhost/__admin/health",
            "https://localhost:\(port)/__admin/health", "https://localhost:\(secured)/__admin/health",
            "https://127.0.0.1:\(secured)/__admin/health",
            "https://[::1]:\(secured)/__admin/health", "http://localhost:\(port)/__admin/health",
            "https://a.localhost/__admin/health", "https://localhost/__admin", "https://localhost/__admin/health#a",
            "https://localhost/__admin/mappings?a=https://b", "https://localhost:443/__admin/sessions",
            "https://localhost/__session/x/__admin/health",
        ]
        let fields = [
            "", "X-Forwarded-Proto: https\r\n", "Forwarded: proto=https\r\n", "X-Forwarded-Ssl: on\r\n",
            "Front-End-Https: on\r\n", "X-Forwarded-Scheme: https\r\n",
        ]
        for target in targets {
            for field in fields where field.isEmpty || target == targets[0] || target == targets[1] {
                let answer = try Self.send(
                    "GET \(target) HTTP/1.1\r\nHost: localhost\r\n\(field)Connection: close\r\n\r\n", to: daemon)
                #expect(answer.status == 403, "\(target) \(field): \(answer.status) \(answer.text)")
                #expect(answer.text.contains(Self.refusal), "\(target) \(field): \(answer.text)")
            }
        }
        let changes = try Self.send(
            "POST https://localhost/__admin/reset HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            to: daemon)
        #expect(changes.status == 403)
    }

    /// In HTTP/2 the scheme is what the client writes, too.
    @Test func theSchemeOfHTTP2SaysNothing() throws {
        let secured = try SecuredDaemon(Self.options)
        let port = secured.daemon.port
        func literal(_ name: String, _ value: String) -> [UInt8] {
            [0, UInt8(name.utf8.count)] + Array(name.utf8) + [UInt8(value.utf8.count)] + Array(value.utf8)
        }
        let head =
            literal(":method", "GET") + literal(":scheme", "https") + literal(":authority", "localhost:\(port)")
            + literal(":path", "/__admin/health")
        let client = try RawClient(port: port)
        try client.send(
            Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0]
                + [0, 0, UInt8(head.count), 1, 5, 0, 0, 0, 1] + head)
        #expect(client.receive(until: Self.refusal, within: 30_000).text.hasSuffix(Self.refusal))
    }

    /// Within a tunnel that is opened here it is TLS that counts.
    @Test func tunnels() throws {
        let secured = try SecuredDaemon(Self.options + ["--forward-proxy"])
        let place = "localhost:\(secured.daemon.port)"
        let plain = try RawClient(port: secured.daemon.port)
        try plain.send("CONNECT \(place) HTTP/1.1\r\nHost: \(place)\r\n\r\n")
        #expect(plain.receive(until: "\r\n\r\n").text.hasPrefix("HTTP/1.1 200 "))
        try plain.send("GET https://\(place)/__admin/health HTTP/1.1\r\nHost: \(place)\r\nConnection: close\r\n\r\n")
        #expect(plain.receiveAll().text.contains(Self.refusal))
        let client = try TLSClient(port: secured.daemon.port)
        try client.raw.send("CONNECT \(place) HTTP/1.1\r\nHost: \(place)\r\n\r\n")
        #expect(client.raw.receive(until: "\r\n\r\n").text.hasPrefix("HTTP/1.1 200 "))
        _ = try client.shake()
        try client.send("GET /__admin/health HTTP/1.1\r\nHost: \(place)\r\nConnection: close\r\n\r\n")
        #expect(try #require(HTTPAnswer(client.receiveAll().bytes)).status == 200)
    }

    @Test func overTLSItAnswers() throws {
        let secured = try SecuredDaemon(Self.options)
        let answer = try secured.curl(
            "-k", "-o", "/dev/null", "-w", "%{http_code}", "\(try secured.https)/__admin/health")
        #expect(answer.output == "200")
        // Stubs match by what the client means.
        let stub = #"{"request": {"url": "/s", "scheme": "https"}, "response": {"body": "secure"}}"#
        _ = try secured.curl("-k", "-d", stub, "\(try secured.https)/__admin/mappings")
        let seen = try Self.send(
            "GET https://a.example/s HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n", to: secured.daemon)
        #expect(seen.text == "secure")
    }
}
