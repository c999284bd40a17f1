import Testing

@testable import SDBasics

/// The origins that a text of `cors` names.
@Suite struct OriginPatternTests {
    @Test(arguments: [
        ("https://app.example", ["https://app.example", "https://app.example:443", "HTTPS://APP.EXAMPLE"]),
        ("https://App.Example:443", ["https://app.example"]),
        ("http://app.example:80", ["http://app.example"]),
        (
            "http://localhost:*",
            [
                "http://localhost:3000", "http://localhost", "http://localhost:80", "http://LOCALHOST:1",
                "http://localhost:65535",
            ]
        ),
        ("http://[::1]:*", ["http://[::1]:5173", "http://[::1]"]),
        (
            "https://*.example.com",
            ["https://a.example.com", "https://a.b.example.com", "https://A.Example.COM", "https://a.example.com:443"]
        ),
        ("https://*.example.com:*", ["https://a.example.com", "https://a.example.com:8443"]),
        ("https://*.example.com:8443", ["https://a.example.com:8443"]),
        ("http://*:3000", ["http://localhost:3000", "http://192.168.1.7:3000", "http://[::1]:3000"]),
        ("https://*", ["https://a", "https://a.b.c"]),
        ("https://*:*", ["https://a:1", "https://a"]),
        ("null", ["null"]),
        ("capacitor://localhost", ["capacitor://localhost"]),
        ("chrome-extension://abcdef", ["chrome-extension://abcdef"]),
    ])
    func whatItNames(text: String, origins: [String]) throws {
        let pattern = try #require(OriginPattern(text))
        for origin in origins { #expect(pattern.matches(origin), "\(text) \(origin)") }
    }

    @Test(arguments: [
        (
            "https://app.example",
            [
                "http://app.example", "https://app.example:8443", "https://app.example.evil", "https://a.app.example",
                "null", "",
            ]
        ),
        (
            "http://localhost:*",
            [
                "https://localhost:3000", "http://localhost.evil:3000", "http://evil.localhost:3000",
                "http://localhost:3000@evil",
                "http://evil/localhost:3000", "http://127.0.0.1:3000", "http://localhost:", "null",
                "http://localhost:1.evil.com", "http://localhost:-1", "http://localhost:0x50", "http://localhost:*",
            ]
        ),
        (
            "https://*.example.com",
            [
                "https://example.com", "https://.example.com", "https://evilexample.com", "https://a.example.com.evil",
                "http://a.example.com", "https://a.example.com:8443", "https://evil/.example.com",
                "https://evil#.example.com",
                "https://evil\\.example.com", "https://evil@a.example.com", "null",
            ]
        ),
        ("http://*:3000", ["http://localhost:3001", "http://localhost", "https://localhost:3000", "null"]),
        ("https://*", ["http://a", "https://a:8443", "null", "https://"]),
        ("null", ["http://null", "https://a", ""]),
    ])
    func whatItDoesNotName(text: String, origins: [String]) throws {
        let pattern = try #require(OriginPattern(text))
        for origin in origins { #expect(!pattern.matches(origin), "\(text) \(origin)") }
    }

    @Test(arguments: [
        ("app.example", "https://app.example"), ("localhost:3000", "http://localhost:3000"),
        ("localhost:*", "http://localhost:*"),
        ("127.0.0.1", "http://127.0.0.1"), ("[::1]:3000", "http://[::1]:3000"),
        ("*.example.com", "https://*.example.com"),
        ("https://a/b", "https://a"), ("https://a/", "https://a"), ("https://a?b", "https://a"),
        ("http://localhost*", "http://localhost:*"), ("http://localhost:30*", "http://localhost:*"),
        ("http://*local*", nil), ("https://a.*.example", nil), ("https://*example.com", nil), ("*://localhost", nil),
        ("https://a..x", nil), ("https://.a", nil), ("https://*..a", nil), ("https://a:99999", nil),
        ("https://a:65536", nil), ("https://a:08", nil), ("https://1.2.3", nil), ("https://1.2.3.256", nil),
        ("http://[::g]", nil), ("http://[a]:80", nil),
        ("https://münchen.example", "https://xn--mnchen-3ya.example"),
        ("https://Bücher.example:8443", "https://xn--bcher-kva.example:8443"),
        ("https://*.例え.jp", "https://*.xn--r8jz45g.jp"), ("пример.рф", "https://xn--e1afmkfd.xn--p1ai"),
        ("https://mu\u{308}nchen.example", nil),
        ("http://localhost:port", nil), ("https://", nil), ("", nil), ("https://*.", nil), ("http://a b", nil),
    ])
    func whatIsNone(text: String, meant: String?) {
        #expect(OriginPattern(text) == nil)
        #expect(OriginPattern.meant(by: text) == meant)
    }
}
