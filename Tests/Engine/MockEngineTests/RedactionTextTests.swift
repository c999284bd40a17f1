import Testing

@testable import SDAnswering
@testable import SDJournal
@testable import SDMockEngine
@testable import SDRecords
@testable import SDStubs

/// What is left of a text once its secrets are hidden.
@Suite struct RedactionTextTests {
    private static let redaction = Redaction(["token", "api_key", "api key"])

    @Test(arguments: [
        ("/a?b=c&d", "/a?b=c&d"), ("/a?b=%20c#d", "/a?b=%20c#d"), ("/a@b", "/a@b"), ("/a?mail=x@y.z", "/a?mail=x@y.z"),
        ("/a;v=1/b?c=d;e=f", "/a;v=1/b?c=d;e=f"), ("text/html;q=0.9, */*;q=0.8", "text/html;q=0.9, */*;q=0.8"),
        ("/a?tokens=1&atoken=2&token", "/a?tokens=1&atoken=2&token"), ("/a?next=%2Fb%3Fc%3Dd", "/a?next=%2Fb%3Fc%3Dd"),
        ("%", "%"), ("", ""), ("=", "="), ("//", "//"), ("/a?100%=b", "/a?100%=b"),
    ])
    func whatIsNoSecretStays(text: String, expected: String) {
        #expect(Self.redaction.text(text) == expected)
    }

    @Test(arguments: [
        ("/a?token=s&b=c", "/a?token=(redacted)&b=c"), ("/a?b=c;token=s;d=e", "/a?b=c;token=(redacted);d=e"),
        ("/a?TO%6bEN=s", "/a?TO%6bEN=(redacted)"),
        ("/a?api_key[]=s&api_key[0]=t", "/a?api_key[]=(redacted)&api_key[0]=(redacted)"),
        ("/a#token=s&b=c", "/a#token=(redacted)&b=c"), ("/a?token=s#b", "/a?token=(redacted)#b"),
        ("/a?token=s/t?u=v", "/a?token=(redacted)"), ("/a?api+key=s", "/a?api+key=(redacted)"),
        ("http://joe:s@h:1/a?b", "http://(redacted)@h:1/a?b"), ("//joe@h/a", "//(redacted)@h/a"),
        ("/a?next=http://joe:s@h/b&c=d", "/a?next=http://(redacted)@h/b&c=d"),
        ("/a?next=%2Fb%3Ftoken%3Ds&c=d", "/a?next=%2Fb%3Ftoken%3D(redacted)&c=d"),
        ("/a?next=%252Fb%253Ftoken%253Ds", "/a?next=%252Fb%253Ftoken%253D(redacted)"),
        ("/to/http%3A%2F%2Fjoe%3As%40h", "/to/http%3A%2F%2F(redacted)%40h"), ("/a;token=s/b", "/a;token=(redacted)"),
        ("<http://h/?token=s>; rel=next", "<http://h/?token=(redacted)>; rel=next"),
        ("token=\"a b\", c", "token=\"(redacted)\", c"), ("a test token=s", "a test token=(redacted)"),
        ("/a?b%3Ftoken=s", "/a?b%3Ftoken=(redacted)"),
        (#"[["token","s"],["a","b"]]"#, #"[["token","(redacted)"],["a","b"]]"#),
        (#"/a?j=[["token","s"]]"#, #"/a?j=[["token","(redacted)"]]"#),
    ])
    func secretsAreHidden(text: String, expected: String) {
        #expect(Self.redaction.text(text) == expected)
        #expect(Self.redaction.text(expected) == expected)
    }

    @Test(arguments: [
        (#"{"token": "a", "id": 1}"#, #"{"token": "(redacted)", "id": 1}"#), (#"{"jwt": 5}"#, #"{"jwt": 0}"#),
        ("token=a&b=c", "token=(redacted)&b=c"), ("<a><token>b</token></a>", "<a><token>(redacted)</token></a>"),
    ])
    func bodiesAreReadByTheirForm(text: String, expected: String) {
        #expect(String(decoding: Self.redaction.body(Array(text.utf8), type: nil), as: UTF8.self) == expected)
    }

    /// A difference quotes a value, of which its path does not always say that it is a secret.
    @Test func differencesQuoteNoSecrets() {
        let body = #"{"name": "client secret", "value": "zq 38", "k": 2, "l": {"password": "abcdefghij"}}"#
        let shown = Self.redaction.differences(
            [
                "$.a: missing, expected 1", #"$.value: not expected, was "zq 38""#, "$.k: expected 1, was 2",
                "$.l.password: expected 1, was 2", #"$.l: not expected, was {"password":"abcd…"#,
            ], in: [body])
        #expect(
            shown == [
                "$.a: missing, expected 1", "$.value: differs", "$.k: expected 1, was 2", "$.l.password: differs",
                "$.l: differs",
            ])
    }

    @Test func filesAddNamesWhileTheyAreServed() {
        let setting = RedactionSetting()
        #expect(setting.current == nil)
        setting.replace(["iban"], of: "a.yaml")
        #expect(setting.current?.hides("IBAN") == true && setting.current?.hides("password") == true)
        #expect(setting.fileNames == ["a.yaml"])
        setting.replace([], of: "a.yaml")
        #expect(setting.current == nil)
    }

    /// However a text is put together, it takes a time in proportion to its length.
    @Test(arguments: ["?", "&", ";", "=", "/", "%", "%25", "a=", ";a", "token=", "//@", "%3D", "%2525", "#;"])
    func aLongTextIsReadQuickly(part: String) {
        let text = String(repeating: part, count: 20_000)
        let elapsed = ContinuousClock().measure { _ = Self.redaction.text(text) }
        #expect(elapsed < .seconds(20), "\(part): \(elapsed)")
    }
}
