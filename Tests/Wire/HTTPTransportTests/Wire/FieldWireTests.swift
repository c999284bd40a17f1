import Testing

/// Header fields (RFC 9112, section 5; RFC 9110, section 5): kept as sent, strict where leniency would be a security
/// hole.
@Suite struct FieldWireTests {
    @Test(arguments: cases) func aHeaderFieldIsAnsweredByteForByte(_ wireCase: WireCase) throws {
        try expectExchange(wireCase)
    }

    private static let badName = "a header name is not a token"
    private static let badSpace = "a header has white space before its colon"
    private static let badValue = "a header value has a control character"
    private static let badFold = "a header is folded over several lines"
    private static let badHost = "HTTP/1.1 needs exactly one Host header"
    private static let loneCR = "the head contains a lone CR"

    /// A request with one more line after Host, which parses as `name` and `value`.
    private static func served(_ title: String, _ line: String, _ name: String, _ value: String) -> WireCase {
        .served(
            title, head("GET / HTTP/1.1", "Host: a", line), "GET / HTTP/1.1 keep", "[Host]=[a]", "[\(name)]=[\(value)]")
    }

    private static func refused(_ title: String, _ line: String, _ reason: String) -> WireCase {
        .refused(title, head("GET / HTTP/1.1", "Host: a", line), "400 Bad Request", reason)
    }

    static let cases: [WireCase] = kept + wrong + hosts + validHosts + invalidHosts + targetHosts

    private static let kept: [WireCase] = [
        served("the case of a name", "X-Camel-CASE: b", "X-Camel-CASE", "b"),
        served("no space before the value", "X:b", "X", "b"),
        served("many spaces around the value", "X: \t  b c \t ", "X", "b c"),
        served("an empty value", "X:", "X", ""),
        served("a value of spaces", "X:  \t ", "X", ""),
        served("a value with a colon", "X: b:c", "X", "b:c"),
        served("a value that starts with a colon", "X::", "X", ":"),
        served("a tab in a value", "X: b\tc", "X", "b\tc"),
        served("bytes of 0x80 and more in a value", "X: \u{e4}\u{ff}\u{80}", "X", "\u{e4}\u{ff}\u{80}"),
        served("a name of every token character", "!#$%&'*+-.^_`|~09Az: b", "!#$%&'*+-.^_`|~09Az", "b"),
        served("a value that looks like a request", "X: GET / HTTP/1.1", "X", "GET / HTTP/1.1"),
        served("a name of one letter", "x: y", "x", "y"),
        .served(
            "order and repetition", head("GET / HTTP/1.1", "B: 1", "Host: a", "b: 2", "A: 3", "B: 1"),
            "GET / HTTP/1.1 keep", "[B]=[1]", "[Host]=[a]", "[b]=[2]", "[A]=[3]", "[B]=[1]"),
        .served(
            "LF alone ends a field", "GET / HTTP/1.1\r\nHost: a\nX: b \n\r\n", "GET / HTTP/1.1 keep", "[Host]=[a]",
            "[X]=[b]"),
        .served(
            "more fields than the head has room for",
            "GET / HTTP/1.1\r\nHost: a\r\n" + (1...100).map { "X-\($0): \($0)\r\n" }.joined() + "\r\n",
            (["GET / HTTP/1.1 keep", "[Host]=[a]"] + (1...100).map { "[X-\($0)]=[\($0)]" }).joined(separator: "\n")),
    ]

    private static let wrong: [WireCase] = [
        refused("no colon", "X b", badSpace),
        refused("a name alone", "X", badName),
        refused("an empty name", ": b", badName),
        refused("a colon alone", ":", badName),
        refused("a space before the colon", "X : b", badSpace),
        refused("a tab before the colon", "X\t: b", badSpace),
        refused("a space in a name", "X Y: b", badSpace),
        refused("a bracket in a name", "X(Y): b", badName),
        refused("@ in a name", "X@Y: b", badName),
        refused("a quote in a name", "\"X\": b", badName),
        refused("NUL in a name", "X\0: b", badName),
        refused("a byte of 0x80 and more in a name", "\u{e4}: b", badName),
        refused("NUL in a value", "X: b\0c", badValue),
        refused("a control character in a value", "X: b\u{1}c", badValue),
        refused("escape in a value", "X: \u{1b}[1m", badValue),
        refused("DEL in a value", "X: b\u{7f}", badValue),
        refused("CR in a value", "X: b\rc", loneCR),
        refused("two CR behind a value", "X: b\r", loneCR),
        refused("a folded value", "X: b\r\n c", badFold),
        refused("a value folded with a tab", "X: b\r\n\tc", badFold),
        refused("a value folded behind LF alone", "X: b\n c", badFold),
        refused("an empty fold", "X: b\r\n ", badFold),
        .refused(
            "a space before the first field", "GET / HTTP/1.1\r\n Host: a\r\n\r\n", "400 Bad Request", badFold),
    ]

