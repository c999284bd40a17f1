import SDBasics
import SDCommand
import Testing

@Suite struct SuggestedCommandTests {
    @Test(arguments: [
        (["cd", "app"], "sh -c 'cd app'"),
        (["cd", "my app", "&&", "npm", "test"], #"sh -c 'cd '\''my app'\'' && npm test'"#),
        (["export", "A=b"], "sh -c 'export A=b'"), ([".", "env.sh"], "sh -c '. env.sh'"),
        (["API_URL=x", "npm", "test"], "env API_URL=x npm test"),
        (["A=1", "_b2=", "npm"], "env A=1 _b2= npm"), (["A=1"], "env A=1 COMMAND"),
        (["curl -s http://x/y"], "curl -s http://x/y"), (["npm test", "--", "-v"], "npm test -- -v"),
        (["cd app && npm test"], "sh -c 'cd app && npm test'"), (["A=1 npm test"], "sh -c 'A=1 npm test'"),
        (["curl $STUNTDOUBLE_URL/x"], "sh -c 'curl $STUNTDOUBLE_URL/x'"),
    ])
    func whatOnlyAShellUnderstandsIsMeantForOne(command: [String], line: String) {
        #expect(SuggestedCommand(command)?.line == line)
    }

    @Test(arguments: [["npm", "test"], ["pytst"], ["1A=b", "x"], ["=x"], ["./a-b=c"], [""], []])
    func whatMayBeAProgramHasNoOtherMeaning(command: [String]) {
        #expect(SuggestedCommand(command) == nil)
    }

    @Test(arguments: [
        (["curl", "-s", ""], true), (["curl", "/x"], true), (["/usr/bin/curl", "-s", "/x"], true),
        (["npm", "http:///x"], true),
        (["app", "--url=http:///x"], true), (["curl", "http://:8080/x"], true),
        (["curl", "http://localhost/x"], false),
        (["ls", "/tmp"], false), (["sh", "-c", "curl $STUNTDOUBLE_URL/x"], false), (["npm", "test"], false),
        ([], false),
    ])
    func aShellThatHasPutNothingInPlaceOfTheURLIsSeen(command: [String], isSeen: Bool) {
        #expect(SuggestedCommand.lacksURL(command) == isSeen)
    }

    @Test(
        arguments: [
            ("GET /nope", "/nope"), ("^/nope$", "/nope"), ("^/nope", "/nope"), ("/nope$", "/nope"),
            ("http://localhost:8080/nope", "/nope"),
            ("https://a.example", "/"), ("/nope?page=1", "/nope"), ("/api/.*", "/api/**"), ("^/api/.+$", "/api/**"),
            ("GET http://a/b?c=d", "/b"), ("GET", nil), ("/nope", nil), ("favicon.ico", nil), ("*.map", nil),
            ("/a?.js", nil), ("**", nil),
            ("/.well-known/*", nil), ("/a.*", nil), ("/a^b", nil),
            ("/a b/**", nil), ("GET /a b", "/a b"), (" /a ", "/a"), (" ", "/**"),
        ] as [(String, String?)])
    func aPatternThatMatchesNoPathIsKnown(text: String, meant: String?) {
        #expect(IgnoredPath.meant(by: text) == meant)
    }
}
