import SDHTTPTransport
import SDPlatform
import SDTestSupport
import SDUpstream
import Testing

/// Bodies on their way: pieces as they come, and nobody who is slow fills memory.
@Suite struct StreamedCallTests {
    @Test func aStreamIsSentPieceByPiece() throws {
        let requests = Events<String>()
        let server = try RawServer { connection, _ in
            requests.tell(connection.receive(until: "\r\n\r\n").text)
            requests.tell(connection.receive(until: "3\r\nabc\r\n").text)
            requests.tell(connection.receive(until: "2\r\nde\r\n").text)
            requests.tell(connection.receive(until: "0\r\nX-T: 1\r\n\r\n").text)
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
        }
        let caller = try Caller()
        let stream = GivenStream(caller.loop, count: nil)
        let answer = caller.start(UpstreamRequest("POST", "http://127.0.0.1:\(server.port)/", body: .stream(stream)))
        #expect(requests.next()?.hasSuffix("Transfer-Encoding: chunked\r\n\r\n") == true)
        stream.give([0x61, 0x62, 0x63])
        #expect(requests.next() == "3\r\nabc\r\n")
        stream.give([0x64, 0x65])
        #expect(requests.next() == "2\r\nde\r\n")
        stream.end([("X-T", "1")])
        #expect(requests.next() == "0\r\nX-T: 1\r\n\r\n")
        #expect(try answer.whole().text == "hi")
    }