    private static let validHosts: [WireCase] = [
        "a", "a:1", "a:", "a:65535", "a.example:080", "A_b-c~1.example", "*.example", "a,b;c=d!$&'()+", "a%20b",
        "127.0.0.1:8080",
        "[::1]", "[::1]:80", "[::1]:", "[::ffff:10.0.0.1]:1", "[fe80::1%eth0]:80", "[fe80::1%25eth0]",
    ].map { .served("Host: \($0)", head("GET / HTTP/1.1", "Host: \($0)"), "GET / HTTP/1.1 keep", "[Host]=[\($0)]") }

    private static let invalidHosts: [WireCase] = [
        "a b", "a\tb", "h:x", "h:1x", "h:-1", "h:+1", "h:65536", "h:4294967376", "h:1:2", ":80", ":", "::1", "u@h",
        "a/b", "http://a",
        "a?b", "a#b", "a\\b", "a|b", "a%", "a%2", "a%zz", "<a>", "\"a\"", "{a}", "a^b", "a`b", "b\u{fc}cher", "[", "[]",
        "[]:80",
        "[::1", "::1]", "[::1]x", "[::1]80", "[127.0.0.1]", "[a]", "[::1%]", "[::1 ]", "[v1.a]x",
        "[" + String(repeating: "0", count: 60) + "]",
    ].flatMap { host in
        ["HTTP/1.1", "HTTP/1.0"].map { version in
            .refused(
                "Host: \(host), \(version)", head("GET / \(version)", "Host: \(host)"), "400 Bad Request",
                "the Host header is no host with a port")
        }
    }

    /// In an absolute target a user may stand in front of the host.
    private static let targetHosts: [WireCase] =
        ["h:x", "[::1", "h:99999", "ev\\il.com", "b\u{fc}cher", "u@", "u@h:x", "a|b", "[::1]x"].map { host in
            .refused(
                "http://\(host)/", head("GET http://\(host)/ HTTP/1.1", "Host: a"), "400 Bad Request",
                "the authority of the request target is no host with a port")
        }
        + ["a", "a:1", "u:p@a:8", "u@v@a", "[::1]:80", "a%20b"].map { host in
            .served(
                "http://\(host)/", head("GET http://\(host)/ HTTP/1.1", "Host: a"), "GET http://\(host)/ HTTP/1.1 keep",
                "url /", "authority \(host)", "[Host]=[a]")
        }

    private static let hosts: [WireCase] = [
        .refused(
            "a wrong Host beside an absolute target", head("GET http://b/ HTTP/1.1", "Host: a b"), "400 Bad Request",
            "the Host header is no host with a port"),
        .served(
            "an empty Host beside an absolute target", head("GET http://b/ HTTP/1.1", "Host:"),
            "GET http://b/ HTTP/1.1 keep", "url /", "authority b", "[Host]=[]"),
        .refused("an empty Host, and another", head("GET / HTTP/1.1", "Host:", "Host: a"), "400 Bad Request", badHost),
        .served("an empty Host", head("GET / HTTP/1.1", "Host:"), "GET / HTTP/1.1 keep", "[Host]=[]"),
        .served("Host in another case", head("GET / HTTP/1.1", "hOST: a"), "GET / HTTP/1.1 keep", "[hOST]=[a]"),
        .served(
            "Host beside an absolute target", head("GET http://b/ HTTP/1.1", "Host: a"), "GET http://b/ HTTP/1.1 keep",
            "url /", "authority b", "[Host]=[a]"),
        .refused("no Host", head("GET / HTTP/1.1"), "400 Bad Request", badHost),
        .refused("no Host beside other fields", head("GET / HTTP/1.1", "X: a"), "400 Bad Request", badHost),
        .refused("no Host with an absolute target", head("GET http://h/ HTTP/1.1"), "400 Bad Request", badHost),
        .refused("two Hosts", head("GET / HTTP/1.1", "Host: a", "Host: b"), "400 Bad Request", badHost),
        .refused("the same Host twice", head("GET / HTTP/1.1", "Host: a", "host: a"), "400 Bad Request", badHost),
        .refused("two Hosts in HTTP/1.0", head("GET / HTTP/1.0", "Host: a", "Host: b"), "400 Bad Request", badHost),
        .waits("a field that goes on", "GET / HTTP/1.1\r\nHost: a"),
        .waits("a head without its empty line", "GET / HTTP/1.1\r\nHost: a\r\n"),
        .waits("a head with half its empty line", "GET / HTTP/1.1\r\nHost: a\r\n\r"),
    ]
}
