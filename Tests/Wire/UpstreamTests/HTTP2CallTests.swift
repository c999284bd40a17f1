import SDHTTPTransport
import SDTestSupport
import Testing

@testable import SDUpstream

/// Calls in HTTP/2 to servers that keep the rules, break them, or break off.
@Suite struct HTTP2CallTests {
    /// A server in the clear that sends its settings, and what it answers once the head of the request has come.
    static func server(_ answer: @escaping @Sendable (RawClient) throws -> Void) throws -> RawServer {
        try RawServer { client, _ in
            guard client.receive(HTTP2Client.preface.count).bytes == HTTP2Client.preface else { return }
            try client.send(HTTP2Frame(.settings, []).bytes)
            while let frame = HTTP2Frame(from: client) {
                guard frame.kind == HTTP2Frame.Kind.headers.rawValue else { continue }
                try answer(client)
                _ = client.receiveAll()
                return
            }
        }
    }

    static func fields(_ fields: [(String, String)], ends: Bool = false) -> [UInt8] {
        HTTP2Frame(.headers, HTTP2Frame.endHeaders | (ends ? 1 : 0), stream: 1, HTTP2Frame.block(fields)).bytes
    }

    static func data(_ text: String, ends: Bool = false) -> [UInt8] {
        HTTP2Frame(.data, ends ? 1 : 0, stream: 1, wire(text)).bytes
    }

    static func reset(_ code: UInt32) -> [UInt8] {
        HTTP2Frame(.resetStream, 0, stream: 1, HTTP2Frame.number(code)).bytes
    }

    static func request(
        _ server: RawServer, _ method: String = "GET", body: UpstreamRequest.Body = .none, timeout: Int = 30_000
    ) -> UpstreamRequest {
        var request = UpstreamRequest(method, "http://localhost:\(server.port)/x?y", body: body)
        request.speaksHTTP2 = true
        request.timeout = timeout
        return request
    }

    static let ok = fields([(":status", "200"), ("x-a", "1")])

    @Test func anAnswerIsTold() throws {
        let server = try Self.server { client in
            try client.send(
                Self.fields([(":status", "103"), ("link", "</a>")]) + Self.ok + Self.data("hel") + Self.data("lo"))
            try client.send(Self.fields([("x-t", "é")], ends: true))
        }
        let whole = try Caller().call(Self.request(server))
        #expect(whole.informed.map(\.status) == [103])
        #expect(whole.head?.version == .http2 && whole.headers == ["x-a: 1"])
        #expect(whole.text == "hello" && whole.trailers.map(\.name) == ["x-t"] && whole.problem == nil)
    }

    /// What breaks off in the middle is never taken for whole, whatever the server calls it.
    @Test(
        arguments: [
            (reset(0), "NO_ERROR"), (reset(8), "CANCEL"), (reset(2), "INTERNAL_ERROR"),
            // An unknown length, a stream that nobody opened, padding beyond the frame, a bad setting, text of HTTP/1.1.
            (HTTP2Frame(.ping, [1, 2, 3]).bytes, ""), (HTTP2Frame(.data, 0, stream: 3, [1]).bytes, ""),
            (HTTP2Frame(.data, 8, stream: 1, [255, 1]).bytes, ""),
            (HTTP2Frame(.settings, [0, 5, 0, 0, 0, 1]).bytes, ""),
            (wire("HTTP/1.1 400 x\r\n\r\n"), ""), (HTTP2Frame(.windowUpdate, 0, stream: 1, [0, 0, 0, 0]).bytes, ""),
            (HTTP2Frame(.headers, 5, stream: 1, [255, 255, 255, 255, 255]).bytes, ""),
            (HTTP2Frame(.goAway, HTTP2Frame.number(0) + HTTP2Frame.number(1)).bytes, ""),
        ] as [([UInt8], String)])
    func whatBreaksOffIsNoAnswer(bytes: [UInt8], word: String) throws {
        for hasLength in [false, true] {
            let server = try Self.server { client in
                let length = hasLength ? [("content-length", "9")] : []
                try client.send(Self.fields([(":status", "200")] + length) + Self.data("part") + bytes)
            }
            let whole = try Caller().call(Self.request(server))
            #expect(whole.head?.status == 200 && whole.text == "part")
            let message = try #require(whole.problem?.message)
            #expect(message.hasPrefix("localhost:\(server.port) ") && message.contains(word), "\(message)")
        }
    }

