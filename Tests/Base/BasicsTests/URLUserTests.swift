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

    @Test(arguments: [
        "http://host/a@b", "http://host:80/a@b", "http://host:80?mail=a@b", "http://host?mail=a@b", "/a@b", "/a:b@c",
        "http://[::1]:80/a@b", "http://host#a@b", "",
    ])
    func anythingElseStays(url: String) {
        #expect(url.withoutUser == url)
    }
}
