import SDHTTPTransport
import SDTestSupport
import Testing

/// Scripts that end connections, as a raw client and the observer see them.
@Suite struct ScriptEndingTests {
    /// Answers with one script, sends one request, and returns the bytes and the observer's report.
    private func run(
        _ script: WireScript, request: String = get("/"), unixSocket: Bool = false
    ) throws -> (received: RawClient.Received, end: StreamEnd?) {
        let observer = EndObserver()
        let folder = try TemporaryFolder()
        let path = folder.path + "/socket"
        let server = try TestServer(unixSocket: unixSocket ? path : nil) { _, reply in
            reply.send(script, observer: observer)
        }
        let client = try unixSocket ? RawClient(unixSocket: path) : server.client()
        try client.send(request)
        return (client.receiveAll(), observer.ends.next())
    }

    @Test func anAnswerMayCloseTheConnection() throws {
        let (received, end) = try run(script(answer("x"), .end(.close)))
        expectWire(received, answered("x"), .fin)
        #expect(end?.outcome == .sent)
        #expect(end?.bytesSent == UInt64(answered("x").count))
    }

    @Test func theClientMayAlsoCloseTheConnection() throws {
        let (received, _) = try run(
            script(answer("x"), .end(.keepAlive)), request: get("/", "Connection: close\r\n"))
        expectWire(received, answered("x"), .fin)
    }

    @Test func anAbortBeforeTheFirstByteClosesWithoutAByte() throws {
        let (received, end) = try run(script(.abort(.fin)))
        expectWire(received, "", .fin)
        #expect(end?.outcome == .aborted)
        #expect(end?.bytesSent == 0)
        #expect(end?.firstByteTime == 0)
    }

    @Test func aResetBeforeTheFirstByteSendsNothing() throws {
        let (received, end) = try run(script(.abort(.rst)))
        expectWire(received, "", .rst)
        #expect(end?.outcome == .aborted)
    }

    @Test func anAbortInABodyClosesAfterTheBytesSent() throws {
        let half = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"
        expectWire(try run(script(bytes(half), .abort(.fin))).received, half, .fin)
    }

    @Test(arguments: [
        (WireStep.Abort.cut, "", RawClient.Ending.fin), (.goAway(code: 2), "", .fin),
        (.resetStream(code: 8), "", .rst), (.garbage, "lskdu018973t09sylgasjkfg1][]'./.sdlv", .fin),
    ])
    func anEndingOfOtherProtocolsHasItsNearest(abort: WireStep.Abort, more: String, ending: RawClient.Ending) throws {
        let half = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"
        let (received, end) = try run(script(bytes(half), .abort(abort)))
        expectWire(received, half + more, ending)
        #expect(end?.outcome == .aborted)
        #expect(end?.bytesSent == UInt64(half.utf8.count))
    }

    @Test func aHungAnswerEndsWhenItsClientLeaves() throws {
        let observer = EndObserver()
        let server = try TestServer(limits: .patient) { _, reply in
            reply.send(script(bytes("half"), .abort(.hang)), observer: observer)
        }
        let client = try server.client()
        try client.send(get("/"))
        #expect(client.receive(4).bytes == wire("half"))
        #expect(observer.ends.next(within: 20) == nil)
        client.close()
        #expect(observer.ends.next()?.outcome == .aborted)
    }

    @Test func aResetInABodyComesAfterTheBytesSent() throws {
        let half = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"
        let (received, end) = try run(script(bytes(half), .abort(.rst)))
        expectWire(received, half, .rst)
        #expect(end?.bytesSent == UInt64(half.utf8.count))
    }

    @Test func aResetMayFollowAWait() throws {
        let first = "HTTP/1.1 200 OK\r\n"
        let (received, _) = try run(
            script(bytes(first), .wait(nanoseconds: milliseconds(20)), bytes("X: y\r\n"), .abort(.rst)))
        expectWire(received, first + "X: y\r\n", .rst)
    }

    @Test func aMalformedChunkIsSentAsItIs() throws {
        let broken = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nlskdu018973t09sylgasjkfg1][]'./.sdlv"
        expectWire(try run(script(bytes(broken), .abort(.fin))).received, broken, .fin)
    }

    @Test func bytesThatAreNotHTTPAreSentAsTheyAre() throws {
        let garbage = (0...255).map { UInt8($0) }
        expectWire(try run(script(.raw(WireBytes(garbage)), .abort(.fin))).received, garbage, .fin)
    }

    @Test func aUnixSocketEndsInOrder() throws {
        expectWire(try run(script(answer("x"), .end(.close)), unixSocket: true).received, answered("x"), .fin)
        expectWire(try run(script(.abort(.fin)), unixSocket: true).received, "", .fin)
    }

    @Test(arguments: [WireStep.Abort.fin, .rst])
    func nothingIsServedAfterAnAbort(abort: WireStep.Abort) throws {
        let requests = Events<Void>()
        let server = try TestServer(limits: .patient) { _, reply in
            requests.tell(())
            reply.send(script(.abort(abort)))
        }
        let client = try server.client()
        try client.send(get("/1") + get("/2"))
        expectWire(client.receiveAll(), "", abort == .fin ? .fin : .rst)
        #expect(requests.next() != nil)
        #expect(requests.next(within: 0) == nil)
    }

    @Test func manySendsAndEmptyOnesAreOneAnswer() throws {
        let text = (0..<100).map { "\($0) " }
        let empty = WireBytes([])
        let steps = text.flatMap { [bytes($0), .raw(empty), .pace(empty, 0..<0, bytesPerSecond: 1)] }
        let (received, end) = try run(WireScript([.raw(empty), .wait(nanoseconds: 0)] + steps + [.end(.close)]))
        expectWire(received, text.joined(), .fin)
        #expect(end?.bytesSent == UInt64(text.joined().utf8.count))
    }

    @Test func rangesOfABlockAreSentInTheGivenOrder() throws {
        let block = WireBytes(wire("0123456789"))
        let (received, _) = try run(
            script(
                .raw(block, 8..<10), .raw(block, 3..<3), .pace(block, 0..<3, bytesPerSecond: .max), .end(.close)))
        expectWire(received, "89012", .fin)
    }

    @Test func oneScriptRunsOnManyStreamsAtOnce() throws {
        let shared = script(bytes("a"), .wait(nanoseconds: milliseconds(20)), bytes("b"), .end(.close))
        let server = try TestServer(workers: 3, limits: .patient) { _, reply in reply.send(shared) }
        let clients = try (1...100).map { _ in try server.client() }
        for client in clients { try client.send(get("/")) }
        for client in clients { expectWire(client.receiveAll(), "ab", .fin) }
    }
}