    /// A length that is not kept, a status that is none, and heads without end.
    @Test(arguments: [
        fields([(":status", "200"), ("content-length", "9")]) + data("part", ends: true),
        fields([(":status", "200"), ("content-length", "2")]) + data("part", ends: true),
        fields([(":status", "000")], ends: true), fields([("x", "y")], ends: true),
        fields([(":status", "200"), ("connection", "close")], ends: true),
        [UInt8]((0...101).flatMap { _ in fields([(":status", "103")]) }),
    ])
    func whatContradictsItselfIsRefused(bytes: [UInt8]) throws {
        let server = try Self.server { try $0.send(bytes) }
        #expect(try Caller().call(Self.request(server)).problem != nil)
    }

    /// Frames that say nothing keep neither the loop nor the call: the time limit counts.
    @Test(arguments: [
        HTTP2Frame(.data, 0, stream: 1), HTTP2Frame(.windowUpdate, 0, stream: 0, [0, 0, 0, 1]),
        HTTP2Frame(.priority, 0, stream: 1, [0, 0, 0, 0, 1]), HTTP2Frame(kind: 99, 0, stream: 1, [1]),
    ])
    func framesWithoutContentAreNoProgress(frame: HTTP2Frame) throws {
        let server = try Self.server { client in
            try client.send(Self.ok)
            let many = [UInt8](repeatElement(frame.bytes, count: 500).joined())
            while true { try client.send(many) }
        }
        let whole = try Caller().call(Self.request(server, timeout: 500))
        #expect(
            whole.problem?.kind == .timedOut || whole.problem?.kind == .malformed,
            "\(String(describing: whole.problem))")
    }

    /// An answer that is whole before the upload is ends the call, whether the server says so with a reset or not.
    @Test(
        arguments: [[], reset(0), HTTP2Frame(.goAway, HTTP2Frame.number(1) + HTTP2Frame.number(0)).bytes], [200, 413])
    func anAnswerMayComeBeforeTheUploadHasEnded(behind: [UInt8], status: Int) throws {
        let server = try Self.server { client in
            let head = Self.fields([(":status", "\(status)")])
            try client.send(head + Self.data("early") + Self.fields([("x-t", "1")], ends: true) + behind)
        }
        let whole = try Caller().call(Self.request(server, "POST", body: .stream(RestingBody())))
        #expect(whole.text == "early" && whole.head?.status == status && whole.problem == nil, "\(whole)")
        #expect(whole.trailers.map(\.name) == ["x-t"])
    }

    /// A request that is whole ends with its last bytes, and not in a frame of its own.
    @Test func aWholeRequestEndsWithItsBytes() throws {
        let frames = Events<HTTP2Frame>()
        let server = try RawServer { client, _ in
            _ = client.receive(HTTP2Client.preface.count)
            try client.send(HTTP2Frame(.settings, []).bytes)
            while let frame = HTTP2Frame(from: client) {
                frames.tell(frame)
                if frame.flags & 1 != 0, frame.kind == 0 {
                    try client.send(Self.fields([(":status", "204")], ends: true))
                }
            }
        }
        let whole = try Caller().call(Self.request(server, "POST", body: .bytes(wire("hello"))))
        #expect(whole.head?.status == 204)
        var kinds: [UInt8] = []
        while kinds.last != 0, let frame = frames.next() { kinds.append(frame.kind) }
        #expect(kinds.filter { $0 < 2 } == [1, 0])
    }
}

/// A body that never comes.
private final class RestingBody: BodyStream {
    var count: Int? { nil }

    func begin(
        onBytes: @escaping @Sendable ([UInt8]) -> Void,
        onEnd: @escaping @Sendable (_ trailers: [(name: String, value: String)]?) -> Void
    ) {
        onBytes(wire("begun"))
    }

    func setReading(_ reads: Bool) {}
}
