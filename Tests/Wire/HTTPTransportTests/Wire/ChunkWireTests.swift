import SDTestSupport
import Testing

/// Chunked bodies and their trailer fields (RFC 9112, section 7.1), and other transfer codings.
@Suite struct ChunkWireTests {
    @Test(arguments: cases) func aChunkedBodyIsAnsweredByteForByte(_ wireCase: WireCase) throws {
        try expectExchange(wireCase)
    }

    private static let badSize = "a chunk size is not a hexadecimal number"
    private static let badEnd = "a chunk does not have its stated size"
    private static let badTrailer = "a trailer field would change the framing of the message"
    private static let badCoding = "Transfer-Encoding must name chunked once, and last"
    private static let unknown = "the only supported Transfer-Encoding is chunked"

    private static func chunked(_ body: String, coding: String = "chunked") -> String {
        head("POST / HTTP/1.1", "Host: a", "Transfer-Encoding: \(coding)") + body
    }

    private static func served(_ title: String, _ body: String, _ lines: String...) -> WireCase {
        let echo = ["POST / HTTP/1.1 keep", "[Host]=[a]", "[Transfer-Encoding]=[chunked]"] + lines
        return WireCase(name: title, sent: wire(chunked(body)), expected: echoed(echo), after: .open)
    }

    private static func refused(_ title: String, _ body: String, _ reason: String) -> WireCase {
        .refused(title, chunked(body), "400 Bad Request", reason)
    }

    private static func tooLarge(_ title: String, _ body: String) -> WireCase {
        .refused(
            title, chunked(body), "413 Content Too Large", "the request body is larger than the limit")
    }

    static let cases: [WireCase] = right + sizes + ends + trailers + codings

    private static let right: [WireCase] = [
        served("no chunk", "0\r\n\r\n"),
        served("one chunk", "5\r\nhello\r\n0\r\n\r\n", "body 5 hello"),
        served("several chunks", "1\r\na\r\n2\r\nbc\r\n3\r\ndef\r\n0\r\n\r\n", "body 6 abcdef"),
        served("a size in capitals", "A\r\n0123456789\r\n0\r\n\r\n", "body 10 0123456789"),
        served("a size in small letters", "a\r\n0123456789\r\n0\r\n\r\n", "body 10 0123456789"),
        served("sizes with leading zeros", "0005\r\nhello\r\n000\r\n\r\n", "body 5 hello"),
        served("an extension", "5;a=b\r\nhello\r\n0\r\n\r\n", "body 5 hello"),
        served("an extension in quotes", "5;a=\"b;c\"\r\nhello\r\n0;z\r\n\r\n", "body 5 hello"),
        served("an empty extension", "5;\r\nhello\r\n0;\r\n\r\n", "body 5 hello"),
        served("an extension with spaces", "5; a = b\t\r\nhello\r\n0\r\n\r\n", "body 5 hello"),
        served("CR and LF in a chunk", "4\r\n\r\n\r\n\r\n0\r\n\r\n", "body 4 \r\n\r\n"),
        served("a chunk that looks like the end", "5\r\n0\r\n\r\n\r\n0\r\n\r\n", "body 5 0\r\n\r\n"),
    ]

    private static let sizes: [WireCase] = [
        refused("no size", "\r\nhello\r\n0\r\n\r\n", badSize),
        refused("a size that is no number", "g\r\nhello", badSize),
        refused("a space before the size", " 5\r\nhello", badSize),
        refused("a space behind the size", "5 \r\nhello", badSize),
        refused("a space before the extension", "5 ;a\r\nhello", badSize),
        refused("a size with a sign", "+5\r\nhello", badSize),
        refused("a negative size", "-5\r\nhello", badSize),
        refused("a size with 0x", "0x5\r\nhello", badSize),
        tooLarge("a size beyond 64 bits", "10000000000000005\r\nhello"),
        tooLarge("a size of 64 ones", "FFFFFFFFFFFFFFFF\r\nhello"),
        tooLarge("a size of 72 ones", "FFFFFFFFFFFFFFFFFF\r\nhello"),
        refused("an extension without a size", ";a\r\nhello", badSize),
        refused("a control character in an extension", "5;a\u{1}\r\nhello", badSize),
        refused("LF alone in an extension", "5;a\nhello\r\n0\r\n\r\n", badSize),
        refused("LF alone behind the size", "5\nhello\r\n0\r\n\r\n", badSize),
        refused("CR alone behind the size", "5\rhello", badSize),
        .waits("a size that goes on", chunked("5")),
        .waits("a chunk that goes on", chunked("5\r\nhel")),
        .waits("a chunk without its end", chunked("5\r\nhello\r\n")),
        .waits("a last chunk without its empty line", chunked("0\r\n")),
    ]

