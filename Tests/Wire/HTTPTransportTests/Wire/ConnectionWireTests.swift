import SDTestSupport
import Testing

/// Keep-alive, closing and pipelining (RFC 9112, section 9).
@Suite struct ConnectionWireTests {
    @Test(arguments: cases) func aConnectionIsKeptOrClosedByteForByte(_ wireCase: WireCase) throws {
        try expectExchange(wireCase)
    }

    private static func closed(_ title: String, _ version: String, _ value: String) -> WireCase {
        .closed(
            title, head("GET / HTTP/\(version)", "Host: a", "Connection: \(value)"), "GET / HTTP/\(version) close",
            "[Host]=[a]", "[Connection]=[\(value)]")
    }

    private static func kept(_ title: String, _ version: String, _ value: String) -> WireCase {
        .served(
            title, head("GET / HTTP/\(version)", "Host: a", "Connection: \(value)"), "GET / HTTP/\(version) keep",
            "[Host]=[a]", "[Connection]=[\(value)]")
    }

    private static func echo(_ path: String, _ ending: String = "keep") -> [String] {
        ["GET \(path) HTTP/1.1 \(ending)", "[Host]=[a]"]
    }

    static let cases: [WireCase] = [
        closed("close", "1.1", "close"), closed("close in another case", "1.1", "CLOSE"),
        closed("close among others", "1.1", "x, close ,y"), closed("close and keep-alive", "1.1", "keep-alive, close"),
        closed("close in HTTP/1.0", "1.0", "close"), closed("both in HTTP/1.0", "1.0", "close, keep-alive"),
        closed("an unknown option in HTTP/1.0", "1.0", "x"),
        kept("keep-alive in HTTP/1.0", "1.0", "keep-alive"), kept("keep-alive in another case", "1.0", "Keep-Alive"),
        kept("keep-alive", "1.1", "keep-alive"), kept("an unknown option", "1.1", "x, y"), kept("no option", "1.1", ""),
        kept("an upgrade that nobody makes", "1.1", "upgrade"), kept("a longer word", "1.1", "closed"),
        .closed(
            "two Connection fields", head("GET / HTTP/1.1", "Host: a", "Connection: x", "connection: close"),
            "GET / HTTP/1.1 close", "[Host]=[a]", "[Connection]=[x]", "[connection]=[close]"),
        .answered("two requests at once", get("/1") + get("/2"), echo("/1"), echo("/2")),
        .answered(
            "twenty requests at once", (1...20).map { get("/\($0)") }.joined(), echo("/1"), echo("/2"), echo("/3"),
            echo("/4"), echo("/5"), echo("/6"), echo("/7"), echo("/8"), echo("/9"), echo("/10"), echo("/11"),
            echo("/12"),
            echo("/13"), echo("/14"), echo("/15"), echo("/16"), echo("/17"), echo("/18"), echo("/19"), echo("/20")),
        .answered("empty lines between requests", get("/1") + "\r\n\r\n" + get("/2"), echo("/1"), echo("/2")),
        .answered(
            "bodies between requests",
            head("PUT /1 HTTP/1.1", "Host: a", "Content-Length: 3") + "abc"
                + head("PUT /2 HTTP/1.1", "Host: a", "Transfer-Encoding: chunked") + "2\r\nde\r\n0\r\nT: u\r\n\r\n"
                + get("/3"),
            ["PUT /1 HTTP/1.1 keep", "[Host]=[a]", "[Content-Length]=[3]", "body 3 abc"],
            ["PUT /2 HTTP/1.1 keep", "[Host]=[a]", "[Transfer-Encoding]=[chunked]", "+[T]=[u]", "body 2 de"], echo("/3")
        ),
        .answered(
            "nothing is served behind close", get("/1", "Connection: close\r\n") + get("/2"),
            ["GET /1 HTTP/1.1 close", "[Host]=[a]", "[Connection]=[close]"], after: .closed),
        .answered("half a request behind a whole one", get("/1") + "GET /2 HT", echo("/1"), after: .waiting),
        WireCase(
            name: "a malformed request behind a good one", sent: wire(get("/1") + "nonsense\r\n\r\n" + get("/2")),
            expected: echoed(echo("/1")) + refusal("400 Bad Request", "the method is not a token"), after: .closed),
        WireCase(
            name: "a body longer than its length is the next request",
            sent: wire(head("PUT / HTTP/1.1", "Host: a", "Content-Length: 2") + "abc def\r\n\r\n"),
            expected: echoed(["PUT / HTTP/1.1 keep", "[Host]=[a]", "[Content-Length]=[2]", "body 2 ab"])
                + refusal("400 Bad Request", "the request line does not end with HTTP/1.0 or HTTP/1.1"),
            after: .closed),
        WireCase(
            name: "nothing is served behind a refusal", sent: wire("nonsense\r\n\r\n" + get("/2")),
            expected: refusal("400 Bad Request", "the method is not a token"), after: .closed),
    ]
}
