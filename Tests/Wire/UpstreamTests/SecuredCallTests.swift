import SDHTTPTransport
import SDTestSupport
import SDUpstream
import Testing

/// Calls over TLS, HTTP/2 among them, and calls through another proxy.
@Suite struct SecuredCallTests {
    private func server(http2: Bool = false, isSecure: Bool = true) throws -> TestServer {
        let identity = try TLSIdentity(
            chain: wire(TestCertificates.localhost), key: wire(TestCertificates.localhostKey))
        let settings = TLSSettings(offersHTTP2: http2) { _ in .identity(identity) }
        func listen(_ server: Server) throws -> UInt16 {
            try server.listen(address: "127.0.0.1", port: 0, tls: isSecure ? settings : nil)
        }
        return try TestServer(limits: ServerLimits(), listen: listen) { request, reply in
            let body = echo(request)
            var head = ResponseHead(status: 200, reason: "OK")
            head.add("Content-Length", String(body.count))
            reply.send(WireScript([.head(head), .body(WireBytes(body)), .end(.keepAlive)]))
        }
    }

    @Test func everyCertificateIsGoodByDefault() throws {
        let server = try server()
        let whole = try Caller().get("https://127.0.0.1:\(server.port)/x")
        #expect(whole.text == "GET /x HTTP/1.1 keep\n[Host]=[127.0.0.1:\(server.port)]")
        #expect(whole.head?.version == .http11)
    }

    /// As WireMock does, whatever else the server speaks.
    @Test func serversAreSpokenToInHTTP11() throws {
        let server = try server(http2: true)
        let whole = try Caller().get("https://localhost:\(server.port)/x")
        #expect(whole.head?.version == .http11 && whole.problem == nil)
        #expect(whole.text.hasPrefix("GET /x HTTP/1.1 keep\n"), "\(whole.text.prefix(100))")
    }

