import Foundation
import SDHTTPTransport
import SDPlatform
import SDTestSupport
import SDUpstream
import Testing

/// Connections that are kept for later calls, and die: what must not be sent twice is not, and nothing that lies on one becomes an
/// answer. Counted at the server.
@Suite struct PersistentConnectionTests {
    /// A request that is sent after one that was answered.
    struct Call: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let make: @Sendable (String, Loop) -> UpstreamRequest

        init(_ name: String, _ make: @escaping @Sendable (String, Loop) -> UpstreamRequest) {
            (testDescription, self.make) = (name, make)
        }
    }

    private static let bytes = Array("abc".utf8)

    /// What must not be sent twice.
    private static let once = [
        Call("POST with a length") { url, _ in UpstreamRequest("POST", url, body: .bytes(bytes)) },
        Call("POST in chunks") { url, _ in
            var request = UpstreamRequest("POST", url, body: .bytes(bytes))
            request.isChunked = true
            return request
        },
        Call("POST with trailers") { url, _ in
            var request = UpstreamRequest("POST", url, body: .bytes(bytes))
            request.isChunked = true
            request.trailers = [("X-T", "1")]
            return request
        },
        Call("POST on its way, in chunks") { url, loop in
            UpstreamRequest("POST", url, body: .stream(ReadyStream(loop, bytes, count: nil, [("X-T", "1")])))
        },
        Call("POST on its way, with a length") { url, loop in
            UpstreamRequest("POST", url, body: .stream(ReadyStream(loop, bytes, count: 3, [])))
        },
        Call("POST with an empty body") { url, _ in UpstreamRequest("POST", url, body: .bytes([])) },
        Call("POST without a body") { url, _ in UpstreamRequest("POST", url) },
        Call("PUT with a body") { url, _ in UpstreamRequest("PUT", url, body: .bytes(bytes)) },
        Call("PATCH with a body") { url, _ in UpstreamRequest("PATCH", url, body: .bytes(bytes)) },
        Call("DELETE") { url, _ in UpstreamRequest("DELETE", url) },
        Call("GET with a body") { url, _ in UpstreamRequest("GET", url, body: .bytes(bytes)) },
        Call("GET that is sent once") { url, _ in
            var request = UpstreamRequest("GET", url)
            request.isOnce = true
            return request
        },
        Call("get, which is no GET") { url, _ in UpstreamRequest("get", url) },
        Call("another method") { url, _ in UpstreamRequest("PROPFIND", url) },
    ]

    private static let again = ["GET", "HEAD", "OPTIONS", "TRACE"].map { method in
        Call(method) { url, _ in UpstreamRequest(method, url) }
    }

    /// Makes calls of one kind after calls that leave kept connections behind, and says how often each came.
    private func count(_ call: Call, _ failure: ReuseFailure) throws -> (counts: [String: Int], answers: [Answer.Whole])
    {
        let target = try CountingTarget(failure.serve)
        let caller = try Caller()
        var answers: [Answer.Whole] = []
        for index in 0..<3 {
            _ = try caller.get(target.origin + "/kept\(index)")
            answers.append(try caller.call(call.make(target.origin + "/call\(index)", caller.loop)))
        }
        return (target.counts().filter { $0.key.contains("/call") }, answers)
    }

    @Test(arguments: once, ReuseFailure.all) func whatMustNotBeSentTwiceIsSentOnce(
        _ call: Call, _ failure: ReuseFailure
    ) throws {
        let (counts, answers) = try count(call, failure)
        #expect(counts.count == 3 && counts.values.allSatisfy { $0 == 1 }, "\(counts)")
        // On a connection of its own it is the first, which is answered.
        #expect(answers.allSatisfy { $0.problem == nil && $0.head?.status == 200 }, "\(answers)")
    }

    @Test(arguments: again, ReuseFailure.all) func whatMayBeSentTwiceNeverGetsAnothersAnswer(
        _ call: Call, _ failure: ReuseFailure
    ) throws {
        let (counts, answers) = try count(call, failure)
        #expect(counts.count == 3 && counts.values.allSatisfy { $0 <= 2 }, "\(counts)")
        for answer in answers {
            // Never the 408. An answer that has begun is not asked for again.
            #expect(answer.head == nil || answer.head?.status == 200, "\(answer)")
            if failure.testDescription.hasPrefix("half a status") { continue }
            guard failure.testDescription.hasPrefix("half") else {
                #expect(answer.problem == nil, "\(answer)")
                continue
            }
            #expect(counts.values.allSatisfy { $0 == 1 }, "\(counts)")
        }
    }

    /// However many kept connections have died, a call is repeated once, on a new one.
    @Test(arguments: again) private func aCallIsRepeatedOnce(_ call: Call) throws {
        let (come, goOn) = (Events<Bool>(), Events<Bool>())
        let target = try CountingTarget { client, request, count in
            guard count == 1 else { return false }
            if request.call.hasPrefix("GET /kept") {
                come.tell(true)
                _ = goOn.next()
            }
            try client.send(CountingTarget.ok)
            return true
        }
        let caller = try Caller()
        let kept = (0..<8).map { caller.start(UpstreamRequest("GET", target.origin + "/kept\($0)")) }
        for _ in kept { #expect(come.next() == true) }
        for _ in kept { goOn.tell(true) }
        for answer in kept { #expect(try answer.whole().problem == nil) }
        let whole = try caller.call(call.make(target.origin + "/call", caller.loop))
        #expect(whole.problem == nil && whole.head?.status == 200, "\(whole)")
        #expect(target.calls.count { $0.hasSuffix("/call") } == 2)
        #expect(target.connections == 9)
    }

    /// A 408 on a new connection is the answer to what was sent there: also to what is sent for the second time, and to what
    /// is never sent twice.
    @Test(arguments: once + again)
    private func aTimeOutOfAnotherServerIsPassedOn(_ call: Call) throws {
        let target = try CountingTarget { client, request, _ in
            try client.send(request.call == "GET /kept" ? CountingTarget.ok : ReuseFailure.timeout)
            return true
        }
        let caller = try Caller()
        #expect(try caller.call(call.make(target.origin + "/first", caller.loop)).head?.status == 408)
        #expect(target.calls.count == 1)
        #expect(try caller.get(target.origin + "/kept").text == "ok")
        let second = try caller.call(call.make(target.origin + "/second", caller.loop))
        #expect(second.head?.status == 408 && second.problem == nil)
        let isSafe = Self.again.contains { $0.testDescription == call.testDescription }
        #expect(target.calls.count { $0.hasSuffix("/second") } == (isSafe ? 2 : 1))
    }

    /// Bytes that came on an idle connection, however few, are closed with it at once: nobody has to call again for that.
    @Test(
        arguments: [
            "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 200 OK\r\n", "x", "\r\n",
            String(repeating: "x", count: 300_000),
        ]) func aConnectionOnWhichSomethingCameIsClosed(late: String) throws
    {
        let endings = Events<RawClient.Ending>()
        let goOn = Events<Bool>()
        let target = try CountingTarget { client, request, _ in
            try client.send(CountingTarget.ok)
            guard request.call == "GET /first" else { return true }
            _ = goOn.next()
            try client.send(late)
            endings.tell(client.receiveAll().ending)
            return false
        }
        let caller = try Caller()
        #expect(try caller.get(target.origin + "/first").text == "ok")
        goOn.tell(true)
        #expect(endings.next() != .open)
        for index in 1...3 { #expect(try caller.get(target.origin + "/\(index)").text == "ok") }
        #expect(target.connections == 2)
        #expect(target.calls == ["GET /first", "GET /1", "GET /2", "GET /3"])
    }

    /// What has come since the answer is seen before the next request is sent, though the loop may have had no turn since.
    @Test(arguments: once + again) private func whatLiesOnAnIdleConnectionIsSeenBeforeTheNextCall(_ call: Call) throws {
        let sent = Events<Bool>()
        let target = try CountingTarget { client, request, _ in
            try client.send(CountingTarget.ok)
            guard request.call.hasSuffix("/late") else { return true }
            try client.send(ReuseFailure.timeout)
            sent.tell(true)
            return true
        }
        let caller = try Caller()
        for index in 0..<50 {
            #expect(try caller.get(target.origin + "/late").text == "ok")
            #expect(sent.next() == true)
            let whole = try caller.call(call.make(target.origin + "/call\(index)", caller.loop))
            guard whole.problem == nil, whole.head?.status == 200 else {
                Issue.record("\(whole)")
                return
            }
        }
        #expect(target.calls.count == 100)
    }

    /// A paused answer is no idle connection: what lies on it is its own.
    @Test func aPausedAnswerKeepsItsConnection() throws {
        let size = 32 << 20
        let target = try CountingTarget { client, request, _ in
            guard request.call == "GET /large" else {
                try client.send(CountingTarget.ok)
                return true
            }
            try client.send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
            for _ in 0..<32 { try client.send([UInt8](repeating: 0x61, count: 1 << 20)) }
            return true
        }
        let caller = try Caller()
        let answer = PausingAnswer()
        answer.transfer.withLock {
            $0 = caller.upstream.start(
                UpstreamRequest("GET", target.origin + "/large"), on: caller.loop, answer)
        }
        for _ in 0..<20 { #expect(try caller.get(target.origin + "/small").text == "ok") }
        answer.goOn()
        #expect(answer.ended.next(within: 30_000) == true)
        #expect(answer.count.withLock { $0 } == size)
        // One of these took the first one's.
        #expect(target.connections == 2)
    }

    /// An answer that is there as soon as the request is sent is read at once, and rests. The server answers with the first bytes of a long request, so that this happens often.
    @Test func anAnswerThatRestsAtOnceKeepsItsConnection() throws {
        let size = 300_000
        let large = wire("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n") + [UInt8](repeating: 0x61, count: size)
        let server = try RawServer { client, _ in
            for count in 1... {
                var request: [UInt8] = []
                for _ in 0..<100_000 where request.isEmpty { request = client.receiveUntilQuiet(milliseconds: 0).bytes }
                if request.isEmpty { request = client.receiveSome(within: 30_000).bytes }
                if request.isEmpty { return }
                try client.send(count == 1 ? wire(CountingTarget.ok) : large)
                while !request.suffix(4).elementsEqual("\r\n\r\n".utf8) {
                    let more = client.receiveSome(within: 30_000)
                    if more.bytes.isEmpty { return }
                    request += more.bytes
                }
            }
        }
        let caller = try Caller()
        let origin = "http://127.0.0.1:\(server.port)"
        for _ in 0..<100 {
            _ = try caller.get(origin + "/kept")
            let answer = PausingAnswer()
            let request = UpstreamRequest(
                "GET", origin + "/large", headers: [("X-Long", String(repeating: "x", count: 60_000))])
            answer.transfer.withLock { $0 = caller.upstream.start(request, on: caller.loop, answer) }
            // Idle connections are looked at before each call.
            for _ in 0..<3 { _ = try caller.get(origin + "/other") }
            answer.goOn()
            guard answer.ended.next(within: 30_000) == true, answer.count.withLock({ $0 }) == size else {
                Issue.record("\(answer.count.withLock { $0 }) of \(size) bytes")
                return
            }
        }
    }

    /// A server that closes idle connections after 0.5 to 3 ms, and requests of all kinds in between, some at a time. By default some
    /// thousand; `STUNTDOUBLE_STRESS_REQUESTS` says how many.
    @Test func connectionsThatDieSoon() throws {
        let given = ProcessInfo.processInfo.environment["STUNTDOUBLE_STRESS_REQUESTS"]
        let all = given.flatMap { Int($0) } ?? 3_000
        let answered = Locked(0)
        let target = try CountingTarget { client, _, _ in
            try client.send(CountingTarget.ok)
            // Whoever sends in this time is answered.
            let patience = answered.withLock { count in
                count += 1
                return 500 + count * 7_919 % 2_500
            }
            return client.waitUntilReadable(microseconds: patience)
        }
        let caller = try Caller()
        let next = Locked(0)
        let failures = Locked<[String]>([])
        let done = Events<Bool>()
        let calls = Self.again + Self.once
        for _ in 0..<4 {
            runOnThread {
                while let index = next.withLock({ next in
                    next += 1
                    return next <= all ? next : nil
                }) {
                    let url = "\(target.origin)/\(index)"
                    let whole = try? caller.call(calls[index % calls.count].make(url, caller.loop))
                    guard whole?.head?.status != 200 || whole?.problem != nil else { continue }
                    let name = calls[index % calls.count].testDescription
                    failures.withLock { $0.append("\(name): \(String(describing: whole))") }
                }
                done.tell(true)
            }
        }
        for _ in 0..<4 { #expect(done.next(within: 600_000) == true) }
        #expect(failures.withLock { $0 }.isEmpty, "\(failures.withLock { $0.prefix(3) })")
        let counts = target.counts()
        #expect(counts.count == all)
        let twice = counts.filter { call in
            guard call.value > 1, let index = call.key.split(separator: "/").last.flatMap({ Int($0) }) else {
                return false
            }
            return index % calls.count >= Self.again.count
        }
        #expect(twice.isEmpty, "\(twice)")
    }

    // MARK: - TLS

    private static func secured(
        http2: Bool, connections: Locked<Int> = Locked(0),
        _ serve: @escaping @Sendable (Request, consuming Reply) -> Void
    ) throws -> TestServer {
        let identity = try TLSIdentity(
            chain: wire(TestCertificates.localhost), key: wire(TestCertificates.localhostKey))
        let settings = TLSSettings(offersHTTP2: http2) { _ in
            connections.withLock { $0 += 1 }
            return .identity(identity)
        }
        return try TestServer(
            limits: ServerLimits(), listen: { try $0.listen(address: "127.0.0.1", port: 0, tls: settings) }, serve)
    }

    @Test(arguments: once, [false, true]) private func noRequestIsSentTwiceOverTLS(_ call: Call, http2: Bool) throws {
        let counts = Locked<[String: Int]>([:])
        let server = try Self.secured(http2: http2) { request, reply in
            let path = String(decoding: request.path, as: UTF8.self)
            counts.withLock { $0[path, default: 0] += 1 }
            guard path.hasPrefix("/kept") else { return reply.send(WireScript([.abort(.fin)])) }
            var head = ResponseHead(status: 200, reason: "OK")
            head.add("Content-Length", "0")
            reply.send(WireScript([.head(head), .end(.keepAlive)]))
        }
        let caller = try Caller()
        let origin = "https://localhost:\(server.port)"
        for index in 0..<3 {
            #expect(try caller.get(origin + "/kept\(index)").head?.status == 200)
            var request = call.make(origin + "/call\(index)", caller.loop)
            request.speaksHTTP2 = http2
            #expect(try caller.call(request).problem != nil)
        }
        let all = counts.withLock { $0 }.filter { $0.key.contains("/call") }
        #expect(all == ["/call0": 1, "/call1": 1, "/call2": 1])
    }

    /// What comes behind an answer in the same record of TLS is decrypted with it, where no poll sees it. It is nobody's answer.
    @Test(arguments: ["HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nEVIL", "\r\n", "x", "HTTP/1.1 200 OK\r\nContent-Le"])
    func whatOpenSSLHoldsIsNoAnswer(rest: String) throws {
        let connections = Locked(0)
        let size = 100_000
        let body = WireBytes([UInt8](repeating: 0x61, count: size) + wire(rest))
        let server = try Self.secured(http2: false, connections: connections) { request, reply in
            var head = ResponseHead(status: 200, reason: "OK")
            head.add("Content-Length", "\(size)")
            reply.send(WireScript([.head(head), .body(body), .end(.keepAlive)]))
        }
        let caller = try Caller()
        for count in 1...6 {
            let answer = try caller.get("https://localhost:\(server.port)/")
            #expect(answer.problem == nil && answer.head?.status == 200, "\(answer.problem as Any)")
            #expect(answer.body.count == size)
            #expect(connections.withLock { $0 } == count)
        }
    }

    @Test func connectionsAreKeptOverTLS() throws {
        let connections = Locked(0)
        let server = try Self.secured(http2: false, connections: connections) { request, reply in
            var head = ResponseHead(status: 200, reason: "OK")
            head.add("Content-Length", "0")
            reply.send(WireScript([.head(head), .end(.keepAlive)]))
        }
        let caller = try Caller()
        for _ in 0..<10 { #expect(try caller.get("https://localhost:\(server.port)/").head?.status == 200) }
        #expect(connections.withLock { $0 } == 1)
        for count in 2...4 {
            let post = UpstreamRequest("POST", "https://localhost:\(server.port)/", body: .bytes([]))
            #expect(try caller.call(post).head?.status == 200)
            #expect(connections.withLock { $0 } == count)
        }
        #expect(try caller.get("https://localhost:\(server.port)/").head?.status == 200)
        #expect(connections.withLock { $0 } == 4)
    }
}

/// A body that is there.
final class ReadyStream: BodyStream {
    let count: Int?
    private let loop: Loop
    private let bytes: [UInt8]
    private let trailers: [(name: String, value: String)]

    init(_ loop: Loop, _ bytes: [UInt8], count: Int?, _ trailers: [(name: String, value: String)]) {
        (self.loop, self.bytes, self.count, self.trailers) = (loop, bytes, count, trailers)
    }

    func begin(
        onBytes: @escaping @Sendable ([UInt8]) -> Void,
        onEnd: @escaping @Sendable ([(name: String, value: String)]?) -> Void
    ) {
        loop.perform { [self] in
            onBytes(bytes)
            onEnd(trailers)
        }
    }

    func setReading(_ reads: Bool) {}
}
