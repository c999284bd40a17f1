import SDTestSupport
import Testing

/// Expect: 100-continue (RFC 9110, section 10.1.1). The answer depends on what has arrived, so nothing is split here.
@Suite struct ExpectWireTests {
    @Test(arguments: cases) func anExpectationIsAnsweredByteForByte(_ wireCase: WireCase) throws {
        try expectExchangeUncut(wireCase)
    }

    private static let goOn = wire("HTTP/1.1 100 Continue\r\n\r\n")

    private static func put(_ lines: String..., version: String = "1.1") -> String {
        "PUT / HTTP/\(version)\r\nHost: a\r\n" + lines.map { $0 + "\r\n" }.joined() + "\r\n"
    }

    private static func unmet(_ name: String, _ line: String) -> WireCase {
        .refused(
            name, put(line, "Content-Length: 5"), "417 Expectation Failed",
            "the only expectation that can be met is 100-continue")
    }

    static let cases: [WireCase] = [
        WireCase(
            name: "a client that waits", sent: wire(put("Expect: 100-continue", "Content-Length: 5")), expected: goOn,
            after: .waiting),
        WireCase(
            name: "a client that waits to send chunks",
            sent: wire(put("Expect: 100-continue", "Transfer-Encoding: chunked")), expected: goOn, after: .waiting),
        WireCase(
            name: "in another case", sent: wire(put("expect: 100-CONTINUE", "Content-Length: 5")), expected: goOn,
            after: .waiting),
        .served(
            "a body that came along", put("Expect: 100-continue", "Content-Length: 5") + "hello", "PUT / HTTP/1.1 keep",
            "[Host]=[a]", "[Expect]=[100-continue]", "[Content-Length]=[5]", "body 5 hello"),
        .waits("half a body that came along", put("Expect: 100-continue", "Content-Length: 5") + "hel"),
        .served(
            "no body", put("Expect: 100-continue"), "PUT / HTTP/1.1 keep", "[Host]=[a]", "[Expect]=[100-continue]"),
        .waits("HTTP/1.0 has no interim answers", put("Expect: 100-continue", "Content-Length: 5", version: "1.0")),
        .waits("another one in HTTP/1.0", put("Expect: something", "Content-Length: 5", version: "1.0")),
        unmet("another one", "Expect: something"),
        unmet("one that WireMock's server knows", "Expect: 102-processing"),
        unmet("another one beside it", "Expect: 100-continue, something"),
        unmet("another one before it", "Expect: something, 100-continue"),
        unmet("another one in a line of its own", "Expect: 100-continue\r\nExpect: something"),
        unmet("one with a parameter", "Expect: 100-continue;a=b"),
        .served(
            "an empty one", put("Expect:"), "PUT / HTTP/1.1 keep", "[Host]=[a]", "[Expect]=[]"),
        .served(
            "two of the same", put("Expect: 100-continue, 100-Continue"), "PUT / HTTP/1.1 keep", "[Host]=[a]",
            "[Expect]=[100-continue, 100-Continue]"),
        .refused(
            "a body that would be too large", put("Expect: 100-continue", "Content-Length: 65537"),
            "413 Content Too Large", "the request body is larger than the limit"),
        .refused(
            "a coding that is not served", put("Expect: 100-continue", "Transfer-Encoding: gzip"),
            "501 Not Implemented", "the only supported Transfer-Encoding is chunked"),
    ]

    @Test func theBodyMayFollowTheInterimAnswer() throws {
        let client = try echoServer.client()
        for _ in 1...2 {
            try client.send(Self.put("Expect: 100-continue", "Content-Length: 5"))
            expectWire(client.receive(Self.goOn.count), Self.goOn, .open)
            try client.send("hello")
            let expected = echoed([
                "PUT / HTTP/1.1 keep", "[Host]=[a]", "[Expect]=[100-continue]", "[Content-Length]=[5]", "body 5 hello",
            ])
            expectWire(client.receive(expected.count), expected, .open)
        }
    }

    @Test func chunksMayFollowTheInterimAnswer() throws {
        let client = try echoServer.client()
        try client.send(Self.put("Expect: 100-continue", "Transfer-Encoding: chunked"))
        expectWire(client.receive(Self.goOn.count), Self.goOn, .open)
        try client.send("5\r\nhello\r\n0\r\n\r\n")
        let expected = echoed([
            "PUT / HTTP/1.1 keep", "[Host]=[a]", "[Expect]=[100-continue]", "[Transfer-Encoding]=[chunked]",
            "body 5 hello",
        ])
        expectWire(client.receive(expected.count), expected, .open)
    }
}
