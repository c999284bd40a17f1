import SDReports
import Testing

@Suite struct PathGlobTests {
    @Test(arguments: [
        ("/favicon.ico", "/favicon.ico"), ("favicon.ico", "/favicon.ico"), ("favicon.ico", "/a/b/favicon.ico"),
        ("*.map", "/js/app.js.map"), ("/assets/*", "/assets/a.png"), ("/assets/**", "/assets/a/b.png"),
        ("/assets/**", "/assets/"), ("/**", "/"), ("**", "/a/b"), ("/a/*/c", "/a/b/c"), ("/a/**/d", "/a/b/c/d"),
        ("/**/x/*y", "/a/x/b/x/cy"), ("/a?c", "/abc"), ("/*a*b", "/xxaxxab"), ("/**a*/b", "/a/aa/ab/b"), ("*", "/"),
        ("***", "/a/b"), ("/\u{e9}*", "/\u{e9}t\u{e9}"),
    ])
    func itMatches(glob: String, path: String) {
        #expect(PathGlob(glob).matches(Array(path.utf8)))
    }

    @Test(arguments: [
        ("/favicon.ico", "/a/favicon.ico"), ("/favicon.ico", "/favicon.icon"), ("favicon.ico", "/favicon.ico/a"),
        ("*.map", "/a.map/b"), ("/assets/*", "/assets/a/b"), ("/a/*/c", "/a/b/b/c"), ("/a?c", "/a/c"), ("", "/a"),
        ("/assets/**", "/assets"), ("/A", "/a"), ("/*a*b", "/xxa/b"),
    ])
    func itDoesNotMatch(glob: String, path: String) {
        #expect(!PathGlob(glob).matches(Array(path.utf8)))
    }

    @Test func manyWildcardsTakeNoLongTime() {
        let glob = PathGlob(String(repeating: "*a", count: 400) + "b")
        #expect(!glob.matches(Array(("/" + String(repeating: "a", count: 20_000)).utf8)))
    }
}
