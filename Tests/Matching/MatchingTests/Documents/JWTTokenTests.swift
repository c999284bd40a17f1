import SDJSON
import SDMatching
import SDPlatform
import SDStubModel
import Testing

@Suite struct JWTTokenTests {
    /// RFC 7515, appendix A.1.
    private static let example =
        "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9."
        + "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ."
        + "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

    private static func token(_ claims: String, header: String = #"{"alg":"none"}"#) -> String {
        [header, claims].map { part in
            String(
                Base64.encode(Array(part.utf8)).compactMap { character -> Character? in
                    character == "+" ? "-" : character == "/" ? "_" : character == "=" ? nil : character
                })
        }.joined(separator: ".") + "."
    }

    @Test(arguments: ["", "Bearer ", "bearer  ", " BEARER\t"])
    func readsATokenWithOrWithoutItsScheme(scheme: String) throws {
        let token = try #require(JWTToken((scheme + Self.example + " ").bytes))
        #expect(token.header == ["typ": "JWT", "alg": "HS256"])
        #expect(token.claims == ["iss": "joe", "exp": 1_300_819_380, "http://example.com/is_root": true])
        #expect(token.claim("http://example.com/is_root") == true)
        #expect(token.headerField("alg") == "HS256")
    }

    @Test(arguments: [
        "", "Bearer", "Bearer ", ".", "..", "a.b.c", "e30.e30", "e30.e30.x.y", "e30=.e30.x", "e30.e30.x=",
        "e30.e30.a b", "MQ.e30.x",
        "e30.W10.x", "e30.e3.x", "e30..x", "Basic e30.e30.x", "e3+.e30.x", "é.e30.x", "e30.e30.é",
    ])
    func otherTextsAreNotTokens(text: String) {
        #expect(JWTToken(text.bytes) == nil)
    }

    @Test func theSignatureMayBeEmpty() throws {
        #expect(try #require(JWTToken("e30.e30.".bytes)).claims == [:])
    }

    private static let claims: [(String, String?)] = [
        ("realm_access.roles", #"["admin"]"#), ("a.b", "1"), ("a.c", "2"), ("a.b.c", "3"), ("x.y.z", "4"),
        ("x.y.w", nil),
        ("none", nil), ("a.", nil), (".a", nil), ("realm_access.roles.0", nil), ("nothing", "null"), ("", nil),
        (".", nil),
    ]

    @Test(arguments: claims)
    func dottedNamesAreNamesFirstAndThenPaths(name: String, value: String?) throws {
        let claims = """
            {"realm_access":{"roles":["admin"]},"a.b":1,"a":{"b":{"c":3},"c":2},"x":{"y":5},"x.y":{"z":4},"nothing":null}
            """
        let token = try #require(JWTToken(Self.token(claims).bytes))
        #expect(try token.claim(name) == value.map { try JSONValue(parsing: $0) })
    }

    /// Each dot may end a name, and here each prefix is a name, so there are as many paths as subsets of the dots.
    @Test func aTokenMadeToSlowTheSearchTakesBoundedTime() throws {
        var claims = "{}"
        for _ in 0..<40 { claims = #"{"a":\#(claims),"a.a":\#(claims.count < 5_000 ? claims : "{}")}"# }
        let token = try #require(JWTToken(Self.token(claims).bytes))
        #expect(token.claim(String(repeating: "a.", count: 60) + "b") == nil)
    }
}
