import Foundation
import Testing

@testable import StuntDoubleClient

@Suite struct TransportTests {
    /// Takes an answer in pieces of so many bytes.
    private func parse(_ text: String, pieces: Int, onBody: (@Sendable (ArraySlice<UInt8>) -> Void)? = nil) throws
        -> AnswerParser
    {
        var parser = AnswerParser()
        let bytes = Array(text.utf8)
        for begin in stride(from: 0, to: bytes.count, by: pieces) {
            try parser.consume(bytes[begin..<min(begin + pieces, bytes.count)], onBody: onBody)
        }
        return parser
    }

    @Test(arguments: [1, 2, 3, 7, 1_000])
    func answersAreReadWhateverTheirPieces(pieces: Int) throws {
        let plain = try parse("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX: a\r\n\r\nhello", pieces: pieces)
        #expect(plain.isDone)
        #expect(plain.answer?.bodyText == "hello")
        #expect(plain.answer?.header("x") == "a")

        let chunked = try parse(
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "3;x=y\r\nabc\r\nA\r\n0123456789\r\n0\r\nT: 1\r\n\r\n", pieces: pieces)
        #expect(chunked.isDone)
        #expect(chunked.answer?.status == 404)
        #expect(chunked.answer?.bodyText == "abc0123456789")

        var open = try parse("HTTP/1.1 200 OK\r\n\r\nuntil the end", pieces: pieces)
        #expect(!open.isDone)
        let isWhole = open.finish()
        #expect(isWhole)
        #expect(open.answer?.bodyText == "until the end")

        var cut = try parse("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel", pieces: pieces)
        let isCutWhole = cut.finish()
        #expect(!isCutWhole)
        #expect(try parse("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n", pieces: pieces).keepsAlive == false)
    }

    @Test(arguments: ["SSH-2.0-OpenSSH\r\n", "HTTP/1.1 2x0 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n"])
    func whatIsNoAnswerIsRefused(text: String) {
        #expect(throws: AnswerParser.Malformed.self) { try parse(text, pieces: 4) }
    }

    @Test(arguments: [1, 3, 1_000])
    func eventsAreReadWhateverTheirPieces(pieces: Int) {
        let bytes = Array(": events\nid: 1\n\nevent: request\nid: 2\ndata: {\"a\":\ndata: 1}\n\n:\n\ndata:x\n\n".utf8)
        var parser = EventParser()
        var events: [EventParser.Event] = []
        for begin in stride(from: 0, to: bytes.count, by: pieces) {
            events += parser.consume(bytes[begin..<min(begin + pieces, bytes.count)])
        }
        #expect(
            events == [
                EventParser.Event(id: "1"),
                EventParser.Event(type: "request", id: "2", data: Array("{\"a\":\n1}".utf8)),
                EventParser.Event(data: Array("x".utf8)),
            ])
    }

    @Test func aServerThatIsNotThereIsTold() async throws {
        let mock = MockServer(url: try #require(URL(string: "http://127.0.0.1:1")))
        let error = await #expect(throws: MockServerError.self) { try await mock.requests }
        #expect(error?.description.hasPrefix("GET /__admin/requests?after=0&details=true: nothing answers at") == true)
        #expect(error?.status == nil)
    }

    @Test(arguments: ["https://127.0.0.1:8080", "ftp://x", "/path", "http://"])
    func aURLThatLeadsToNoServerIsToldAtTheFirstCall(text: String) async throws {
        let mock = MockServer(url: try #require(URL(string: text)))
        let error = await #expect(throws: MockServerError.self) { try await mock.requests }
        #expect(error?.message.contains("expected one such as http://127.0.0.1:8080") == true)
    }

    @Test func theURLMayNameASessionAUserAndAHost() async throws {
        let url = try #require(URL(string: "http://ann:secret@localhost:8080/__session/s1-x/"))
        let mock = MockServer(url: url)
        #expect(mock.sessionID == "s1-x")
        #expect(mock.url.absoluteString == "http://localhost:8080/__session/s1-x")
        #expect(mock.host.authorization == "Basic YW5uOnNlY3JldA==")
        #expect(mock.environment == ["STUNTDOUBLE_URL": mock.url.absoluteString, "STUNTDOUBLE_SESSION": "s1-x"])
    }

    @Test func sessionsAreReachedByEachOfTheirURLs() async throws {
        try await withSession { mock in
            try await mock.stub(.get("/a"), .text("a"))
            let byPort = MockServer(url: mock.url)
            #expect(try await byPort.stubs.count == 1)
            let port = try #require(URL(string: mock.host.baseText + mock.callPrefix))
            let byPath = MockServer(url: port)
            #expect(try await byPath.stubs.count == 1)
            #expect(try await get("/a", of: byPath).text == "a")
            let byName = try #require(URL(string: "http://localhost:\(mock.url.port ?? 0)"))
            #expect(try await MockServer(url: byName).stubs.count == 1)
        }
    }

    @Test func aCallThatTakesTooLongEnds() async throws {
        try await withSession { mock in
            try await mock.stub(.get("/slow"), .text("late").hold("never"))
            var request = ServerRequest(method: "GET", target: "/slow")
            request.timeout = .milliseconds(50)
            let transport = ServerLocation(mock.url).transport()
            let error = await #expect(throws: MockServerError.self) { try await transport.send(request) }
            #expect(error?.message.contains("no answer within 0.05 seconds") == true)
            // The call may have ended before the server read it.
            try await mock.verify(.get("/slow"), .exactly(1), within: .seconds(300))
        }
    }

    @Test(.timeLimit(.minutes(30))) func aCancelledTaskEndsItsCallAtOnce() async throws {
        try await withSession { mock in
            try await mock.stub(.get("/slow"), .text("late").hold("never"))
            let transport = ServerLocation(mock.url).transport()
            let waiting = Task { try await transport.send(ServerRequest(method: "GET", target: "/slow")) }
            try await mock.verify(.get("/slow"), .exactly(1), within: .seconds(300))
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
        }
    }

    /// The thread of the sockets rings its own bell, too, which others may have rung any number of times meanwhile.
    @Test func aBellThatNobodyHearsKeepsNobodyWaiting() throws {
        let bell = try SocketCalls.bell()
        for _ in 0..<200_000 { SocketCalls.poke(bell.write) }
        var buffer: [UInt8] = [0]
        #expect(SocketCalls.receive(bell.read, into: &buffer) == .bytes(1))
        SocketCalls.closeDescriptor(bell.read)
        SocketCalls.closeDescriptor(bell.write)
    }

    @Test func manySessionsAtOnceShareAFewConnections() async throws {
        try await withSession { mock in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        let session = try await mock.makeSession(ownPort: false)
                        try await session.stub(.get("/same"), .text("\(number)"))
                        #expect(try await session.stubs.first?.json["response"]?["body"] == "\(number)")
                        try await session.end()
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}
