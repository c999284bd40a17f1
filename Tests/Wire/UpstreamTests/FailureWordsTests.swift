import SDHTTPTransport
import SDTestSupport
import SDUpstream
import Testing

/// What a call that fails says: who failed, and what can be done about it.
@Suite struct FailureWordsTests {
    /// A server that says bytes as soon as it is spoken to, and goes on to read.
    private func saying(_ pieces: [UInt8]...) throws -> RawServer {
        try RawServer { connection, _ in
            _ = connection.receive(1)
            for piece in pieces { try connection.send(piece) }
            _ = connection.receiveAll()
        }
    }

    // MARK: The wrong scheme

    /// An alert, as servers send them that speak TLS alone, at once and byte by byte, and a banner.
    @Test(
        arguments: [
            [[0x15, 3, 3, 0, 2, 2, 10]], [[0x15, 3, 1, 0, 2, 2, 40]], [[0x15], [3], [3, 0, 2], [2, 10]],
            [[0x16, 3, 3, 0, 1, 1]],
        ] as [[[UInt8]]])
    func aServerOfTLSIsCalledByHTTPS(pieces: [[UInt8]]) throws {
        let server = try RawServer { connection, _ in
            _ = connection.receive(until: "\r\n\r\n")
            for piece in pieces { try connection.send(piece) }
            _ = connection.receiveAll()
        }
        let problem = try Caller().get("http://localhost:\(server.port)/").problem
        #expect(problem?.kind == .malformed)
        #expect(
            problem?.message
                == "localhost:\(server.port) sent what is no HTTP: it speaks TLS, and is called by https://")
    }

    @Test(arguments: [
        "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", "<!DOCTYPE html><html></html>",
        "220 mail.example ESMTP\r\n", "SSH-2.0-server\r\n",
    ])
    func aServerInTheClearIsCalledByHTTP(text: String) throws {
        let server = try saying(wire(text))
        let problem = try Caller().get("https://localhost:\(server.port)/").problem
        #expect(problem?.kind == .insecure)
        #expect(
            problem?.message == "localhost:\(server.port): the server answers in the clear, and is called by http://")
    }

    /// What speaks TLS, and breaks it off, is not told that.
    @Test func anAlertInAHandshakeIsNoClearText() throws {
        let server = try saying([0x15, 3, 3, 0, 2, 2, 40])
        let problem = try Caller().get("https://localhost:\(server.port)/").problem
        #expect(problem?.kind == .insecure)
        #expect(problem?.message.contains("http://") == false, "\(problem?.message ?? "")")
    }

    // MARK: Certificates

    /// Each complaint about a certificate names what trusts it; for HTTP/2, too, where another client calls.
    @Test(arguments: [false, true], ["localhost", "127.0.0.1", "a.localhost"])
    func aCertificateThatIsNotGoodNamesTheOptions(isHTTP2: Bool, host: String) throws {
        let identity = try TLSIdentity(
            chain: wire(TestCertificates.localhost), key: wire(TestCertificates.localhostKey))
        let settings = TLSSettings(offersHTTP2: isHTTP2) { _ in .identity(identity) }
        let server = try TestServer(
            limits: ServerLimits(), listen: { try $0.listen(address: "127.0.0.1", port: 0, tls: settings) })
        var request = UpstreamRequest("GET", "https://\(host):\(server.port)/")
        (request.checksCertificate, request.speaksHTTP2) = (true, isHTTP2)
        let problem = try Caller().call(request).problem
        #expect(problem?.kind == .insecure)
        #expect(problem?.message.hasPrefix("\(host):\(server.port): SSL") == true, "\(problem?.message ?? "")")
        let option =
            "; --trust-proxy-target \(host) trusts it all the same, "
            + "--https-truststore names authorities to trust"
        #expect(problem?.message.hasSuffix(option) == true, "\(problem?.message ?? "")")
        // The certificate is not what ends the call any more; this server's answer, of HTTP/1.1 alone, may.
        let trusted = try Caller { $0.trustedServers = [host] }.call(request).problem
        #expect(trusted == nil || isHTTP2 && trusted?.kind != .insecure, "\(trusted?.message ?? "")")
    }

    // MARK: The proxy in front

    /// What a proxy says back of its user is not told: it would stand in answers, logs and journals.
    @Test(arguments: [
        "bad password geheim", "bWU6Z2VoZWlt is wrong, bWU6Z2VoZWlt", String(repeating: "r", count: 97) + "geheim",
    ])
    func noSecretOfTheProxysIsTold(reason: String) throws {
        let server = try answering("HTTP/1.1 407 \(reason)\r\nContent-Length: 0\r\n\r\n")
        let whole = try Caller { $0.via = "me:geheim@127.0.0.1:\(server.port)" }.get("https://192.0.2.1:99/")
        let message = try #require(whole.problem?.message)
        #expect(message.contains("it answered 407") && message.contains("wants --proxy-via"), "\(message)")
        #expect(!message.contains("geh") && !message.contains("bWU6"), "\(message)")
    }

    /// What a proxy answers wrongly is its own doing.
    @Test(arguments: [
        ("\u{15}\u{3}\u{3}\u{0}\u{2}\u{2}\u{28}", "it speaks TLS, and is called in the clear"),
        ("HTTP/1.1 200 OK\r\nX: " + String(repeating: "y", count: 2_000_000), "the head of its answer is larger"),
        ("HTTP/1.1 502\r\n\r\n", "it answered 502 (--proxy-via)"),
    ])
    func aProxyThatAnswersWrongly(answer: String, words: String) throws {
        let server = try answering(answer)
        let whole = try Caller { $0.via = "127.0.0.1:\(server.port)" }.get("https://192.0.2.1:99/")
        #expect(whole.problem?.message.contains(words) == true, "\(whole.problem?.message ?? "")")
    }

    private enum Proxy: String, CaseIterable, Sendable {
        case dead, unknown, closes, resets, noise
        case refuses = "407"
        case cannot = "502"
    }

    /// Whatever the proxy of `--proxy-via` does, it is named, and the server in whose place it stands is not blamed.
    @Test(arguments: Proxy.allCases, ["http", "https"])
    private func theProxyIsNamed(_ proxy: Proxy, scheme: String) throws {
        let server = try RawServer { connection, _ in
            _ = connection.receive(until: "\r\n\r\n")
            switch proxy {
            case .dead, .unknown, .closes: break
            case .resets: connection.reset()
            case .noise: try connection.send("220 mail ready\r\n")
            case .refuses, .cannot: try connection.send("HTTP/1.1 \(proxy.rawValue) No\r\nContent-Length: 0\r\n\r\n")
            }
        }
        let closed = TestPort.free()
        let place =
            switch proxy {
            case .dead: "127.0.0.1:\(closed)"
            case .unknown: "no-such-host.invalid:3128"
            default: "127.0.0.1:\(server.port)"
            }
        let whole = try Caller { $0.via = "me:geheim@\(place)" }.get("\(scheme)://192.0.2.1:99/")
        if scheme == "http", [.refuses, .cannot].contains(proxy) {
            // It answers in the server's place.
            #expect(whole.problem == nil && whole.head?.status == Int(proxy.rawValue))
            return
        }
        let problem = try #require(whole.problem)
        #expect(problem.proxy == place)
        let message = problem.message
        #expect(message.contains("the proxy \(place)") && message.contains("--proxy-via"), "\(message)")
        #expect(!message.contains("geheim") && !message.hasPrefix("192.0.2.1"), "\(message)")
        switch proxy {
        case .dead: #expect(problem.kind == .refusedConnection)
        case .unknown: #expect(problem.kind == .unknownHost)
        case .refuses: #expect(message.contains("wants --proxy-via USER:PASSWORD@\(place)"), "\(message)")
        default: break
        }
    }

    // MARK: The gate

    private static let denials: [(allowed: [String], denied: [String], host: String, reason: String)] = [
        ([], ["10.0.0.0/8", "127.0.0.0/8"], "127.0.0.1", "--deny-proxy-targets has 127.0.0.0/8"),
        ([], ["127.0.0.1"], "0x7f.1", "--deny-proxy-targets has 127.0.0.1"),
        ([], ["127.0.0.1"], "localhost", "it leads to 127.0.0.1, and --deny-proxy-targets has 127.0.0.1"),
        ([], ["localhost"], "localhost", "--deny-proxy-targets has localhost"),
        ([], ["*.example"], "a.example", "--deny-proxy-targets has *.example"),
        (["b.example"], [], "a.example", "--allow-proxy-targets has only b.example"),
        (["10.0.0.1"], [], "127.0.0.1", "--allow-proxy-targets has only 10.0.0.1"),
        (["10.0.0.1"], [], "localhost", "it leads to 127.0.0.1, and --allow-proxy-targets has only 10.0.0.1"),
        (["a", "b", "c", "d", "e"], [], "f", "--allow-proxy-targets has only a, b, c and 2 more"),
        (["a.example"], ["a.*"], "a.example", "--deny-proxy-targets has a.*"),
    ]

    /// The rule that decided is told.
    @Test(arguments: denials) func theRuleIsNamed(
        allowed: [String], denied: [String], host: String, reason: String
    ) throws {
        let caller = try Caller { ($0.allowedTargets, $0.deniedTargets) = (allowed, denied) }
        let problem = try caller.get("http://\(host):9/").problem
        let place = host == "0x7f.1" ? "127.0.0.1" : host
        #expect(problem == UpstreamProblem(.denied, "\(place):9 may not be called: \(reason)"))
    }
}