    private static let ends: [WireCase] = [
        refused("a chunk longer than its size", "5\r\nhello!\r\n0\r\n\r\n", badEnd),
        refused("a chunk shorter than its size", "5\r\nhell\r\n0\r\n\r\n", badEnd),
        refused("a chunk that ends with LF alone", "5\r\nhello\n0\r\n\r\n", badEnd),
        refused("a chunk that ends with CR alone", "5\r\nhello\r0\r\n\r\n", badEnd),
        refused("a chunk without an end", "5\r\nhello0\r\n\r\n", badEnd),
    ]

    private static let trailers: [WireCase] = [
        served("a trailer field", "0\r\nX-Sum: 1\r\n\r\n", "+[X-Sum]=[1]"),
        served(
            "trailer fields behind a body", "2\r\nab\r\n0\r\nB: 1\r\nA:  2 \r\nB: 3\r\n\r\n", "+[B]=[1]", "+[A]=[2]",
            "+[B]=[3]", "body 2 ab"),
        served("a trailer that says close is not heard", "0\r\nConnection: close\r\n\r\n", "+[Connection]=[close]"),
        served("LF alone ends a trailer field", "0\r\nA: 1\n\r\n", "+[A]=[1]"),
        refused("Content-Length in a trailer", "0\r\nContent-Length: 5\r\n\r\n", badTrailer),
        refused("Transfer-Encoding in a trailer", "0\r\nTransfer-Encoding: chunked\r\n\r\n", badTrailer),
        refused("Host in a trailer", "0\r\nHost: b\r\n\r\n", badTrailer),
        refused("a trailer without a colon", "0\r\nA\r\n\r\n", "a header name is not a token"),
        refused("a folded trailer", "0\r\nA: b\r\n c\r\n\r\n", "a header is folded over several lines"),
        refused("a control character in a trailer", "0\r\nA: \u{1}\r\n\r\n", "a header value has a control character"),
        refused(
            "a request instead of the end", "0\r\nGET / HTTP/1.1\r\n\r\n",
            "a header has white space before its colon"),
    ]

    private static let codings: [WireCase] = [
        .served(
            "chunked in another case", chunked("1\r\na\r\n0\r\n\r\n", coding: "ChUnKeD"), "POST / HTTP/1.1 keep",
            "[Host]=[a]", "[Transfer-Encoding]=[ChUnKeD]", "body 1 a"),
        .refused("no coding", chunked("0\r\n\r\n", coding: ""), "400 Bad Request", badCoding),
        .refused("chunked twice", chunked("0\r\n\r\n", coding: "chunked, chunked"), "400 Bad Request", badCoding),
        .refused(
            "chunked in two fields",
            head("POST / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked", "Transfer-Encoding: chunked")
                + "0\r\n\r\n",
            "400 Bad Request", badCoding),
        .refused("gzip and chunked", chunked("", coding: "gzip, chunked"), "501 Not Implemented", unknown),
        .refused("gzip", chunked("", coding: "gzip"), "501 Not Implemented", unknown),
        .refused("identity", chunked("", coding: "identity"), "501 Not Implemented", unknown),
        .refused("chunked with a parameter", chunked("", coding: "chunked;q=1"), "501 Not Implemented", unknown),
        .refused("almost chunked", chunked("", coding: "xchunked"), "501 Not Implemented", unknown),
        .refused("chunked in quotes", chunked("", coding: "\"chunked\""), "501 Not Implemented", unknown),
    ]
}
