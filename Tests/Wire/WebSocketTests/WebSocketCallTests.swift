import SDHTTPTransport
import SDTestSupport
import SDWebSocket
import Testing

/// The client's side of a WebSocket: how a server is asked, what it may answer, and what it is sent.
@Suite struct WebSocketCallTests {
    /// The call for a request with fields, whose server says what the test wants to know.
    private static func call(_ fields: String, _ judge: @escaping @Sendable (WebSocketCall) -> String) throws -> String
    {
        let server = try TestServer(limits: .channels) { request, reply in
            let text = (try? WebSocketOffer(request)).map { judge(WebSocketCall($0, of: request)) } ?? "no offer"
            var head = ResponseHead(status: 200, reason: "OK")
            head.add("Content-Length", "\(text.utf8.count)")
            reply.send(WireScript([.head(head), .body(WireBytes(utf8(text))), .end(.close)]))
        }
        let client = try server.client()
        try client.send(EchoServer.request("/", fields))
        return client.receiveAll().text.split(separator: "\r\n\r\n").dropFirst().joined()
    }

    private static let accept = ("sec-websocket-accept", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    private static let offer = "permessage-deflate; server_no_context_takeover; client_no_context_takeover"

    private struct Answer: Sendable, CustomStringConvertible {
        let asked: String
        let fields: [(String, String)]
        let words: String
        var description: String { "\(asked) \(fields)" }

        init(_ asked: String, _ fields: [(String, String)], _ words: String) {
            (self.asked, self.fields, self.words) = (asked, fields, words)
        }
    }

    private static let compresses = "Sec-WebSocket-Extensions: permessage-deflate\r\n"
    private static let protocols = "Sec-WebSocket-Protocol: one, two\r\n"

    private static let answers: [Answer] = [
        Answer("", [accept], "fine"), Answer(protocols, [accept, ("Sec-WebSocket-Protocol", "two")], "fine"),
        Answer(compresses, [accept], "fine"),
        Answer(compresses, [accept, ("Sec-WebSocket-Extensions", offer)], "fine, compressed"),
        Answer(
            compresses, [accept, ("sec-websocket-extensions", "permessage-deflate;server_no_context_takeover")],
            "fine, compressed"),
        Answer("", [], "expected s3pPLMBiTxaQ9kYGzzhZRbK+xOo=, found none"),
        Answer("", [("Sec-WebSocket-Accept", "x")], "found x"),
        Answer("", [accept, accept], "found s3pPLMBiTxaQ9kYGzzhZRbK+xOo=, s3pPLMBiTxaQ9kYGzzhZRbK+xOo="),
        Answer(
            "", [accept, ("Sec-WebSocket-Protocol", "two")], "the sub-protocol two, of which the client offers none"),
        Answer(protocols, [accept, ("Sec-WebSocket-Protocol", "three")], "of which the client offers one, two"),
        Answer(
            protocols, [accept, ("Sec-WebSocket-Protocol", "one"), ("Sec-WebSocket-Protocol", "two")],
            "one, two, of which"),
        Answer("", [accept, ("Sec-WebSocket-Extensions", offer)], "where none was offered"),
        Answer(
            compresses, [accept, ("Sec-WebSocket-Extensions", "permessage-deflate")],
            "the extension permessage-deflate, where"),
        Answer(compresses, [accept, ("Sec-WebSocket-Extensions", "x-other")], "the extension x-other, where"),
        Answer(compresses, [accept, ("Sec-WebSocket-Extensions", ";")], "the extension ;, where"),
    ]

    @Test(arguments: answers) private func aServersAnswerIsJudged(answer: Answer) throws {
        let said = try Self.call(answer.asked) { call in
            let fields = answer.fields.map { (name: $0.0, value: $0.1) }
            return call.objection(to: fields) ?? (call.isCompressed(by: fields) ? "fine, compressed" : "fine")
        }
        #expect(said == answer.words || said.contains(answer.words) && answer.words != "fine", "\(said)")
    }

    @Test func itIsAskedForWhatTheClientOffers() throws {
        @Sendable func list(_ call: WebSocketCall) -> String {
            call.fields.map { "\($0.name): \($0.value)" }.joined(separator: "|") + " without "
                + call.removed.sorted().joined(separator: ",")
        }
        #expect(try Self.call("", list) == " without sec-websocket-extensions")
        let compressed = "Sec-WebSocket-Extensions: \(Self.offer) without sec-websocket-extensions"
        #expect(try Self.call(Self.compresses, list) == compressed)
    }

    /// What a client sends, as a server reads it.
    @Test(arguments: [0, 1, 125, 126, 65_535, 65_536]) func framesAreMasked(count: Int) {
        var reader = WebSocketFrameReader(WebSocketSettings(), inflates: false)
        let message = WebSocketMessage(.binary, pattern(count))
        var bytes = WebSocketClientFrames.message(message) + WebSocketClientFrames.ping(utf8("p"))
        bytes += WebSocketClientFrames.pong(utf8("q")) + WebSocketClientFrames.close(1001, "bye")
        let (first, other) = (bytes, WebSocketClientFrames.message(.text("masked anew")))
        #expect(first[1] & 0x80 != 0 && other != WebSocketClientFrames.message(.text("masked anew")))
        var (at, events): (Int, [WebSocketEvent]) = (0, [])
        while let event = reader.next(in: &bytes, from: &at) { events.append(event) }
        #expect(events == [.message(message), .ping(utf8("p")), .pong(utf8("q")), .close(code: 1001, reason: "bye")])
    }
}
