import SDTestSupport
import Testing

/// Methods, versions, and the white space and line ends of the request line (RFC 9112 sections 2.2, 2.3 and 3).
@Suite struct RequestLineWireTests {
    @Test(arguments: cases) func aRequestLineIsAnsweredByteForByte(_ wireCase: WireCase) throws {
        try expectExchange(wireCase)
    }

    private static let badMethod = "the method is not a token"
    private static let badVersion = "the request line does not end with HTTP/1.0 or HTTP/1.1"
    private static let oldVersion = "the supported HTTP versions are 1.0 and 1.1"
    private static let badTarget = "the request target is not a path, an absolute URL, an authority or *"
    private static let loneCR = "the head contains a lone CR"

    private static func with(_ line: String) -> String { head(line, "Host: a") }

    static let cases: [WireCase] = methods + versions + spaces + lineEnds

    private static let methods: [WireCase] =
        ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "PURGE", "PROPFIND", "M-SEARCH"].map {
            .served("the method \($0)", with("\($0) / HTTP/1.1"), "\($0) / HTTP/1.1 keep", "[Host]=[a]")
        } + [
            .served("a method nobody knows", with("BREW / HTTP/1.1"), "BREW / HTTP/1.1 keep", "[Host]=[a]"),
            .served("a method in lower case", with("get / HTTP/1.1"), "get / HTTP/1.1 keep", "[Host]=[a]"),
            .served(
                "a method of every token character", with("!#$%&'*+-.^_`|~09Az / HTTP/1.1"),
                "!#$%&'*+-.^_`|~09Az / HTTP/1.1 keep", "[Host]=[a]"),
            .served("a method of one letter", with("G / HTTP/1.1"), "G / HTTP/1.1 keep", "[Host]=[a]"),
            .refused("a method with @", with("G@T / HTTP/1.1"), "400 Bad Request", badMethod),
            .refused("a method with a colon", with("GET: / HTTP/1.1"), "400 Bad Request", badMethod),
            .refused("a method with NUL", with("GE\0T / HTTP/1.1"), "400 Bad Request", badMethod),
            .refused(
                "a method with a byte of 0x80 and more", with("G\u{c9}T / HTTP/1.1"), "400 Bad Request", badMethod),
            .refused("a method in quotes", with("\"GET\" / HTTP/1.1"), "400 Bad Request", badMethod),
            .refused("a method alone", head("GET"), "400 Bad Request", badMethod),
            .refused("a response", head("HTTP/1.1 200 OK"), "400 Bad Request", badMethod),
            WireCase(
                name: "a TLS greeting", sent: wire("\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\u{1}\u{fc}\u{3}\u{3}"),
                expected: [], after: .closed),
        ]

    private static let versions: [WireCase] = [
        .closed("HTTP/1.0", with("GET / HTTP/1.0"), "GET / HTTP/1.0 close", "[Host]=[a]"),
        .closed("HTTP/1.0 without Host", head("GET / HTTP/1.0"), "GET / HTTP/1.0 close"),
        .served("HTTP/1.2 reads as 1.1", with("GET / HTTP/1.2"), "GET / HTTP/1.1 keep", "[Host]=[a]"),
        .served("HTTP/1.9 reads as 1.1", with("GET / HTTP/1.9"), "GET / HTTP/1.1 keep", "[Host]=[a]"),
        .refused("HTTP/2.0", with("GET / HTTP/2.0"), "505 HTTP Version Not Supported", oldVersion),
        .refused("HTTP/0.9", with("GET / HTTP/0.9"), "505 HTTP Version Not Supported", oldVersion),
        .refused("HTTP/3.0", with("GET / HTTP/3.0"), "505 HTTP Version Not Supported", oldVersion),
        .refused("half a preface of HTTP/2", "PRI * HTTP/2\r\n\r\nSM\r\n\r\n", "400 Bad Request", badVersion),
        .refused("HTTP/2 without its preface", with("GET / HTTP/2.0"), "505 HTTP Version Not Supported", oldVersion),
        .refused("a version in lower case", with("GET / http/1.1"), "400 Bad Request", badVersion),
        .refused("a version without a dot", with("GET / HTTP/11"), "400 Bad Request", badVersion),
        .refused("a version of one number", with("GET / HTTP/2"), "400 Bad Request", badVersion),
        .refused("a version with a comma", with("GET / HTTP/1,1"), "400 Bad Request", badVersion),
        .refused("a version with two digits behind the dot", with("GET / HTTP/1.10"), "400 Bad Request", badVersion),
        .refused("a version with two digits before the dot", with("GET / HTTP/01.1"), "400 Bad Request", badVersion),
        .refused("another protocol", with("GET / ICAP/1.1"), "400 Bad Request", badVersion),
        .refused("no version", with("GET /"), "400 Bad Request", badVersion),
        .refused("an empty version", with("GET / "), "400 Bad Request", badVersion),
        .refused("a version with a letter", with("GET / HTTP/1.x"), "400 Bad Request", badVersion),
    ]

    private static let spaces: [WireCase] = [
        .refused("two spaces before the target", with("GET  / HTTP/1.1"), "400 Bad Request", badTarget),
        .refused("two spaces before the version", with("GET /  HTTP/1.1"), "400 Bad Request", badVersion),
        .refused("a space before the method", with(" GET / HTTP/1.1"), "400 Bad Request", badMethod),
        .refused("a space behind the version", with("GET / HTTP/1.1 "), "400 Bad Request", badVersion),
        .refused("a tab behind the method", with("GET\t/ HTTP/1.1"), "400 Bad Request", badMethod),
        .refused("a tab behind the target", with("GET /\tHTTP/1.1"), "400 Bad Request", badTarget),
        .refused("a space in the target", with("GET /a b HTTP/1.1"), "400 Bad Request", badVersion),
        .refused("a method and a version", with("GET HTTP/1.1"), "400 Bad Request", badVersion),
    ]

    private static let lineEnds: [WireCase] = [
        .served("empty lines before the request", "\r\n\r\n" + get("/"), "GET / HTTP/1.1 keep", "[Host]=[a]"),
        .served("empty lines of LF alone", "\n\n" + get("/"), "GET / HTTP/1.1 keep", "[Host]=[a]"),
        .served("LF alone ends every line", "GET / HTTP/1.1\nHost: a\n\n", "GET / HTTP/1.1 keep", "[Host]=[a]"),
        .served(
            "LF alone ends the request line", "GET / HTTP/1.1\nHost: a\r\n\r\n", "GET / HTTP/1.1 keep", "[Host]=[a]"),
        .refused("CR alone before the request", "\rGET / HTTP/1.1\r\n\r\n", "400 Bad Request", loneCR),
        .refused("CR alone ends the request line", "GET / HTTP/1.1\rHost: a\r\n\r\n", "400 Bad Request", loneCR),
        .refused("two CR end the request line", "GET / HTTP/1.1\r\r\nHost: a\r\n\r\n", "400 Bad Request", loneCR),
        .refused("CR in the target", with("GET /a\rb HTTP/1.1"), "400 Bad Request", badVersion),
        .refused("CR alone before the end of the head", "GET / HTTP/1.1\r\nHost: a\r\n\rx", "400 Bad Request", loneCR),
        .waits("nothing", ""),
        .waits("empty lines alone", "\r\n\r\n"),
        .waits("a method that goes on", "GE"),
        .waits("a target that goes on", "GET /a"),
        .waits("a version that goes on", "GET / HTTP/1."),
        .waits("a request line alone", "GET / HTTP/1.1\r\n"),
    ]
}