    @Test func aStreamOfKnownLengthIsSentWithIt() throws {
        let server = try TestServer(limits: ServerLimits())
        let caller = try Caller()
        let stream = GivenStream(caller.loop, count: 5)
        let answer = caller.start(UpstreamRequest("PUT", "http://127.0.0.1:\(server.port)/", body: .stream(stream)))
        stream.give([0x61, 0x62])
        stream.give([0x63, 0x64, 0x65])
        stream.end([])
        #expect(
            try answer.whole().text
                == "PUT / HTTP/1.1 keep\n[Host]=[127.0.0.1:\(server.port)]\n[Content-Length]=[5]\nbody 5 abcde")
    }

    @Test func theClientThatLeavesEndsTheCall() throws {
        let gone = Events<RawClient.Ending>()
        let server = try RawServer { connection, _ in gone.tell(connection.receiveAll().ending) }
        let caller = try Caller()
        let stream = GivenStream(caller.loop, count: 5)
        let answer = caller.start(UpstreamRequest("PUT", "http://127.0.0.1:\(server.port)/", body: .stream(stream)))
        stream.give([0x61])
        stream.end(nil)
        let problem = try answer.whole().problem
        #expect(problem?.message == "the client left before the end of the body for 127.0.0.1:\(server.port)")
        #expect(gone.next() != .open)
    }

    /// A server that answers before it has read the body, and then reads no more.
    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nearly", "HTTP/1.1 413 Too Large\r\nContent-Length: 5\r\n\r\nearly",
        "HTTP/1.1 413 Too Large\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nearly\r\n0\r\n\r\n",
        "HTTP/1.1 204 No\r\n\r\n",
    ]) func anEarlyAnswerIsTheEnd(text: String) throws {
        let server = try RawServer { connection, _ in
            _ = connection.receive(until: "\r\n\r\n")
            try connection.send(text)
            _ = connection.receiveAll()
        }
        let caller = try Caller()
        for isWaiting in [false, true] {
            let stream = GivenStream(caller.loop, count: isWaiting ? nil : 1_000_000)
            let answer = caller.start(
                UpstreamRequest("POST", "http://127.0.0.1:\(server.port)/", body: .stream(stream)))
            stream.give([UInt8](repeating: 0x61, count: isWaiting ? 1 : 500_000))
            let whole = try answer.whole()
            #expect(whole.problem == nil)
            #expect(whole.text == (text.contains("204") ? "" : "early"))
        }
    }

    /// A server that refuses an upload by its size, and leaves the rest unread, so that its system resets the connection.
    @Test(arguments: [false, true]) func aRefusalIsReadThoughTheUploadIsReset(
        isSecure: Bool
    ) throws {
        var limits = ServerLimits()
        (limits.body, limits.lingerTimeout) = (1_000, 1)
        let identity = try TLSIdentity(
            chain: wire(TestCertificates.localhost), key: wire(TestCertificates.localhostKey))
        let tls = isSecure ? TLSSettings { _ in .identity(identity) } : nil
        let server = try TestServer(
            limits: limits, listen: { try $0.listen(address: "127.0.0.1", port: 0, tls: tls) })
        let caller = try Caller()
        let scheme = isSecure ? "https" : "http"
        for _ in 0..<20 {
            let stream = EndlessStream(caller.loop, 32 << 20)
            let whole = try caller.call(
                UpstreamRequest("POST", "\(scheme)://127.0.0.1:\(server.port)/", body: .stream(stream)))
            #expect(whole.head?.status == 413, "\(whole)")
        }
    }

    @Test func aPausedAnswerWaitsWithTheServer() throws {
        let sent = Events<Int>()
        let size = 64 << 20
        let server = try RawServer { connection, _ in
            _ = connection.receive(until: "\r\n\r\n")
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
            let piece = [UInt8](repeating: 0x61, count: 1 << 20)
            var count = 0
            while count < size {
                let now = try connection.sendWithoutWaiting(piece)
                count += now
                if now == 0, !connection.waitUntilSendable(milliseconds: 300) {
                    sent.tell(count)
                    _ = connection.waitUntilSendable(milliseconds: 10_000)
                }
            }
            _ = connection.receiveAll()
        }
        let caller = try Caller()
        let answer = PausingAnswer()
        answer.transfer.withLock {
            $0 = caller.upstream.start(
                UpstreamRequest("GET", "http://127.0.0.1:\(server.port)/"), on: caller.loop, answer)
        }
        let stuck = sent.next() ?? size
        #expect(stuck < 16 << 20)
        #expect(answer.count.withLock { $0 } < 2 << 20)
        answer.goOn()
        #expect(answer.ended.next() == true)
        #expect(answer.count.withLock { $0 } == size)
    }

    @Test func aSlowServerIsNotFlooded() throws {
        let size = 64 << 20
        let goOn = Events<Bool>()
        let server = try RawServer { connection, _ in
            let head = connection.receive(until: "\r\n\r\n").bytes.count
            _ = goOn.next()
            _ = connection.receive(size, within: 30_000).bytes.count + head
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
        }
        let caller = try Caller()
        let stream = EndlessStream(caller.loop, size)
        let answer = caller.start(UpstreamRequest("POST", "http://127.0.0.1:\(server.port)/", body: .stream(stream)))
        #expect(stream.paused.next() == true)
        // What the system's buffers of the loopback interface hold is not ours.
        #expect(stream.given.withLock { $0 } < 16 << 20)
        goOn.tell(true)
        #expect(try answer.whole().text == "hi")
        #expect(stream.given.withLock { $0 } == size)
    }

    @Test func cancellingClosesTheConnection() throws {
        let gone = Events<RawClient.Ending>()
        let server = try RawServer { connection, _ in
            _ = connection.receive(until: "\r\n\r\n")
            try connection.send("HTTP/1.1 200 OK\r\n\r\nabc")
            gone.tell(connection.receiveAll().ending)
        }
        let caller = try Caller()
        let answer = caller.start(UpstreamRequest("GET", "http://127.0.0.1:\(server.port)/"))
        while let event = answer.events.next() { if case .sent = event { break } }
        answer.transfer.withLock { $0?.cancel() }
        #expect(gone.next() != .open)
        #expect(answer.events.next(within: 50) == nil)
    }

    @Test func theEndOfTheLoopDropsCalls() throws {
        let gone = Events<RawClient.Ending>()
        let come = Events<Bool>()
        let server = try RawServer { connection, _ in
            _ = connection.receive(until: "\r\n\r\n")
            come.tell(true)
            gone.tell(connection.receiveAll().ending)
        }
        let upstream = Upstream()
        let answer = try {
            let caller = try Caller(upstream)
            let answer = caller.start(UpstreamRequest("GET", "http://127.0.0.1:\(server.port)/"))
            _ = come.next()
            return answer
        }()
        #expect(gone.next() != .open)
        #expect(answer.events.next(within: 20) == nil)
        // It will never be over, and keeps who is told.
        answer.transfer.withLock { $0 = nil }
        // Another loop goes on.
        let other = try answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
        #expect(try Caller(upstream).get("http://127.0.0.1:\(other.port)").text == "hi")
    }

    /// Answers before the answer do not put its time off.
    @Test func informationalAnswersRenewNoTimeLimit() throws {
        let server = try RawServer { connection, _ in
            _ = connection.receive(until: "\r\n\r\n")
            for _ in 0..<600 where connection.receiveAll(within: 50).ending == .open {
                try connection.send("HTTP/1.1 103 Early Hints\r\n\r\n")
            }
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        let whole = try Caller { $0.timeout = 3_000 }.get("http://127.0.0.1:\(server.port)")
        #expect(whole.problem == UpstreamProblem(.timedOut, "127.0.0.1:\(server.port) did not answer within 3000 ms"))
        #expect(!whole.informed.isEmpty)
    }

    /// Event streams have pauses: only the pauses are limited.
    @Test func timeLimits() throws {
        let silent = try RawServer { connection, _ in _ = connection.receiveAll() }
        let stalling = try answering("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc", closing: false)
        let caller = try Caller { $0.timeout = 3_000 }
        let first = try caller.get("http://127.0.0.1:\(silent.port)")
        #expect(first.problem == UpstreamProblem(.timedOut, "127.0.0.1:\(silent.port) did not answer within 3000 ms"))
        let second = try caller.get("http://127.0.0.1:\(stalling.port)")
        #expect(second.text == "abc")
        #expect(
            second.problem
                == UpstreamProblem(.timedOut, "127.0.0.1:\(stalling.port) sent nothing more of its answer for 3000 ms"))
        var patient = UpstreamRequest("GET", "http://127.0.0.1:\(silent.port)")
        patient.timeout = 50
        #expect(try caller.call(patient).problem?.message.hasSuffix("within 50 ms") == true)
    }
}

