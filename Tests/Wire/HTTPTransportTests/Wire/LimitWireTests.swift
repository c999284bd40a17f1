import SDTestSupport
import Testing

/// The limits of the fixture: heads of 4096 bytes, targets of 1024, bodies of 65536. A request at a limit is served;
/// one byte more leads to a clear status.
@Suite struct LimitWireTests {
    @Test(arguments: cases) func aRequestAtALimitIsAnsweredByteForByte(_ wireCase: WireCase) throws {
        try expectExchange(wireCase)
    }

    private static let target = ("414 URI Too Long", "the request target is longer than the limit")
    private static let large = ("431 Request Header Fields Too Large", "the request head is larger than the limit")
    private static let body = ("413 Content Too Large", "the request body is larger than the limit")

    private static func text(_ count: Int) -> String { String(repeating: "x", count: count) }

    /// A head of exactly `count` bytes.
    private static func headOf(_ count: Int) -> String {
        let rest = get("/", "X: \r\n").utf8.count
        return get("/", "X: \(text(count - rest))\r\n")
    }

    static let cases: [WireCase] = [
        .served("a target at the limit", get("/" + text(1023)), "GET /\(text(1023)) HTTP/1.1 keep", "[Host]=[a]"),
        .refused("a target beyond the limit", get("/" + text(1024)), target.0, target.1),
        .refused("a target without an end", "GET /" + text(5000), target.0, target.1),
        .refused("an absolute target beyond the limit", get("http://h/" + text(1016)), target.0, target.1),
        .served(
            "a head at the limit", headOf(4096), "GET / HTTP/1.1 keep", "[Host]=[a]",
            "[X]=[\(text(4096 - get("/", "X: \r\n").utf8.count))]"),
        .refused("a head beyond the limit", headOf(4097), large.0, large.1),
        .refused("a field without an end", "GET / HTTP/1.1\r\nHost: a\r\nX: " + text(5000), large.0, large.1),
        .refused("a name without an end", "GET / HTTP/1.1\r\n" + text(5000), large.0, large.1),
        .refused("a method without an end", text(5000), large.0, large.1),
        .refused(
            "fields without an end", "GET / HTTP/1.1\r\n" + String(repeating: "X: y\r\n", count: 700), large.0, large.1),
        .refused("empty lines without an end", String(repeating: "\r\n", count: 2048), large.0, large.1),
        .refused(
            "trailers beyond the limit",
            head("PUT / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked") + "0\r\nX: " + text(4096), large.0, large.1),
        .served(
            "a body at the limit", head("PUT / HTTP/1.1", "Host: a", "Content-Length: 65536") + text(65_536),
            "PUT / HTTP/1.1 keep", "[Host]=[a]", "[Content-Length]=[65536]", "body 65536 \(text(65_536))"),
        .refused(
            "a length beyond the limit", head("PUT / HTTP/1.1", "Host: a", "Content-Length: 65537"), body.0, body.1),
        .refused(
            "a length beyond 64 bits",
            head("PUT / HTTP/1.1", "Host: a", "Content-Length: " + String(repeating: "9", count: 40)),
            body.0, body.1),
        .served(
            "a chunk at the limit",
            head("PUT / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked") + "10000\r\n" + text(65_536)
                + "\r\n0\r\n\r\n",
            "PUT / HTTP/1.1 keep", "[Host]=[a]", "[Transfer-Encoding]=[chunked]", "body 65536 \(text(65_536))"),
        .refused(
            "chunks beyond the limit",
            head("PUT / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked") + "10000\r\n" + text(65_536) + "\r\n1\r\nx",
            body.0, body.1),
        .refused(
            "a chunk that announces more than the limit",
            head("PUT / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked") + "10001\r\n", body.0, body.1),
        .refused(
            "a chunk that announces more than is left of the limit",
            head("PUT / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked") + "4\r\nabcd\r\nFFFD;x=y\r\n", body.0,
            body.1),
        .refused(
            "a chunk that announces all the bytes of the world",
            head("PUT / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked") + "FFFFFFFFFFFFFFF\r\n", body.0, body.1),
        .refused(
            "a chunk extension without an end",
            head("PUT / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked") + "1;" + text(5000), "400 Bad Request",
            "a chunk size is not a hexadecimal number"),
    ]
}
