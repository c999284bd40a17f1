import SDHTTPTransport
import SDTestSupport
import Testing

/// Answers to requests that came together leave together, and nothing that comes between them can be told by it.
@Suite struct CoalescedRepliesTests {
    private static func plain(_ body: String) -> WireScript { script(answer(body), .end(.keepAlive)) }

    /// A server that answers each request with its path, but `/odd` as it is told; and the ends of all answers.
    private struct NotingServer {
        let server: TestServer
        let ends = Locked<[(path: String, end: StreamEnd)]>([])

        init(
            limits: ServerLimits = .patient,
            _ odd: @escaping @Sendable (consuming Reply, NotedEnd) -> Void = { _, _ in }
        )
            throws
        {
            server = try TestServer(limits: limits) { [ends] request, reply in
                let path = String(decoding: request.path, as: UTF8.self)
                let observer = NotedEnd { end in ends.withLock { $0.append((path, end)) } }
                if path == "/odd" { return odd(reply, observer) }
                reply.send(CoalescedRepliesTests.plain(path), observer: observer)
            }
        }

        /// The ends, once there are so many.
        func ends(_ count: Int) throws -> [(path: String, end: StreamEnd)] {
            let all = eventually(within: 10_000) { ends.withLock { $0.count == count ? $0 : nil } }
            return try #require(all, "\(ends.withLock { $0.count }) of \(count) ends were told")
        }
    }

    private final class NotedEnd: StreamObserver {
        private let note: @Sendable (StreamEnd) -> Void
        init(_ note: @escaping @Sendable (StreamEnd) -> Void) { self.note = note }
        func streamEnded(_ end: StreamEnd) { note(end) }
    }

    @Test func theyLeaveInOneWrite() throws {
        let noting = try NotingServer()
        let paths = (0..<16).map { "/\($0)" }
        let expected = paths.flatMap { answered($0) }
        // A machine that pauses in the middle lets some of them leave earlier.
        let writes = try (1...20).map { _ in
            noting.ends.withLock { $0 = [] }
            let client = try noting.server.client()
            try client.send(paths.map { get($0) }.joined())
            expectWire(client.receive(expected.count), expected, .open)
            let ends = try noting.ends(paths.count)
            #expect(ends.map(\.path) == paths)
            for (path, end) in ends {
                #expect(end.outcome == .sent && end.bytesSent == answered(path).count)
                #expect(end.firstByteTime > 0 && end.firstByteTime <= end.endTime)
            }
            return Set(ends.map(\.end.firstByteTime)).count
        }
        // A turn has a limit in time, too, which a sanitizer needs for a few answers.
        let most = ProcessFacts.isSanitized ? paths.count / 2 : 1
        #expect((writes.min() ?? paths.count) <= most, "\(writes) writes")
    }

    // MARK: What comes between

    /// An answer that does not leave with others, and what the client gets of it, and of the connection.
    struct Odd: Sendable, CustomTestStringConvertible {
        let name: String
        let steps: @Sendable () -> WireScript
        let bytes: [UInt8]
        var ending: RawClient.Ending = .open
        var outcome: StreamEnd.Outcome = .sent
        var testDescription: String { name }
    }

    private static let large = [UInt8](repeating: 0x79, count: 200_000)

    static let odd: [Odd] = [
        Odd(name: "a reset", steps: { script(.abort(.rst)) }, bytes: [], ending: .rst, outcome: .aborted),
        Odd(
            name: "an end without an answer", steps: { script(.abort(.fin)) }, bytes: [], ending: .fin,
            outcome: .aborted),
        Odd(
            name: "half an answer and a reset", steps: { script(bytes("HTTP/1.1 2"), .abort(.rst)) },
            bytes: wire("HTTP/1.1 2"), ending: .rst, outcome: .aborted),
        Odd(name: "a close", steps: { script(answer("odd"), .end(.close)) }, bytes: answered("odd"), ending: .fin),
        Odd(
            name: "a delay", steps: { script(.wait(nanoseconds: milliseconds(30)), answer("odd"), .end(.keepAlive)) },
            bytes: answered("odd")),
        Odd(
            name: "a delay within",
            steps: {
                script(
                    bytes("HTTP/1.1 200 OK\r\n"), .wait(nanoseconds: milliseconds(30)),
                    bytes("Content-Length: 0\r\n\r\n"), .end(.keepAlive))
            }, bytes: answered("")),
        Odd(
            name: "a delay of nothing", steps: { script(.wait(nanoseconds: 0), answer("odd"), .end(.keepAlive)) },
            bytes: answered("odd")),
        Odd(
            name: "a slow body",
            steps: {
                script(
                    .pace(WireBytes(answered("odd")), 0..<answered("odd").count, bytesPerSecond: 2_000),
                    .end(.keepAlive))
            },
            bytes: answered("odd")),
        Odd(
            name: "a large body", steps: { script(.raw(WireBytes(plainAnswer(large))), .end(.keepAlive)) },
            bytes: plainAnswer(large)),
    ]

