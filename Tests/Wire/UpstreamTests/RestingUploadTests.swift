import SDHTTPTransport
import SDPlatform
import SDTestSupport
import SDUpstream
import Testing

/// Servers that break off while the client sends nothing more of its body, so that nothing is written either: each ends the call
/// at once. Time-outs are far away.
@Suite struct RestingUploadTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let answer: String
        /// The end of the body that is told before the server breaks off.
        let told: String
        /// A part of what went wrong; nil for nothing.
        let problem: String?

        var testDescription: String { answer.isEmpty ? "nothing" : answer }
    }

    private static let ok = "HTTP/1.1 200 OK\r\n"
    private static let noAnswer = "closed the connection without an answer"
    private static let noHead = "closed the connection before the end of its head"
    private static let noEnd = "closed the connection before the end of its answer"

    private static let cases = [
        Case(answer: "", told: "", problem: noAnswer),
        Case(answer: "HTTP/1.1 200 OK\r\nConte", told: "", problem: noHead),
        Case(answer: ok + "\r\n", told: "", problem: nil),
        Case(answer: ok + "\r\nwhole", told: "whole", problem: nil),
        Case(answer: ok + "Connection: close\r\n\r\nwhole", told: "whole", problem: nil),
        Case(answer: ok + "Content-Length: 50\r\n\r\nhello", told: "hello", problem: noEnd),
        Case(answer: ok + "Content-Length: 50\r\n\r\n", told: "", problem: noEnd),
        Case(answer: ok + "Content-Length: 5\r\n\r\nhello", told: "hello", problem: nil),
        Case(answer: ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", told: "hello", problem: noEnd),
        Case(answer: ok + "Transfer-Encoding: chunked\r\n\r\n9\r\nhello", told: "hello", problem: noEnd),
        Case(answer: ok + "Transfer-Encoding: chunked\r\n\r\n", told: "", problem: noEnd),
        Case(answer: ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", told: "hello", problem: nil),
        Case(answer: "HTTP/1.1 500 No\r\nContent-Length: 50\r\n\r\nhello", told: "hello", problem: noEnd),
        Case(
            answer: "HTTP/1.1 500 No\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", told: "hello",
            problem: noEnd),
        Case(answer: "HTTP/1.1 500 No\r\n\r\nwhole", told: "whole", problem: nil),
    ]

    /// How the body is framed, and whether what came is told before the server breaks off.
    private static let ways = [(false, false), (false, true), (true, false), (true, true)]

    @Test(arguments: cases, ways) func aServerThatBreaksOffEndsTheCall(_ one: Case, _ way: (Bool, Bool)) throws {
        let (isChunked, isLate) = way
        let goOn = Events<Bool>()
        let server = try RawServer { connection, _ in
            _ = connection.receive(until: isChunked ? "1\r\na\r\n" : "\r\n\r\na")
            try connection.send(one.answer)
            if isLate { _ = goOn.next() }
        }
        let caller = try Caller()
        let stream = GivenStream(caller.loop, count: isChunked ? nil : 1_000_000)
        let answer = caller.start(UpstreamRequest("POST", "http://127.0.0.1:\(server.port)/", body: .stream(stream)))
        stream.give([0x61])
        if isLate { goOn.tell(true) }
        let whole = try answer.whole()
        #expect(whole.text == one.told)
        if let problem = one.problem {
            #expect(whole.problem?.message.contains(problem) == true, "\(whole)")
        } else {
            #expect(whole.problem == nil, "\(whole)")
        }
        #expect(server.connections == 1)
    }

    /// One that resets the connection.
    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello"]) func aReset(answer text: String) throws
    {
        let goOn = Events<Bool>()
        let server = try RawServer { connection, _ in
            _ = connection.receive(until: "\r\n\r\na")
            try connection.send(text)
            _ = goOn.next()
            connection.reset()
        }
        let caller = try Caller()
        let stream = GivenStream(caller.loop, count: 1_000_000)
        let answer = caller.start(UpstreamRequest("POST", "http://127.0.0.1:\(server.port)/", body: .stream(stream)))
        stream.give([0x61])
        while !text.isEmpty, let event = answer.events.next() { if case .sent = event { break } }
        goOn.tell(true)
        let problem = try answer.whole().problem
        #expect(problem?.kind == .reset, "\(String(describing: problem))")
    }

    /// A server that answers while the client rests is waited for, as long as it does: the client may go on.
    @Test func aServerThatStaysIsSentTheRest() throws {
        let server = try RawServer { connection, _ in
            _ = connection.receive(until: "1\r\na\r\n")
            try connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
            _ = connection.receive(until: "1\r\nb\r\n0\r\n\r\n")
            try connection.send("0\r\n\r\n")
        }
        let caller = try Caller()
        let stream = GivenStream(caller.loop, count: nil)
        let answer = caller.start(UpstreamRequest("POST", "http://127.0.0.1:\(server.port)/", body: .stream(stream)))
        stream.give([0x61])
        while let event = answer.events.next() { if case .sent = event { break } }
        stream.give([0x62])
        stream.end([])
        #expect(try answer.whole().problem == nil)
    }

    /// One that stalls in the middle of its answer is not waited for because the client rests, too.
    @Test func aServerThatStallsHasItsTime() throws {
        let server = try RawServer { connection, _ in
            _ = connection.receive(until: "\r\n\r\na")
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello")
            _ = connection.receiveAll()
        }
        let caller = try Caller { $0.timeout = 100 }
        let stream = GivenStream(caller.loop, count: 1_000_000)
        let answer = caller.start(UpstreamRequest("POST", "http://127.0.0.1:\(server.port)/", body: .stream(stream)))
        stream.give([0x61])
        #expect(try answer.whole().problem?.message.hasSuffix("sent nothing more of its answer for 100 ms") == true)
    }
}
