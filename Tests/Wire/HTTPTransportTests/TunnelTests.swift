import SDHTTPTransport
import SDPlatform
import SDTestSupport
import Testing

/// Tunnels to other servers, and those that are opened here.
@Suite(.timeLimit(.minutes(30))) struct TunnelTests {
    private static let connect = "CONNECT other.example:443 HTTP/1.1\r\nHost: other.example:443\r\n\r\n"
    private static let established = wire("HTTP/1.1 200 OK\r\n\r\n")
    private static let answer = script(.raw(WireBytes(established)), .end(.keepAlive))

    /// A proxy that leads every tunnel to a server, and what it tells of their ends.
    private struct Proxy {
        let server: TestServer
        let ends: Events<[UInt64]>

        init(to port: UInt16, idle: Int = 60_000, limits: ServerLimits = .unhurried) throws {
            let ends = Events<[UInt64]>()
            self.ends = ends
            server = try TestServer(limits: limits) { request, reply in
                guard let socket = try? SystemCalls.beginConnecting(address: "127.0.0.1", port: Int(port)) else {
                    return
                }
                let begun = reply.tunnel(to: socket, idle: idle) { end in
                    ends.tell([end.up, end.down] + (end.isIdleTimeout ? [1] : []))
                }
                #expect(begun)
                reply.send(TunnelTests.answer)
            }
        }

        func client(_ more: [UInt8] = []) throws -> RawClient {
            let client = try server.client()
            try client.send(wire(TunnelTests.connect) + more)
            expectWire(client.receive(TunnelTests.established.count), TunnelTests.established, .open)
            return client
        }
    }

    @Test func bytesGoBothWays() throws {
        let target = try TestServer(limits: .unhurried)
        let proxy = try Proxy(to: target.port)
        // With the first request right behind CONNECT.
        let client = try proxy.client(wire(get("/1")))
        expectWire(client.receive(echoOfGet("/1").count), echoOfGet("/1"), .open)
        try client.send(get("/2"))
        expectWire(client.receive(echoOfGet("/2").count), echoOfGet("/2"), .open)
        client.close()
        let end = try #require(proxy.ends.next())
        #expect(end == [UInt64(get("/1").utf8.count * 2), UInt64(echoOfGet("/1").count * 2)])
    }

    /// Neither side is read while the other one does not take what came.
    @Test func muchGoesBothWaysAtOnce() throws {
        let body = [UInt8](repeating: 0x61, count: 20 << 20)
        let target = try TestServer(limits: .unhurried) { request, reply in
            reply.send(script(.raw(WireBytes(plainAnswer(Array(request.body)))), .end(.close)))
        }
        let proxy = try Proxy(to: target.port)
        let client = try proxy.client()
        try client.send(wire("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.count)\r\n\r\n") + body)
        let received = client.receiveAll(within: 60_000)
        #expect(received.ending == .fin)
        #expect(received.bytes.count == plainAnswer(body).count)
    }

    @Test func eachDirectionEndsByItself() throws {
        let target = try TestServer(limits: .unhurried)
        let proxy = try Proxy(to: target.port)
        let client = try proxy.client(wire(get("/1")))
        client.finishSending()
        expectWire(client.receiveAll(), echoOfGet("/1"), .fin)
        #expect(try #require(proxy.ends.next())[1] == UInt64(echoOfGet("/1").count))
    }

    @Test func theEndOfTheServerIsPassedOn() throws {
        let target = try TestServer(limits: .unhurried) { _, reply in
            reply.send(script(.raw(WireBytes(plainAnswer(wire("bye")))), .end(.close)))
        }
        let proxy = try Proxy(to: target.port)
        let client = try proxy.client(wire(get("/1")))
        expectWire(client.receiveAll(), plainAnswer(wire("bye")), .fin)
        client.close()
        #expect(proxy.ends.next() != nil)
    }

    /// What a server has not taken yet reaches it, though both sides have ended.
    @Test func theLastBytesReachASlowServer() throws {
        let (goOn, count) = (Events<Bool>(), Events<Int>())
        let target = try RawServer { client, _ in
            client.finishSending()
            _ = goOn.next()
            count.tell(client.receiveAll().bytes.count)
        }
        let proxy = try Proxy(to: target.port)
        let client = try proxy.client()
        expectWire(client.receiveAll(), "", .fin)
        // As much as finds room on the way.
        var sent = 0
        while client.waitUntilSendable(milliseconds: 300) {
            sent += try client.sendWithoutWaiting([UInt8](repeating: 0x61, count: 65_536))
        }
        client.finishSending()
        goOn.tell(true)
        #expect(count.next() == sent)
        #expect(proxy.ends.next() == [UInt64(sent), 0])
    }

    @Test func silentTunnelsEnd() throws {
        let target = try TestServer(limits: .unhurried)
        let proxy = try Proxy(to: target.port, idle: 200)
        let client = try proxy.client()
        #expect(client.receiveAll().ending != .open)
        #expect(proxy.ends.next() == [0, 0, 1])
    }

    @Test func tunnelsEndWithTheServer() throws {
        let target = try TestServer(limits: .unhurried)
        let proxy = try Proxy(to: target.port)
        let clients = try (1...20).map { _ in try proxy.client() }
        proxy.server.server.drain(milliseconds: 20_000)
        for client in clients {
            #expect(client.receiveAll().ending != .open)
            #expect(proxy.ends.next() == [0, 0])
        }
    }

    @Test(arguments: [true, false]) func howAClientEndsIsPassedOn(isReset: Bool) throws {
        let (came, ending) = (Events<String>(), Events<RawClient.Ending>())
        let target = try RawServer { client, _ in
            came.tell(readable(client.receive(5).bytes))
            ending.tell(client.receiveAll(within: 20_000).ending)
        }
        let proxy = try Proxy(to: target.port)
        let client = try proxy.client(wire("words"))
        #expect(came.next() == "words")
        if isReset { client.reset() } else { client.close() }
        #expect(ending.next() == (isReset ? .rst : .fin))
        #expect(proxy.ends.next() == [5, 0])
    }

    @Test func aRefusedConnectionResetsTheTunnel() throws {
        let proxy = try Proxy(to: TestPort.free())
        let client = try proxy.server.client()
        try client.send(Self.connect)
        #expect(client.receiveAll().ending == .rst)
        #expect(proxy.ends.next() == [0, 0])
    }

    // MARK: Opened here

    private func opener(_ handshakes: Events<String?> = Events()) throws -> TestServer {
        let identity = try TLSIdentity.localhost()
        let security = try TunnelInterception(
            TLSSettings(offersHTTP2: true) { hello in
                handshakes.tell(hello.serverName)
                return .identity(identity)
            })
        return try TestServer(limits: .unhurried) { request, reply in
            guard request.method.elementsEqual(wire("CONNECT")) else {
                let text =
                    "\(request.isSecure) \(request.isIntercepted) \(String(decoding: request.path, as: UTF8.self))"
                return reply.send(script(.raw(WireBytes(plainAnswer(wire(text)))), .end(.keepAlive)))
            }
            guard reply.openTunnel(to: "other.example", security) else {
                return reply.send(script(.raw(WireBytes(plainAnswer(wire("no")))), .end(.close)))
            }
            reply.send(Self.answer)
        }
    }

    @Test(arguments: [true, false])
    func clientsGoOnInTLS(namesServer: Bool) throws {
        let handshakes = Events<String?>()
        let server = try opener(handshakes)
        let client = try TLSClient(port: server.port, namesServer ? TLSClient.Options() : .nameless)
        try client.raw.send(Self.connect)
        expectWire(client.raw.receive(Self.established.count), Self.established, .open)
        _ = try client.shake()
        #expect(handshakes.next() == (namesServer ? "localhost" : "other.example"))
        try client.send(get("/1") + get("/2"))
        let expected = plainAnswer(wire("true true /1")) + plainAnswer(wire("true true /2"))
        #expect(client.receive(expected.count).bytes == expected)
    }

    @Test func clientsMayGoOnInTheClear() throws {
        let server = try opener()
        let client = try server.client()
        try client.send(wire(Self.connect.replacing("HTTP/1.1", with: "HTTP/1.0")) + wire(get("/1")))
        let expected = Self.established + plainAnswer(wire("false true /1"))
        expectWire(client.receive(expected.count), expected, .open)
    }

    @Test func garbageEndsThem() throws {
        let server = try opener()
        let client = try server.client()
        try client.send(wire(Self.connect) + [22, 3, 1, 0, 5, 1, 2, 3, 4, 5, 6, 7, 8])
        #expect(client.receive(Self.established.count).bytes == Self.established)
        #expect(client.receiveAll().ending != .open)
        let other = try server.client()
        try other.send(wire(Self.connect) + [0, 1, 2, 3])
        #expect(other.receiveAll().text.contains("HTTP/1.1 400 "))
    }
}

extension TLSClient.Options {
    fileprivate static var nameless: TLSClient.Options {
        var options = TLSClient.Options()
        options.serverName = nil
        return options
    }
}
