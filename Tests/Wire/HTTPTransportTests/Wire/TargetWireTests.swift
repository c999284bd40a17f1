import SDTestSupport
import Testing

/// The forms of a request target (RFC 9112, section 3.2), unusual bytes in it, and paths that are refused.
@Suite struct TargetWireTests {
    @Test(arguments: cases) func aTargetIsAnsweredByteForByte(_ wireCase: WireCase) throws {
        try expectExchange(wireCase)
    }

    private static let badTarget = "the request target is not a path, an absolute URL, an authority or *"
    private static let badEscape = "the path has a % without two hex digits after it"
    private static let badRoot = "the path climbs above the root"

    private static func served(_ target: String, _ lines: String..., method: String = "GET") -> WireCase {
        let echo = ["\(method) \(target) HTTP/1.1 keep"] + lines + ["[Host]=[a]"]
        return WireCase(
            name: "\(method) \(target)", sent: wire(head("\(method) \(target) HTTP/1.1", "Host: a")),
            expected: echoed(echo), after: .open)
    }

    private static func refused(_ target: String, _ reason: String, method: String = "GET") -> WireCase {
        .refused("\(method) \(target)", head("\(method) \(target) HTTP/1.1", "Host: a"), "400 Bad Request", reason)
    }

    static let cases: [WireCase] = origin + query + otherForms + oddBytes + wrong

    private static let origin: [WireCase] = [
        served("/"), served("//"), served("//a//b"), served("/a/b/c"), served("/a;b=c,d"), served("/a:b@c"),
        served("/a%20b"), served("/a%2Fb"), served("/%e2%82%ac"), served("/%00"),
        served("/a/./b"), served("/a/../b"), served("/a/b/../.."), served("/."), served("/..."), served("/a/%2e%2e/b"),
        served("/a#b", "url /a"), served("/#", "url /"), served("/a#?b", "url /a"),
    ]

    private static let query: [WireCase] = [
        served("/a?x=1", "path /a", "query x=1"), served("/a?", "url /a"), served("/?x", "path /", "query x"),
        served("/a??", "path /a", "query ?"), served("/a?b?c", "path /a", "query b?c"),
        served("/a?x=%zz", "path /a", "query x=%zz"), served("/a?../..", "path /a", "query ../.."),
        served("/a?b#c", "url /a?b", "path /a", "query b"), served("/a?#c", "url /a"),
        served("/a?x=1&x=2&&", "path /a", "query x=1&x=2&&"),
    ]

    private static let otherForms: [WireCase] = [
        served("http://h:80/a?b", "url /a?b", "path /a", "query b", "authority h:80"),
        served("http://h", "url /", "authority h"), served("http://h/", "url /", "authority h"),
        served("HTTPS://H/p", "url /p", "authority H"),
        served("https://h?x", "url /?x", "path /", "query x", "authority h"),
        served("http://u:p@h/", "url /", "authority u:p@h"), served("http://[::1]:80/", "url /", "authority [::1]:80"),
        served("http://h#f", "url /", "authority h"), served("*"), served("*", method: "OPTIONS"),
        served("h:443", "url /", "authority h:443", method: "CONNECT"),
        served("/a", method: "CONNECT"),
    ]

    private static let oddBytes: [WireCase] = [
        served("/\u{e4}\u{ff}\u{80}"), served("/\"<>\\^`{|}"), served("/a[0]?x[y]=1", "path /a[0]", "query x[y]=1"),
        served("/a'b()*!$&+,=~_-."), served("/?\u{e2}\u{82}\u{ac}", "path /", "query \u{e2}\u{82}\u{ac}"),
    ]

    private static let wrong: [WireCase] = [
        refused("/\0", badTarget), refused("/a\u{1}", badTarget), refused("/a\u{7f}", badTarget),
        refused("/a?\u{1f}", badTarget), refused("a", badTarget), refused("a/b", badTarget), refused("?x", badTarget),
        refused("#x", badTarget), refused("**", badTarget), refused("*/", badTarget), refused("h:80", badTarget),
        refused("http://", badTarget), refused("http:///a", badTarget), refused("http:/a", badTarget),
        refused("ftp://h/p", badTarget), refused("%2f", badTarget),
        refused("/%", badEscape), refused("/%4", badEscape), refused("/%zz", badEscape), refused("/a%4gb", badEscape),
        refused("/a%/b", badEscape), refused("http://h/%", badEscape),
        refused("/..", badRoot), refused("/../a", badRoot), refused("/a/../..", badRoot), refused("/%2e%2E", badRoot),
        refused("/.%2e/", badRoot), refused("/./..", badRoot), refused("http://h/..", badRoot),
    ]
}
