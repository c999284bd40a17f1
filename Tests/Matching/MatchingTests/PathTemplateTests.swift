import SDMatching
import SDPlatform
import Testing

@Suite struct PathTemplateTests {
    static let paths: [(template: String, path: String, captures: [String]?)] = [
        ("/contacts/{id}", "/contacts/12", ["12"]), ("/contacts/{id}", "/contacts/", nil),
        ("/contacts/{id}", "/contacts", nil), ("/contacts/{id}", "/contacts/1/2", nil),
        ("/contacts/{id}", "/contacts/1/", nil), ("/contacts/{id}", "/contacts/a%2Fb", ["a%2Fb"]),
        ("/contacts/{id}/addresses/{addr}", "/contacts/1/addresses/2", ["1", "2"]),
        ("/contacts/{id}/addresses/{addr}", "/contacts/1/2/addresses/3", nil),
        ("/a/**", "/a/", [""]), ("/a/**", "/a/b/c", ["b/c"]), ("/a/**", "/a", nil), ("/a**", "/a", [""]),
        ("**", "/x/y", ["/x/y"]), ("/**/end", "/a/b/end", ["a/b"]), ("/**/end", "/end", nil),
        ("/**/end", "//end", [""]),
        ("/**/a/**", "/x/a/y/a/z", ["x", "y/a/z"]), ("/{id}.json", "/a.json", ["a"]),
        ("/{id}.json", "/a.b.json", ["a.b"]), ("/{id}.json", "/.json", nil), ("/v{n}/x", "/v12/x", ["12"]),
        ("/{a}-{b}", "/x-y-z", ["x-y", "z"]), ("/{a}{b}", "/xyz", ["xy", "z"]), ("/{a}{b}", "/x", nil),
        ("/{a}-{b}/c", "/x-/c", nil), ("/{;id*}", "/x", ["x"]), ("/a.b", "/a.b", []), ("/a.b", "/axb", nil),
        ("/{}", "/{}", []), ("/{}", "/x", nil), ("/{a", "/{a", []), ("/***", "/x*", ["x"]), ("", "", []),
        ("", "/", nil),
        ("/{a}**", "/x/y", ["x", "/y"]), ("/**{a}", "/xy", ["", "xy"]), ("/{a/b}", "/x", ["x"]),
        ("/{a}/", "/x/", ["x"]),
        ("/é/{ü}", "/é/ö", ["ö"]), ("/a?b", "/a?b", []),
    ]

    @Test(arguments: paths)
    func capturesWhatJavaWould(_ text: String, _ path: String, _ captures: [String]?) throws {
        let template = try #require(PathTemplate(text))
        let actual = template.captures(of: path.bytes)?.map { String(decoding: $0, as: UTF8.self) }
        #expect(actual == captures)
        #expect(template.matches(path.bytes) == (captures != nil))
    }

    @Test func namesLoseFormatCharactersAndWildcardsAreNumbered() {
        #expect(PathTemplate("/{;id*}/{.ext}/**/{plain}/**")?.names == ["id", "ext", "0", "plain", "1"])
    }

    @Test func ambiguousTemplatesTakeBoundedTime() throws {
        let template = try #require(PathTemplate("/" + String(repeating: "**a", count: 90) + "!"))
        let budget = WorkBudget(limit: 2_000_000)
        #expect(!template.matches(("/" + String(repeating: "a", count: 8_000)).bytes, budget))
        #expect(budget.isSpent)
        #expect(PathTemplate(String(repeating: "{a}", count: 101)) == nil)
    }
}
