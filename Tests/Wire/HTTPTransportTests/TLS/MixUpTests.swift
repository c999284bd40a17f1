import SDHTTPTransport
import SDTestSupport
import Testing

/// TLS where plain HTTP is spoken, plain HTTP where TLS is, and ports that take both.
@Suite(.timeLimit(.minutes(30))) struct MixUpTests {
    @Test(arguments: ["GET", "DELETE", "PRI", "get"])
    func plainHTTPIsToldThatThisIsHTTPS(method: String) throws {
        let server = try securedServer()
        let client = try server.client()
        try client.send("\(method) / HTTP/1.1\r\nHost: a\r\n\r\n")
        let text = "this port speaks HTTPS: use https:// instead of http://\n"
        let received = client.receiveAll()
        #expect(received.text.hasPrefix("HTTP/1.1 400 Bad Request\r\n"), "\(received)")
        #expect(received.text.hasSuffix("\r\n\r\n\(text)"))
        #expect(received.ending == .fin)
        #expect(
            server.troubles.next()
                == "127.0.0.1 speaks plain HTTP on a port that speaks HTTPS: use https:// (port \(server.port))")
    }

    @Test func otherBytesAreRefused() throws {
        let server = try securedServer()
        let client = try server.client()
        try client.send([0, 1, 2, 3])
        #expect(client.receiveAll() == RawClient.Received([], .fin))
        #expect(
            server.troubles.next()
                == "127.0.0.1 sent bytes that begin no TLS handshake, on a port that speaks HTTPS (port \(server.port))"
        )
    }

    @Test func aHelloOnAPlainPortIsTold() throws {
        let server = try TestServer()
        let client = try TLSClient(port: server.port)
        #expect(try client.shake() == .failed)
        #expect(client.raw.receiveAll().bytes == [])
        #expect(
            server.troubles.next() == """
                127.0.0.1 begins with a TLS handshake; this port speaks plain HTTP (use --https-port or --tls auto) \
                (port \(server.port))
                """)
    }

    @Test func aPortMayTakeBoth() throws {
        let requests = Events<Request>()
        var limits = ServerLimits.unhurried
        limits.handshakeTimeout = 2_000
        let server = try securedServer(
            limits: limits, change: { $0.acceptsPlain = true },
            serve: { request, reply in
                requests.tell(request)
                answerWithEcho(request, reply)
            })
        // A client that is silent at first is idle, and its time is not that of a handshake.
        let plain = try server.client()
        let secured = try TLSClient.connected(to: server.port)
        #expect(plain.receiveUntilQuiet(milliseconds: 2_500).ending == .open)
        let expected = echoOfGet("/a")
        try plain.send(get("/a"))
        expectWire(plain.receive(expected.count), expected, .open)
        #expect(requests.next()?.isSecure == false)
        try secured.send(get("/a"))
        expectWire(secured.receive(expected.count), expected, .open)
        #expect(requests.next()?.isSecure == true)
    }

    @Test func aSilentClientOfSuchAPortIsIdle() throws {
        var limits = ServerLimits.unhurried
        limits.idleTimeout = 200
        limits.handshakeTimeout = 60_000
        let server = try securedServer(limits: limits, change: { $0.acceptsPlain = true })
        #expect(try server.client().receiveAll().ending == .fin)
    }

    @Test func aTaggedPortIsSecured() throws {
        let requests = Events<Request>()
        let settings = TLSSettings(onClientHello: { [identity = try TLSIdentity.localhost()] _ in .identity(identity) })
        let ports = Locked<OpenListener?>(nil)
        let server = try TestServer(
            limits: .unhurried,
            listen: { server in
                let port = try server.open(address: "127.0.0.1", port: 0, tag: 7, worker: 0, tls: settings)
                ports.withLock { $0 = port }
                return port.port
            },
            { request, reply in
                requests.tell(request)
                answerWithEcho(request, reply)
            })
        let client = try TLSClient.connected(to: server.port)
        try client.send(get("/a"))
        #expect(client.receive(1).bytes.count == 1)
        #expect(requests.next()?.origin.tag == 7)
        ports.withLock { $0 }?.close()
        try client.send(get("/b"))
        #expect(requests.next() != nil)
    }
}