    /// Servers that speak nothing but HTTP/2: the sentence names the option.
    @Test func aServerOfHTTP2AloneIsNamed() throws {
        let server = try RawServer { connection, _ in
            _ = connection.receive(until: "\r\n\r\n")
            try connection.send([0, 0, 0, 4, 0, 0, 0, 0, 0])
        }
        let problem = try Caller().get("http://localhost:\(server.port)/").problem
        #expect(
            problem
                == UpstreamProblem(
                    .malformed,
                    "localhost:\(server.port) speaks HTTP/2 alone: --proxy-http2 names the servers that are spoken to in it"
                ))
    }

    @Test func serversOfHTTP2AreNamedByHostAndPort() throws {
        let server = try server(http2: true)
        for name in ["localhost", "LOCALHOST", "localhost:\(server.port)", "*"] {
            let caller = try Caller { $0.http2Servers = ["other.example", name] }
            #expect(try caller.get("https://LocalHost:\(server.port)/").head?.version == .http2, "\(name)")
        }
        for name in ["127.0.0.1", "localhost:1", "host"] {
            let caller = try Caller { $0.http2Servers = [name] }
            #expect(try caller.get("https://localhost:\(server.port)/").head?.version == .http11, "\(name)")
        }
    }

    @Test(arguments: [0, 5, 60_000], ["https", "http"]) func http2IsSpokenWhereItIsNamed(
        size: Int, scheme: String
    ) throws {
        let server = try server(http2: true, isSecure: scheme == "https")
        let caller = try Caller()
        let body = [UInt8](repeating: 0x61, count: size)
        for _ in 0..<3 {
            var request = UpstreamRequest(
                "POST", "\(scheme)://localhost:\(server.port)/x", headers: [("X-A", "b"), ("te", "trailers")],
                body: .bytes(body))
            request.speaksHTTP2 = true
            let whole = try caller.call(request)
            #expect(whole.problem == nil)
            #expect(whole.head?.version == .http2)
            #expect(whole.head?.status == 200)
            #expect(whole.text.hasPrefix("POST /x HTTP/2.0 keep\n"), "\(whole.text.prefix(100))")
            #expect(size == 0 || whole.body.suffix(size).elementsEqual(body))
        }
    }

    @Test func aStreamGoesUpInHTTP2() throws {
        let server = try server(http2: true)
        let caller = try Caller()
        let stream = GivenStream(caller.loop, count: nil)
        var request = UpstreamRequest("PUT", "https://localhost:\(server.port)/", body: .stream(stream))
        request.speaksHTTP2 = true
        let answer = caller.start(request)
        stream.give([0x61, 0x62])
        stream.give([0x63])
        stream.end([])
        let whole = try answer.whole()
        #expect(whole.problem == nil)
        #expect(whole.text.hasSuffix("\nbody 3 abc"), "\(whole.text)")
        // Servers of gRPC refuse calls without it.
        #expect(whole.text.lowercased().contains("[te]=[trailers]"), "\(whole.text)")
    }

    @Test func certificatesAreCheckedWhereThatIsAskedFor() throws {
        let server = try server()
        func problem(_ host: String = "localhost", _ change: (inout UpstreamSettings) -> Void) throws
            -> UpstreamProblem?
        {
            var request = UpstreamRequest("GET", "https://\(host):\(server.port)/")
            request.checksCertificate = true
            return try Caller(change).call(request).problem
        }
        let unknown = try problem { _ in }
        #expect(unknown?.kind == .insecure)
        #expect(
            unknown?.message.hasPrefix("localhost:\(server.port): SSL certificate problem") == true,
            "\(unknown?.message ?? "")")
        #expect(try problem { $0.trustsAll = true } == nil)
        #expect(try problem { $0.trustedServers = ["LOCALHOST"] } == nil)
        #expect(try problem("127.0.0.1") { $0.trustedServers = ["localhost"] }?.kind == .insecure)
        let folder = try TemporaryFolder()
        try folder.write("ca.pem", TestCertificates.authority)
        let path = folder.path + "/ca.pem"
        #expect(try problem { $0.trustedAuthorities = path } == nil)
        let wrong = try problem("a.localhost") { $0.trustedAuthorities = path }
        #expect(wrong?.kind == .insecure)
        #expect(wrong?.message.contains("no alternative certificate") == true, "\(wrong?.message ?? "")")
    }

    @Test func plainServersDoNotSpeakTLS() throws {
        let server = try RawServer { connection, _ in try connection.send("HTTP/1.1 400 Bad Request\r\n\r\n") }
        #expect(try Caller().get("https://127.0.0.1:\(server.port)/").problem?.kind == .insecure)
    }

    @Test func aProxyIsAskedForTheWholeURL() throws {
        let requests = Events<String>()
        let proxy = try answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", requests)
        let caller = try Caller { $0.via = "me:p:w@127.0.0.1:\(proxy.port)" }
        #expect(try caller.get("http://a.example/x?y").text == "hi")
        #expect(
            requests.next()
                == "GET http://a.example/x?y HTTP/1.1\r\nProxy-Authorization: Basic bWU6cDp3\r\nHost: a.example\r\n\r\n"
        )
    }

    @Test func aProxyTunnelsToSecuredServers() throws {
        let server = try server()
        let requests = Events<String>()
        let proxy = try RawServer { connection, _ in
            requests.tell(connection.receive(until: "\r\n\r\n").text)
            let target = try RawClient(port: server.port)
            try connection.send("HTTP/1.1 200 Connection Established\r\nX-Proxy: 1\r\n\r\n")
            relay(connection, target)
        }
        let caller = try Caller { $0.via = "localhost:\(proxy.port)" }
        let whole = try caller.get("https://a.example/x")
        #expect(whole.text == "GET /x HTTP/1.1 keep\n[Host]=[a.example]")
        #expect(whole.head?.headers.first?.name == "Content-Length")
        #expect(
            requests.next() == "CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n")
    }

    @Test func aProxyThatRefuses() throws {
        let proxy = try answering("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
        let whole = try Caller { $0.via = "localhost:\(proxy.port)" }.get("https://a.example/x")
        #expect(whole.problem?.message.contains("407") == true, "\(whole.problem?.message ?? "")")
        let none = try Caller { $0.via = "localhost:1" }.get("http://a.example/x")
        let refused = "the proxy localhost:1 refused the connection (--proxy-via)"
        #expect(none.problem == UpstreamProblem(.refusedConnection, refused, proxy: "localhost:1"))
    }
}

/// Passes bytes between two connections until one ends.
private func relay(_ left: RawClient, _ right: RawClient) {
    while true {
        for (from, to) in [(left, right), (right, left)] {
            let received = from.receiveUntilQuiet(milliseconds: 1)
            if !received.bytes.isEmpty { try? to.send(received.bytes) }
            guard received.ending == .open else { return }
        }
    }
}
