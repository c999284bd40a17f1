import Foundation
import SDJSON
import SDTestSupport
import Testing

/// The daemon as a proxy for its clients.
@Suite(.timeLimit(.minutes(30))) struct ForwardProxyTests {
    private static let stubs = """
        {"mappings": [
          {"request": {"url": "/stubbed"}, "response": {"status": 201, "body": "stub"}},
          {"request": {"url": "/h", "host": {"equalTo": "foo.example"}}, "response": {"body": "foo"}},
          {"request": {"url": "/s", "scheme": "https", "host": {"equalTo": "foo.example"}}, "response": {"body": "secure"}}
        ]}
        """

    private static func proxy(_ arguments: String...) throws -> Daemon {
        try Daemon(files: ["stubs.json": stubs], arguments)
    }

    private static func target() throws -> Daemon {
        try Daemon(
            files: ["real.json": #"{"request": {"url": "/real"}, "response": {"body": "real"}}"#],
            ["--https-port", "0"])
    }

    private static func ask(_ daemon: Daemon, _ target: String, _ fields: String = "", method: String = "GET") throws
        -> HTTPAnswer
    {
        let client = try RawClient(port: daemon.port)
        let rest = target.drop { $0 != "/" }.dropFirst(2)
        let host = rest.prefix { $0 != "/" }
        try client.send("\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\(fields)\r\n")
        return try #require(HTTPAnswer(client.receiveAll(within: 30_000).bytes))
    }

    /// Opens a tunnel; the answer if there is none.
    private static func connect(_ daemon: Daemon, _ authority: String, _ more: String = "") throws -> (
        TLSClient, String
    ) {
        let client = try TLSClient(port: daemon.port)
        try client.raw.send("CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n\(more)\r\n")
        return (client, client.raw.receive(until: "\r\n\r\n").text)
    }

    private static let established = "HTTP/1.1 200 Connection established\r\n\r\n"

    private static func inside(_ client: TLSClient, _ path: String, host: String) throws -> String {
        _ = try client.shake()
        try client.send("GET \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
        let received = client.receiveAll()
        return try #require(HTTPAnswer(received.bytes)).text
    }

    private static func journal(_ daemon: Daemon) throws -> [[String]] {
        let requests = try JSONValue(parsing: daemon.get("/__admin/requests").text)["requests"]?.arrayValue ?? []
        return requests.reversed().map { event in
            [
                event["request"]?["absoluteUrl"]?.stringValue ?? "",
                "\(event["request"]?["browserProxyRequest"] == true)",
                "\(event["wasMatched"] == true)", event["response"]?["status"]?.intValue.map(String.init) ?? "",
            ]
        }
    }

    @Test(arguments: ["--forward-proxy", "--enable-browser-proxying"])
    func absoluteTargetsAreStubbedOrSentOn(option: String) throws {
        let (proxy, target) = (try Self.proxy(option), try Self.target())
        #expect(try Self.ask(proxy, "http://any.example/stubbed").text == "stub")
        #expect(try Self.ask(proxy, "http://foo.example/h").text == "foo")
        let real = "http://127.0.0.1:\(target.port)/real"
        #expect(try Self.ask(proxy, real).text == "real")
        let itself = "http://localhost:\(proxy.port)/none"
        #expect(try Self.ask(proxy, itself).status == 404)
        #expect(try Self.ask(proxy, "http://localhost:\(proxy.port)/__admin/health").status == 200)
        #expect(
            try Self.journal(proxy) == [
                ["http://any.example/stubbed", "true", "true", "201"], ["http://foo.example/h", "true", "true", "200"],
                [real, "true", "true", "200"], [itself, "true", "false", "404"],
            ])
    }

    /// The target says how its server is called, whatever the way to the proxy is.
    @Test(arguments: [false, true]) func theSchemeIsThatOfTheTarget(isSecured: Bool) throws {
        let target = try Self.target()
        let proxy = try Self.proxy("--forward-proxy", "--trust-all-proxy-targets", "--https-port", "0")
        let securedPort = try #require(proxy.ready["httpsPort"]?.intValue)
        let secured = try #require(target.ready["httpsPort"]?.intValue)
        let urls = ["http://127.0.0.1:\(target.port)/real", "HTTPS://127.0.0.1:\(secured)/real"]
        for url in urls {
            let rest = url.drop { $0 != "/" }.dropFirst(2)
            let asked = "GET \(url) HTTP/1.1\r\nHost: \(rest.prefix { $0 != "/" })\r\nConnection: close\r\n\r\n"
            let received: RawClient.Received
            if isSecured {
                let client = try TLSClient.connected(to: UInt16(securedPort))
                _ = try client.shake()
                try client.send(asked)
                received = client.receiveAll(within: 30_000)
            } else {
                let client = try RawClient(port: proxy.port)
                try client.send(asked)
                received = client.receiveAll(within: 30_000)
            }
            #expect(HTTPAnswer(received.bytes)?.text == "real", "\(received)")
        }
        #expect(try Self.journal(proxy).map { $0[0].lowercased() } == urls.map { $0.lowercased() })
    }

    @Test func withoutTheOptionNothingIsSentOn() throws {
        let (proxy, target) = (try Self.proxy(), try Self.target())
        #expect(try Self.ask(proxy, "http://any.example/stubbed").text == "stub")
        #expect(try Self.ask(proxy, "http://127.0.0.1:\(target.port)/real").status == 404)
        #expect(try Self.ask(proxy, "any.example:443", method: "CONNECT").status == 404)
        #expect(try Self.journal(proxy).allSatisfy { $0[1] == "false" })
    }

    @Test(arguments: [["--proxy-pass-through", "false"], ["--proxy-pass-through=false"], []])
    func passingThroughMayBeTurnedOff(options: [String]) throws {
        let target = try Self.target()
        let proxy = try Daemon(files: ["stubs.json": Self.stubs], ["--enable-browser-proxying"] + options)
        if options.isEmpty { try proxy.admin("PUT", "/settings", #"{"proxyPassThrough": false}"#) }
        let answer = try Self.ask(proxy, "http://127.0.0.1:\(target.port)/real")
        #expect(answer.status == 404)
        #expect(answer.text.contains("Request was not matched"))
        #expect(try Self.ask(proxy, "http://any.example/stubbed").status == 201)
    }

    @Test func tunnelsToHostsOfStubsAreOpened() throws {
        let proxy = try Self.proxy("--forward-proxy", "-v")
        let (client, answer) = try Self.connect(proxy, "foo.example:443")
        #expect(answer == Self.established)
        #expect(try Self.inside(client, "/s", host: "foo.example") == "secure")
        #expect(proxy.says("https://foo.example/s"))
        #expect(try Self.journal(proxy) == [["https://foo.example/s", "true", "true", "200"]])
        // So are those to itself.
        let (other, _) = try Self.connect(proxy, "localhost:\(proxy.port)")
        #expect(try Self.inside(other, "/stubbed", host: "localhost:\(proxy.port)") == "stub")
    }

    @Test func otherTunnelsLeadToTheirServers() throws {
        let (proxy, target) = (try Self.proxy("--forward-proxy"), try Self.target())
        let secured = try #require(target.ready["httpsPort"]?.intValue)
        let (client, answer) = try Self.connect(proxy, "127.0.0.1:\(secured)")
        #expect(answer == Self.established)
        #expect(try Self.inside(client, "/real", host: "127.0.0.1:\(secured)") == "real")
        #expect(try Self.journal(proxy).isEmpty)
        #expect(try Self.journal(target).count == 1)
    }

    @Test func withWireMocksOptionAllAreOpened() throws {
        let (proxy, target) = (
            try Self.proxy("--enable-browser-proxying", "--trust-all-proxy-targets"), try Self.target()
        )
        let secured = try #require(target.ready["httpsPort"]?.intValue)
        let (client, answer) = try Self.connect(proxy, "127.0.0.1:\(secured)")
        #expect(answer == Self.established)
        #expect(try Self.inside(client, "/real", host: "127.0.0.1:\(secured)") == "real")
        #expect(try Self.journal(proxy) == [["https://127.0.0.1:\(secured)/real", "true", "true", "200"]])
    }

    @Test func certificatesOfServersAreChecked() throws {
        let (proxy, target) = (try Self.proxy("--enable-browser-proxying"), try Self.target())
        let secured = try #require(target.ready["httpsPort"]?.intValue)
        let (client, _) = try Self.connect(proxy, "127.0.0.1:\(secured)")
        #expect(try Self.inside(client, "/real", host: "127.0.0.1:\(secured)").hasPrefix("SSL failure "))
    }

    /// What keeps a tunnel from being made is told.
    @Test(arguments: [
        ("127.0.0.1:1", "", [], "502", "127.0.0.1:1 cannot be reached: Connection refused\n"),
        ("nowhere.invalid:443", "", [], "502", "the host name nowhere.invalid of nowhere.invalid:443 is unknown\n"),
        (
            "other.example:443", "", ["--no-upstream"], "502",
            "other.example:443 is not called: --no-upstream forbids calls to other servers\n"
        ),
        (
            "other.example:443", "", ["--deny-proxy-targets", "other.example"], "502",
            "other.example:443 may not be called: --deny-proxy-targets has other.example\n"
        ),
        (
            "other.example", "", [], "400",
            "CONNECT needs a host and a port, such as example.com:443; found other.example\n"
        ),
        ("other.example:443", "Content-Length: 3\r\n", [], "400", "a CONNECT request has no body\n"),
    ])
    func tunnelsThatCannotBe(
        authority: String, fields: String, options: [String], status: String, text: String
    ) throws {
        let proxy = try Daemon(files: ["stubs.json": Self.stubs], ["--forward-proxy"] + options)
        let client = try RawClient(port: proxy.port)
        let body = fields.isEmpty ? "" : "abc"
        try client.send("CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n\(fields)\r\n\(body)")
        let answer = try #require(HTTPAnswer(client.receiveAll().bytes))
        #expect("\(answer.status)" == status)
        #expect(answer.text == text)
    }

    /// Sessions are chosen as without a proxy.
    @Test func sessionsAnswerThroughTheProxy() throws {
        let proxy = try Self.proxy("--forward-proxy")
        let made = try JSONValue(parsing: proxy.admin("POST", "/sessions", "{}").text)
        let id = try #require(made["id"]?.stringValue)
        try proxy.admin(
            "POST", "/mappings",
            #"{"request": {"url": "/mine"}, "response": {"body": "base"}}"#)
        let client = try RawClient(port: proxy.port)
        try client.send(
            "GET http://foo.example/mine HTTP/1.1\r\nHost: foo.example\r\nX-StuntDouble-Session: \(id)\r\n\r\n")
        #expect(client.receiveSome().text.hasPrefix("HTTP/1.1 "))
        let events = try proxy.get("/__session/\(id)/__admin/requests").text
        #expect(events.contains("http://foo.example/mine"))
    }

    /// Many at once are bounded, and cost others nothing.
    @Test func floodsOfTunnelsAreBounded() throws {
        let (proxy, target) = (try Self.proxy("--forward-proxy"), try Self.target())
        let clients = try (0..<300).map { _ in
            let client = try RawClient(port: proxy.port)
            try client.send("CONNECT 127.0.0.1:\(target.port) HTTP/1.1\r\nHost: a\r\n\r\n")
            return client
        }
        for client in clients { #expect(client.receive(until: "\r\n\r\n").text == Self.established) }
        #expect(try proxy.get("/stubbed").status == 201)
        for client in clients { client.reset() }
        #expect(try proxy.get("/stubbed").status == 201)
    }
}
