import SDBasics
import Testing

/// The user and the password of a URL are in no message, also where the URL is none.
@Suite struct URLUserTests {
    @Test(
        arguments: [
            ("http://ada:secret@host/a", "http://host/a"), ("http://ada:secret@host:80?b=c", "http://host:80?b=c"),
            ("http://ada:se cret@host", "http://host"), ("http://ada:se#cret@host", "http://host"),
            ("http://ada:12 34@host", "http://host"), ("http://ada:se/cret@host", "http://host"),
            ("http:/ada:secret@host", "http:/host"), ("//ada:secret@host", "//host"),
            ("ada:secret@host:1", "host:1"), ("http://a@b:secret@host", "http://host"),
            ("ftp://ada:secret@host", "ftp://host"), ("http://ada:secret@", "http://"),
        ])
    func aUserIsLeftOut(url: String, shown: String) {
        #expect(url.withoutUser == shown)
    }

    /// As in a message: what is nearly a URL hides them as well, and a mark shows that they were there.
    @Test(
        arguments: [
            ("http://ada:PW@h", "http://…@h"), ("http:/ada:PW@h", "http:/…@h"), ("http//ada:PW@h", "http//…@h"),
            ("http:///ada:PW@h", "http:///…@h"), ("http:ada:PW@h", "…@h"), ("http:\\\\ada:PW@h", "http:\\\\…@h"),
            ("http;//ada:PW@h", "http;//…@h"), ("http: //ada:PW@h", "http: //…@h"), ("://ada:PW@h", "://…@h"),
            ("//ada:PW@h", "//…@h"), ("http://ada:PW x@h", "http://…@h"), ("http:// ada:PW@h", "http:// …@h"),
            (" http://ada:PW@h", " http://…@h"), ("http://ada:PW/x@h", "http://…@h"), ("ada:PW@h:x", "…@h:x"),
            ("http://ada:PW#@h", "http://…@h"), ("http://ada:PW?@h", "http://…@h"), ("http://ada:@:PW@h", "http://…@h"),
            ("http://PW@h", "http://…@h"), ("http://ada:P@W@h", "http://…@h"), ("ftp://ada:PW@h", "ftp://…@h"),
            ("http://ada:P\"W@h", "http://…@h"), ("http://ada:P\nW@h", "http://…@h"), ("HTTP:/ada:PW@h", "HTTP:/…@h"),
            ("\"http:/ada:PW@h\"", "\"http:/…@h\""), ("http:/ada:P W@h", "http:/…@h"), ("ada:P W@h", "…@h"),
            ("https://http:/ada:PW@h", "https://http:/…@h"), ("https://http//ada:PW@h", "https://http//…@h"),
            ("ada:PW@h", "…@h"), ("http://ada:PW@h/a@b", "http://…@h/a@b"),
        ])
    func aMessageHidesAUser(url: String, shown: String) {
        let hidden = url.withoutPassword
        #expect(!hidden.contains("W") && hidden == shown)
    }

    @Test(arguments: [
        "node@20", "ada@example.com", "@scope", "mocks/a@b", "@", "", "{{request.host}}", "http://h/a@b", "*.example",
        "the text of ada@example.com", "//book[@id]", "//ns:book[@id='a']", "//ns:a/@id", "/a/b[@c]", "$.a[?(@.b)]",
        "$['a:b'][?(@.c == 'x')]", "body:$.a[?(@.b)]", "body: {json: $..a[?(@.b > 1)]}", "\"//book[@id]\"",
        "//a[@href='http://x']/b[@c]",
    ])
    func aNameWithAnAtStays(name: String) {
        #expect(name.withoutPassword == name)
    }

    @Test(arguments: [
        "http://host/a@b", "http://host:80/a@b", "http://host:80?mail=a@b", "http://host?mail=a@b", "/a@b", "/a:b@c",
        "http://[::1]:80/a@b", "http://host#a@b", "",
    ])
    func anythingElseStays(url: String) {
        #expect(url.withoutUser == url)
    }
}