/// A body that a test gives.
final class GivenStream: BodyStream {
    let count: Int?
    private let loop: Loop
    private let begun = Events<Bool>()
    private let sinks = Locked<(@Sendable ([UInt8]) -> Void, @Sendable ([(name: String, value: String)]?) -> Void)?>(
        nil)

    init(_ loop: Loop, count: Int?) {
        self.loop = loop
        self.count = count
    }

    func begin(
        onBytes: @escaping @Sendable ([UInt8]) -> Void,
        onEnd: @escaping @Sendable ([(name: String, value: String)]?) -> Void
    ) {
        sinks.withLock { $0 = (onBytes, onEnd) }
        begun.tell(true)
    }

    func setReading(_ reads: Bool) {}

    /// Waits until the body is asked for.
    private func sink() -> (@Sendable ([UInt8]) -> Void, @Sendable ([(name: String, value: String)]?) -> Void)? {
        if let sinks = sinks.withLock({ $0 }) { return sinks }
        _ = begun.next()
        return sinks.withLock { $0 }
    }

    func give(_ bytes: [UInt8]) {
        let sink = sink()
        loop.perform { sink?.0(bytes) }
    }

    func end(_ trailers: [(name: String, value: String)]?) {
        let sink = sink()
        loop.perform { sink?.1(trailers) }
    }
}

/// A body of many bytes that is given as fast as it is read.
final class EndlessStream: BodyStream {
    let count: Int?
    let given = Locked(0)
    let paused = Events<Bool>()
    private let loop: Loop
    private let reads = Locked(true)
    private let sinks = Locked<(@Sendable ([UInt8]) -> Void, @Sendable ([(name: String, value: String)]?) -> Void)?>(
        nil)
    private let piece = [UInt8](repeating: 0x62, count: 32_768)

    init(_ loop: Loop, _ size: Int) {
        self.loop = loop
        count = size
    }

    func begin(
        onBytes: @escaping @Sendable ([UInt8]) -> Void,
        onEnd: @escaping @Sendable ([(name: String, value: String)]?) -> Void
    ) {
        sinks.withLock { $0 = (onBytes, onEnd) }
        loop.perform { [self] in give() }
    }

    private func give() {
        guard reads.withLock({ $0 }), let sinks = sinks.withLock({ $0 }) else { return }
        let given = given.withLock { given in
            given += piece.count
            return given
        }
        sinks.0(piece)
        if given >= count ?? 0 { return sinks.1([]) }
        loop.perform { [self] in give() }
    }

    func setReading(_ reads: Bool) {
        self.reads.withLock { $0 = reads }
        if reads { loop.perform { [self] in give() } } else { paused.tell(true) }
    }
}

/// An observer that takes nothing after the first piece until it is told to.
final class PausingAnswer: UpstreamObserver {
    let transfer = Locked<UpstreamTransfer?>(nil)
    let count = Locked(0)
    let ended = Events<Bool>()
    private let isOpen = Locked(false)

    func upstreamAnswers(_ head: UpstreamHead) {}

    func upstreamSends(_ bytes: [UInt8]) {
        count.withLock { $0 += bytes.count }
        if !isOpen.withLock({ $0 }) { transfer.withLock { $0 }?.setReading(false) }
    }

    func upstreamEnds(_ end: Result<[(name: String, value: String)], UpstreamProblem>) {
        if case .success = end { ended.tell(true) } else { ended.tell(false) }
    }

    func goOn() {
        isOpen.withLock { $0 = true }
        transfer.withLock { $0 }?.setReading(true)
    }
}