    private static let before = ["/1", "/2", "/3"]
    private static let after = ["/4", "/5"]

    @Test(arguments: odd, [false, true])
    func nothingStandsInItsWay(odd: Odd, isHalfClosed: Bool) throws {
        let noting = try NotingServer { reply, observer in reply.send(odd.steps(), observer: observer) }
        let client = try noting.server.client()
        try client.send((Self.before + ["/odd"] + Self.after).map { get($0) }.joined())
        if isHalfClosed { client.finishSending() }
        var expected = Self.before.flatMap { answered($0) } + odd.bytes
        var paths = Self.before + ["/odd"]
        if odd.ending == .open {
            expected += Self.after.flatMap { answered($0) }
            paths += Self.after
        }
        let ending = isHalfClosed && odd.ending == .open ? .fin : odd.ending
        let received = ending == .open ? client.receive(expected.count) : client.receiveAll()
        expectWire(received, expected, ending)
        let ends = try noting.ends(paths.count)
        #expect(ends.map(\.path) == paths)
        for (path, end) in ends {
            #expect(end.outcome == (path == "/odd" ? odd.outcome : .sent))
            #expect(end.bytesSent == (path == "/odd" ? odd.bytes : answered(path)).count)
        }
    }

    @Test func anAnswerThatIsOwedLetsThoseBeforeItGo() throws {
        let owed = Events<(reply: HeldReply, observer: NotedEnd)>()
        let noting = try NotingServer { reply, observer in owed.tell((HeldReply(reply), observer)) }
        let client = try noting.server.client()
        try client.send((Self.before + ["/odd"] + Self.after).map { get($0) }.joined())
        let first = Self.before.flatMap { answered($0) }
        expectWire(client.receive(first.count), first, .open)
        #expect(try noting.ends(3).map(\.end.outcome) == [.sent, .sent, .sent])
        let (reply, observer) = try #require(owed.next())
        reply.send(Self.plain("odd"), observer: observer)
        let rest = answered("odd") + Self.after.flatMap { answered($0) }
        expectWire(client.receive(rest.count), rest, .open)
        #expect(try noting.ends(6).map(\.path) == Self.before + ["/odd"] + Self.after)
    }

    /// An answer may say what became of those before it.
    @Test func theEndsOfThoseBeforeItAreTold() throws {
        let told = Locked<Int?>(nil)
        let ends = Locked(0)
        let server = try TestServer(limits: .patient) { request, reply in
            guard request.path.elementsEqual(wire("/odd")) else {
                return reply.send(Self.plain("x"), observer: NotedEnd { _ in ends.withLock { $0 += 1 } })
            }
            reply.sendEarlierAnswers()
            told.withLock { $0 = ends.withLock { $0 } }
            reply.send(Self.plain("odd"))
        }
        let client = try server.client()
        try client.send((Self.before + ["/odd"] + Self.after).map { get($0) }.joined())
        let expected = answered("x") + answered("x") + answered("x") + answered("odd") + answered("x") + answered("x")
        expectWire(client.receive(expected.count), expected, .open)
        #expect(told.withLock { $0 } == 3)
    }

    // MARK: What the server says itself

    @Test func aRefusalComesAfterThem() throws {
        let noting = try NotingServer()
        let client = try noting.server.client()
        try client.send(Self.before.map { get($0) }.joined() + "nonsense\r\n\r\n")
        let received = client.receiveAll()
        let first = Self.before.flatMap { answered($0) }
        #expect(received.bytes.starts(with: first))
        #expect(received.bytes.dropFirst(first.count).starts(with: wire("HTTP/1.1 400 ")) && received.ending == .fin)
        #expect(try noting.ends(3).map(\.end.outcome) == [.sent, .sent, .sent])
    }

