import Testing

/// Bodies framed by Content-Length, and requests that frame their body twice (RFC 9112, section 6).
@Suite struct LengthWireTests {
    @Test(arguments: cases) func aBodyOfADeclaredLengthIsAnsweredByteForByte(_ wireCase: WireCase) throws {
        try expectExchange(wireCase)
    }

    private static let badLength = "Content-Length is not a number"
    private static let differ = "several Content-Length headers differ"
    private static let both = "both Content-Length and Transfer-Encoding are given"

    private static func post(_ lines: String..., body: String = "") -> String {
        "POST / HTTP/1.1\r\nHost: a\r\n" + lines.map { $0 + "\r\n" }.joined() + "\r\n" + body
    }

    private static func served(_ title: String, _ length: String, _ body: String) -> WireCase {
        .served(
            title, post("Content-Length: \(length)", body: body), "POST / HTTP/1.1 keep", "[Host]=[a]",
            "[Content-Length]=[\(length)]", "body \(body.unicodeScalars.count) \(body)")
    }

    private static func refused(_ length: String) -> WireCase {
        .refused(
            "a length of «\(length)»", post("Content-Length: \(length)", body: "hello"), "400 Bad Request", badLength)
    }

    static let cases: [WireCase] = [
        served("a body", "5", "hello"),
        served(
            "a body of all bytes", "256", String(String.UnicodeScalarView((0...255).map { Unicode.Scalar(UInt8($0)) }))),
        served("a body that looks like a request", "27", get("/")),
        served("a length with leading zeros", "0005", "hello"),
        .served("no length is no body", post(), "POST / HTTP/1.1 keep", "[Host]=[a]"),
        .served(
            "a length of 0", post("Content-Length: 0"), "POST / HTTP/1.1 keep", "[Host]=[a]", "[Content-Length]=[0]"),
        .served(
            "a GET with a body", head("GET / HTTP/1.1", "Host: a", "Content-Length: 2") + "ab", "GET / HTTP/1.1 keep",
            "[Host]=[a]", "[Content-Length]=[2]", "body 2 ab"),
        .served(
            "the same length twice", post("Content-Length: 5", "Content-Length: 5", body: "hello"),
            "POST / HTTP/1.1 keep", "[Host]=[a]", "[Content-Length]=[5]", "[Content-Length]=[5]", "body 5 hello"),
        .closed(
            "a body in HTTP/1.0", head("POST / HTTP/1.0", "Content-Length: 5") + "hello", "POST / HTTP/1.0 close",
            "[Content-Length]=[5]", "body 5 hello"),
        .waits("a body that goes on", post("Content-Length: 5", body: "hell")),
        .waits("a head before its body", post("Content-Length: 5")),
        refused(""), refused("+5"), refused("-5"), refused("0x5"), refused("5a"), refused("5 5"), refused("5.0"),
        refused("5,5"), refused("5, 6"), refused(",5"), refused("'5'"), refused("\u{b2}"), refused("5;"),
        refused("five"),
        .refused(
            "two lengths", post("Content-Length: 5", "Content-Length: 6", body: "hello!"), "400 Bad Request", differ),
        .refused(
            "a length and chunks", post("Content-Length: 5", "Transfer-Encoding: chunked", body: "0\r\n\r\n"),
            "400 Bad Request", both),
        .refused(
            "chunks and a length", post("Transfer-Encoding: chunked", "Content-Length: 5", body: "0\r\n\r\n"),
            "400 Bad Request", both),
        .refused(
            "a length of 0 and chunks", post("Content-Length: 0", "Transfer-Encoding: chunked", body: "0\r\n\r\n"),
            "400 Bad Request", both),
        .refused(
            "chunks in HTTP/1.0", head("POST / HTTP/1.0", "Transfer-Encoding: chunked") + "0\r\n\r\n",
            "400 Bad Request", "HTTP/1.0 has no Transfer-Encoding"),
    ]
}
