import SDCWebSocket
import SDTestSupport
import SDWebSocket
import Testing

/// How a WebSocket is opened (RFC 6455, section 4.2; RFC 7692, section 7.1).
@Suite struct HandshakeTests {
    private static let basic = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    private static let key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"

    private struct Asked: Sendable, CustomStringConvertible {
        let line: String
        let fields: String
        let answer: String
        var description: String { fields }

        init(_ fields: String, _ answer: String, line: String = "GET / HTTP/1.1") {
            (self.line, self.fields, self.answer) = (line, fields, answer)
        }
    }

    /// Heads, and what the answer begins with or says.
    private static let asked: [Asked] = [
        Asked(basic + key, "HTTP/1.1 101 "),
        Asked(
            "Upgrade: h2x, WebSocket\r\nConnection: keep-alive, upgrade\r\nSec-WebSocket-Version: 13\r\n" + key,
            "HTTP/1.1 101 "),
        Asked(basic + key + "Origin: http://elsewhere\r\n", "HTTP/1.1 101 "),
        Asked(basic + key, "opened by GET, and not by PUT", line: "PUT / HTTP/1.1"),
        Asked("Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" + key, "not Connection: Upgrade"),
        Asked("Upgrade: websocket\r\nConnection: Upgrade\r\n" + key, "HTTP/1.1 426 "),
        Asked(
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 8\r\n" + key, "has to be 13; found: 8."
        ),
        Asked(
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 8\r\n" + key,
            "Sec-WebSocket-Version: 13\r\n"),
        Asked(basic, "16 bytes in Base64; found: none."),
        Asked(basic + key + key, "16 bytes in Base64; found: dGhl"),
        Asked(basic + "Sec-WebSocket-Key: \r\n", "16 bytes in Base64; found: ."),
        Asked(basic + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=\r\n", "HTTP/1.1 400 "),
        Asked(basic + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZR==\r\n", "HTTP/1.1 400 "),
        Asked(basic + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZ*==\r\n", "HTTP/1.1 400 "),
        Asked(basic + key + "Sec-WebSocket-Protocol: a b\r\n", "not a list of names."),
        Asked(basic + key + "Sec-WebSocket-Extensions: a; =b\r\n", "is malformed: a; =b."),
        Asked(basic + key + "Sec-WebSocket-Extensions: x-other; y=\"z\", w\r\n", "HTTP/1.1 101 "),
    ]

    @Test(arguments: asked) private func aRequestIsAnswered(asked: Asked) throws {
        let echo = try EchoServer()
        let client = try echo.server.client()
        try client.send("\(asked.line)\r\nHost: a\r\nContent-Length: 0\r\n\(asked.fields)\r\n")
        let received = client.receiveSome().text + client.receiveUntilQuiet(milliseconds: 300).text
        #expect(received.contains(asked.answer), "\(received)")
    }

    @Test func theKeysOfTheStandardAreAnswered() {
        func accept(_ key: String) -> String? {
            var text = [CChar](repeating: 0, count: Int(CR_WS_ACCEPT_LENGTH))
            let isKey = cr_ws_accept(&text, utf8(key), key.utf8.count)
            return isKey ? String(decoding: text.map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
        }
        #expect(accept("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        #expect(accept("x3JJHMbDL1EzLkh9GBhXDw==") == "HSmrc0sMlYUkAGmm5OPpG2HaGWk=")
    }

    /// Offers of permessage-deflate, and what is answered.
    private static let offers: [(offer: String, answer: String?)] = [
        ("permessage-deflate", ""),
        ("Permessage-Deflate", ""),
        ("permessage-deflate; client_max_window_bits", ""),
        ("permessage-deflate; client_max_window_bits=8", ""),
        ("permessage-deflate; client_max_window_bits=\"15\"", ""),
        ("permessage-deflate; server_no_context_takeover; client_no_context_takeover", ""),
        ("permessage-deflate; server_max_window_bits=8", "; server_max_window_bits=8"),
        ("permessage-deflate ;\tserver_max_window_bits = 10", "; server_max_window_bits=10"),
        ("permessage-deflate; server_max_window_bits=\"12\"", "; server_max_window_bits=12"),
        ("x, permessage-deflate; y, permessage-deflate", ""),
        (", permessage-deflate,", ""),
        ("permessage-deflate; server_max_window_bits=16, permessage-deflate", ""),
        ("permessage-deflate; server_max_window_bits=7", nil),
        ("permessage-deflate; server_max_window_bits=16", nil),
        ("permessage-deflate; server_max_window_bits=08", nil),
        ("permessage-deflate; server_max_window_bits", nil),
        ("permessage-deflate; server_max_window_bits=9; server_max_window_bits=9", nil),
        ("permessage-deflate; client_max_window_bits=16", nil),
        ("permessage-deflate; client_max_window_bits=", "malformed"),
        ("permessage-deflate; client_max_window_bits; client_max_window_bits=9", nil),
        ("permessage-deflate; server_no_context_takeover=1", nil),
        ("permessage-deflate; server_no_context_takeover; server_no_context_takeover", nil),
        ("permessage-deflate; unknown", nil),
        ("permessage-deflate; unknown=1", nil),
        ("x-webkit-deflate-frame", nil),
        ("", nil),
        ("permessage-deflate; server_max_window_bits=\"9", "malformed"),
        ("permessage-deflate permessage-deflate", "malformed"),
        ("permessage-deflate;", "malformed"),
        ("permessage-deflate; a=\"\"", "malformed"),
    ]

    @Test(arguments: offers) func anOfferIsAnswered(offer: String, answer: String?) {
        var terms = cr_ws_deflate_params()
        let isSound = cr_ws_parse_deflate_offers(&terms, utf8(offer), offer.utf8.count)
        #expect(isSound == (answer != "malformed"))
        guard isSound, let answer else { return #expect(!terms.agreed) }
        var text = [CChar](repeating: 0, count: Int(CR_WS_DEFLATE_ANSWER_ROOM))
        let count = cr_ws_put_deflate_answer(&text, &terms)
        let written = String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        #expect(written == "permessage-deflate; server_no_context_takeover; client_no_context_takeover" + answer)
    }

    /// What a server may answer to a client of ours.
    @Test(
        arguments: [
            ("", true, false), ("permessage-deflate; server_no_context_takeover", true, true),
            (
                "permessage-deflate; client_no_context_takeover; server_no_context_takeover; server_max_window_bits=9",
                true, true
            ),
            ("permessage-deflate", false, false), ("x", false, false),
            (
                "permessage-deflate; server_no_context_takeover, permessage-deflate; server_no_context_takeover", false,
                false
            ),
            ("permessage-deflate; server_no_context_takeover; client_max_window_bits=9", false, false),
        ] as [(String, Bool, Bool)])
    func anAnswerIsRead(answer: String, isSound: Bool, isAgreed: Bool) {
        var terms = cr_ws_deflate_params()
        #expect(cr_ws_parse_deflate_answer(&terms, utf8(answer), answer.utf8.count) == isSound)
        if isSound { #expect(terms.agreed == isAgreed) }
    }

    @Test func theSubprotocolIsChosenAmongThoseOffered() throws {
        let echo = try EchoServer(subprotocol: "v2.chat")
        let client = try echo.server.client()
        try client.send(
            EchoServer.request("/", "Sec-WebSocket-Protocol: v1, v2.chat\r\nSec-WebSocket-Protocol: v3\r\n"))
        let head = client.receive(until: "\r\n\r\n").text
        #expect(head.contains("\r\nSec-WebSocket-Protocol: v2.chat\r\n"))
        #expect(echo.observer.opened.next()?.subprotocol == "v2.chat")
    }
}