    @Test func aBodyThatIsAskedForComesAfterThem() throws {
        let noting = try NotingServer()
        let client = try noting.server.client()
        let upload = "PUT /4 HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n"
        try client.send(Self.before.map { get($0) }.joined() + upload)
        let first = Self.before.flatMap { answered($0) } + wire("HTTP/1.1 100 Continue\r\n\r\n")
        expectWire(client.receive(first.count), first, .open)
        try client.send("hello" + get("/5"))
        let rest = Self.after.flatMap { answered($0) }
        expectWire(client.receive(rest.count), rest, .open)
    }

    @Test func theyDoNotWaitForTheRestOfARequest() throws {
        for rest in ["G", "GET /4 HTTP/1.1\r\nHost", "PUT /4 HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhel"] {
            let noting = try NotingServer()
            let client = try noting.server.client()
            try client.send(Self.before.map { get($0) }.joined() + rest)
            let first = Self.before.flatMap { answered($0) }
            expectWire(client.receive(first.count), first, .open)
        }
    }

    // MARK: Slow clients

    private static let body = String(repeating: "z", count: 3_000)

    /// A server with answers of 3 KB, and the ends of these.
    private func serverOfLongAnswers(_ limits: ServerLimits) throws -> (TestServer, Locked<[StreamEnd]>) {
        let ends = Locked<[StreamEnd]>([])
        let server = try TestServer(limits: limits) { request, reply in
            let body = String(decoding: request.path, as: UTF8.self) + Self.body
            reply.send(Self.plain(body), observer: NotedEnd { end in ends.withLock { $0.append(end) } })
        }
        return (server, ends)
    }

    @Test func aSlowClientGetsThemAllInTheirOrder() throws {
        let count = 3_000
        let (server, ends) = try serverOfLongAnswers(.patient)
        let client = try server.client()
        client.shrinkReceiveBuffer(to: 65_536)
        var rest = wire((0..<count).map { get("/\($0)") }.joined())[...]
        let expected = (0..<count).flatMap { answered("/\($0)" + Self.body) }
        var received = RawClient.Received([], .open)
        while !rest.isEmpty {
            let sent = try client.sendWithoutWaiting(Array(rest.prefix(100_000)))
            rest = rest.dropFirst(sent)
            if sent > 0 { continue }
            let part = client.receive(50_000)
            received = RawClient.Received(received.bytes + part.bytes, part.ending)
        }
        client.finishSending()
        let last = client.receiveAll(within: 60_000)
        let isWhole = received.bytes + last.bytes == expected
        #expect(isWhole && last.ending == .fin, "\(received.bytes.count + last.bytes.count) of \(expected.count) bytes")
        let all = eventually(within: 10_000) { ends.withLock { $0.count == count ? $0 : nil } }
        #expect(all?.allSatisfy { $0.outcome == .sent } == true)
        #expect(all?.reduce(0) { $0 + $1.bytesSent } == UInt64(expected.count))
    }

    /// Each answer has one end, and says what of it the system took.
    @Test(arguments: [StreamEnd.Outcome.clientStalled, .clientDisconnected, .stopped])
    func aClientThatReadsNothingEndsThem(outcome: StreamEnd.Outcome) throws {
        let (server, ends) = try serverOfLongAnswers(outcome == .clientStalled ? .short : .patient)
        let client = try server.client()
        client.shrinkReceiveBuffer(to: 4_096)
        let block = wire(String(repeating: get("/"), count: 2_000))
        // The server may have ended them meanwhile.
        while let sent = try? client.sendWithoutWaiting(block),
            sent > 0 || client.waitUntilSendable(milliseconds: 200)
        {}
        switch outcome {
        case .clientDisconnected: client.reset()
        case .stopped: server.server.stopAndWait()
        default: break
        }
        let size = UInt64(answered("/" + Self.body).count)
        // A server that is stopped has told all ends; one that was about to take its next turn owes none.
        let all = try #require(
            outcome == .stopped
                ? ends.withLock { $0 }
                : eventually(within: 20_000) { ends.withLock { $0.contains { $0.outcome != .sent } ? $0 : nil } })
        let place = all.firstIndex { $0.outcome != .sent } ?? all.endIndex
        #expect(all[..<place].allSatisfy { $0.bytesSent == size && $0.bodyBytesSent == nil })
        for (index, end) in all[place...].enumerated() {
            #expect(end.outcome == outcome)
            #expect(end.bytesSent < size && (index == 0 || end.bytesSent == 0))
        }
    }
}
