import SDHTTPTransport
import SDPlatform
import SDTestSupport
import Testing

/// A client and a server that go on in another protocol with each other, through a call of the client's loop.
@Suite(.timeLimit(.minutes(30))) struct JoinedCallTests {
    private static let asked = "GET /a HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n"
    private static let switched = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n"

    /// A proxy that asks a server to switch and joins it with its client, what it tells of the ends, and how many connections
    /// its calls have.
    private final class Proxy: Sendable {
        let server: TestServer
        let ends: Events<[UInt64]>
        let quota = CallQuota(CallLimits())
        let memory = MemoryLedger()

        init(
            to port: UInt16, _ trust: CallTrust? = nil, patience: Int = 300_000, limits: ServerLimits = .unhurried
        ) throws {
            let (ends, quota) = (Events<[UInt64]>(), quota)
            self.ends = ends
            let caller = Locked<LoopCaller?>(nil)
            server = try TestServer(limits: limits, memory: memory) { request, reply in
                let loop = reply.loop
                let calls = caller.withLock { known -> LoopCaller? in
                    if known == nil { known = LoopCaller(loop, quota) }
                    return known
                }
                var call = CallRequest(
                    to: "127.0.0.1", port: Int(port), [ServerAddress("127.0.0.1")].compactMap { $0 }, trust: trust,
                    head: wire(JoinedCallTests.asked))
                call.switches = true
                call.stallTimeout = patience
                let joint = Joint(reply.hold { _ in }, ends)
                joint.call = calls?.start(call, joint)
            }
        }

        func client(_ more: [UInt8] = []) throws -> RawClient {
            let client = try server.client()
            try client.send(wire(JoinedCallTests.asked) + more)
            expectWire(client.receive(JoinedCallTests.switched.utf8.count), JoinedCallTests.switched, .open)
            return client
        }
    }

    /// Joins the two once the server switches. Used on one loop's thread.
    private final class Joint: CallObserver, @unchecked Sendable {
        var call: OutgoingCall?
        private let stream: StreamingReply
        private let ends: Events<[UInt64]>

        init(_ stream: StreamingReply, _ ends: Events<[UInt64]>) {
            self.stream = stream
            self.ends = ends
        }

        func callInforms(_ head: CallAnswer) {}

        func callAnswers(_ head: CallAnswer) {
            let isJoined = call?.join(stream) { [ends] end in
                ends.tell([end.up, end.down] + (end.isIdleTimeout ? [1] : []))
            }
            #expect(isJoined == true && head.isSwitch)
            call = nil
            stream.finish(WireScript([.raw(WireBytes(wire(JoinedCallTests.switched))), .end(.keepAlive)]))
        }

        func callSends(_ bytes: UnsafeBufferPointer<UInt8>) {}

        func callEnds(_ end: CallEnd) {
            call = nil
        }
    }

    /// A server that switches, and then does something.
    private func target(_ serve: @escaping @Sendable (RawClient) throws -> Void) throws -> RawServer {
        try RawServer { client, _ in
            _ = client.receive(until: "\r\n\r\n")
            try client.send(Self.switched)
            try serve(client)
        }
    }

    private static func echo(_ client: RawClient) throws {
        while case let some = client.receiveSome(within: 20_000), !some.bytes.isEmpty { try client.send(some.bytes) }
    }

    @Test func messagesAreEchoed() throws {
        let target = try target(Self.echo)
        let proxy = try Proxy(to: target.port)
        // The first one right behind the request.
        let client = try proxy.client(wire("first;"))
        #expect(client.receive(until: "first;").text == "first;")
        var count = 6
        for index in 0..<10_000 {
            let message = "message \(index);"
            try client.send(message)
            #expect(client.receive(until: ";").text == message)
            count += message.utf8.count
        }
        client.finishSending()
        expectWire(client.receiveAll(), "", .fin)
        #expect(proxy.ends.next() == [UInt64(count), UInt64(count)])
        #expect(eventually { proxy.quota.open == 0 ? true : nil } == true)
    }

    /// A server that ends TLS without saying so has ended: what it has sent arrives, however slowly that is taken.
    @Test func whatWasSentBeforeTLSIsCutArrives() throws {
        let identity = try TLSIdentity(
            chain: wire(TestCertificates.localhost), key: wire(TestCertificates.localhostKey))
        let settings = TLSSettings(offersHTTP2: false) { _ in .identity(identity) }
        let body = [UInt8](repeating: 0x61, count: 4 << 20)
        func listen(_ server: Server) throws -> UInt16 {
            try server.listen(address: "127.0.0.1", port: 0, tls: settings)
        }
        let target = try TestServer(limits: .unhurried, listen: listen) { _, reply in
            reply.send(WireScript([.raw(WireBytes(wire(Self.switched) + body)), .abort(.cut)]))
        }
        let proxy = try Proxy(to: target.port, CallTrust(checks: false, authorities: nil, nil))
        let client = try proxy.client()
        SystemCalls.pause(milliseconds: 200)
        let received = client.receiveAll()
        #expect(received.bytes == body && received.ending == .fin, "\(received.bytes.count) \(received.ending)")
    }

    /// Sends many bytes and receives as many, as fast as both go.
    /// - Returns: the number of bytes received.
    private static func exchange(_ client: RawClient, _ size: Int, _ byte: UInt8) throws -> Int {
        let block = [UInt8](repeating: byte, count: 65_536)
        var (sent, received) = (0, 0)
        while sent < size || received < size {
            if sent < size { sent += try client.sendWithoutWaiting(Array(block.prefix(size - sent))) }
            let some = client.receiveSome(within: sent < size ? 1 : 20_000)
            if some.bytes.isEmpty, sent == size || some.ending != .open { break }
            received += some.bytes.count
        }
        return received
    }

    /// Neither side is read while the other one does not take what came.
    @Test func muchGoesBothWaysAtOnce() throws {
        let size = 32 << 20
        let received = Events<Int>()
        let target = try target { received.tell(try Self.exchange($0, size, 0x62)) }
        let proxy = try Proxy(to: target.port)
        let client = try proxy.client()
        #expect(try Self.exchange(client, size, 0x61) == size)
        #expect(received.next() == size)
        client.finishSending()
        expectWire(client.receiveAll(), "", .fin)
        #expect(proxy.ends.next() == [UInt64(size), UInt64(size)])
    }

    /// The server's kernel and the client's hold something; the proxy's hold a read of each at the most.
    @Test(arguments: [false, true]) func whoTakesNothingHoldsTheOtherBack(isClient: Bool) throws {
        let (sent, isFull, goOn) = (Locked(0), Events<Bool>(), Events<Bool>())
        @Sendable func flood(_ client: RawClient) throws {
            // Until nothing goes for a while.
            while client.waitUntilSendable(milliseconds: 300) {
                let count = try client.sendWithoutWaiting([UInt8](repeating: 0x61, count: 65_536))
                sent.withLock { $0 += count }
            }
        }
        let target = try target { client in
            if isClient { try flood(client) }
            isFull.tell(true)
            _ = goOn.next()
            if !isClient {
                let all = client.receiveAll().bytes.count
                sent.withLock { #expect($0 == all) }
            }
        }
        let proxy = try Proxy(to: target.port)
        let client = try proxy.client()
        if !isClient { try flood(client) }
        #expect(isFull.next() == true)
        #expect(proxy.memory.total < 1 << 20, "\(proxy.memory.total)")
        #expect(sent.withLock { $0 } < 64 << 20)
        goOn.tell(true)
        client.finishSending()
        let all = client.receiveAll().bytes.count
        if isClient { sent.withLock { #expect($0 == all) } }
    }

    @Test func eachDirectionEndsByItself() throws {
        let heard = Events<String>()
        // The server's end comes first, and then the client's words.
        let target = try target { client in
            try client.send("bye")
            client.finishSending()
            heard.tell(client.receiveAll().description)
        }
        let proxy = try Proxy(to: target.port)
        let client = try proxy.client()
        expectWire(client.receiveAll(), "bye", .fin)
        try client.send("still here")
        client.finishSending()
        #expect(heard.next() == "still here<fin>")
        #expect(proxy.ends.next() == [10, 3])
    }

    /// What a server has not taken yet reaches it, though both sides have ended.
    @Test func theLastBytesReachASlowServer() throws {
        let (goOn, count) = (Events<Bool>(), Events<Int>())
        let target = try target { client in
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

    @Test func theEndOfTheClientIsPassedOn() throws {
        let target = try target { client in
            let all = client.receiveAll()
            try client.send("heard " + all.description)
        }
        let proxy = try Proxy(to: target.port)
        let client = try proxy.client()
        try client.send("words")
        client.finishSending()
        expectWire(client.receiveAll(), "heard words<fin>", .fin)
        #expect(eventually { proxy.quota.open == 0 ? true : nil } == true)
    }

    /// A client that leaves ends the server's side as it has ended: one that has broken off is not taken for one that was done.
    @Test(arguments: ["", "words"], [true, false]) func howAClientEndsIsPassedOn(words: String, isReset: Bool) throws {
        let (came, ending) = (Events<String>(), Events<RawClient.Ending>())
        let quiet = try target { client in
            if !words.isEmpty { came.tell(readable(client.receive(words.utf8.count).bytes)) }
            ending.tell(client.receiveAll(within: 20_000).ending)
        }
        let proxy = try Proxy(to: quiet.port)
        let client = try proxy.client()
        try client.send(words)
        if !words.isEmpty { #expect(came.next() == words) }
        if isReset { client.reset() } else { client.close() }
        #expect(ending.next() == (isReset ? .rst : .fin))
        #expect(proxy.ends.next() == [UInt64(words.utf8.count), 0])
        #expect(eventually { proxy.quota.open == 0 ? true : nil } == true)
    }

    /// Also while it is not read, since the server takes nothing.
    @Test func aResetBehindWhatTheServerDoesNotTakeIsPassedOn() throws {
        let (goOn, ending) = (Events<Bool>(), Events<RawClient.Ending>())
        let target = try target { client in
            _ = goOn.next()
            ending.tell(client.receiveAll(within: 20_000).ending)
        }
        let proxy = try Proxy(to: target.port)
        let client = try proxy.client()
        while client.waitUntilSendable(milliseconds: 500) {
            _ = try client.sendWithoutWaiting([UInt8](repeating: 0x61, count: 65_536))
        }
        client.reset()
        goOn.tell(true)
        #expect(ending.next() == .rst)
        #expect(proxy.ends.next() != nil)
    }

    @Test func aResetOfTheServerIsPassedOn() throws {
        let rude = try target { client in
            _ = client.receive(until: "go")
            client.reset()
        }
        let other = try Proxy(to: rude.port)
        let second = try other.client()
        try second.send("go")
        expectWire(second.receiveAll(), "", .rst)
        #expect(other.ends.next() == [2, 0])
        #expect(eventually { other.quota.open == 0 ? true : nil } == true)
    }

    /// Both end in order once nothing has come from either for too long, even if one of them has ended before.
    @Test(arguments: ["neither", "client", "server"]) func twoThatRestForTooLongEnd(ended: String) throws {
        let heard = Events<String>()
        let target = try target { client in
            if ended == "server" { client.finishSending() }
            heard.tell(client.receiveAll(within: 20_000).description)
        }
        let proxy = try Proxy(to: target.port, patience: 4_000)
        let client = try proxy.client(wire("words"))
        if ended == "client" { client.finishSending() }
        expectWire(client.receiveAll(within: 20_000), "", .fin)
        #expect(heard.next() == "words<fin>")
        // That it was for the rest is told. A server whose client has ended leaves before.
        #expect(proxy.ends.next() == (ended == "client" ? [5, 0] : [5, 0, 1]))
        #expect(eventually { proxy.quota.open == 0 ? true : nil } == true)
    }

    /// What either side says keeps both.
    @Test(arguments: [false, true]) func whoeverSpeaksKeepsBoth(isClient: Bool) throws {
        let patience = 4_000
        @Sendable func speak(_ client: RawClient) throws {
            for word in 1...7 {
                try client.send("\(word)")
                SystemCalls.pause(milliseconds: Int32(patience / 5))
            }
            client.finishSending()
        }
        let heard = Events<String>()
        let target = try target { client in
            if isClient { heard.tell(client.receiveAll(within: 20_000).description) } else { try speak(client) }
        }
        let proxy = try Proxy(to: target.port, patience: patience)
        let client = try proxy.client()
        if isClient { try speak(client) } else { heard.tell(client.receiveAll(within: 20_000).description) }
        #expect(heard.next() == "1234567<fin>")
    }

    /// A server that ends leaves nothing open.
    @Test func theEndOfTheProxyEndsBoth() throws {
        let ending = Events<RawClient.Ending>()
        let target = try target { client in ending.tell(client.receiveAll(within: 20_000).ending) }
        var proxy: Proxy? = try Proxy(to: target.port)
        let client = try #require(try proxy?.client())
        let ends = proxy?.ends
        proxy = nil
        #expect(client.receiveAll().ending != .open)
        #expect(ending.next() != .open)
        #expect(ends?.next() == [0, 0])
    }
}
