import SDJSON
import SDMatching
import SDMockEngine
import SDStubModel
import SDTestSupport
import Testing

/// Tokens and signatures in templates, checked by the `openssl` command where it is installed.
@Suite struct TokenTests {
    private func text(_ mock: TestMock, _ template: String, body: String = "") throws -> Exchange {
        let stub: JSONValue = [
            "request": ["url": "/t"],
            "response": ["body": .string(template), "transformers": ["response-template"]],
        ]
        try mock.add(stub.compactText)
        return try Exchange(mock.port, "POST", "/t", body: body)
    }

    /// Values of RFC 4231, test case 2, and of the same key and text with other digests.
    @Test(arguments: [
        ("", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
        ("algorithm='sha-1'", "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
        (
            "algorithm='SHA512'",
            "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"
        ),
        ("encoding='base64'", "W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM="),
        ("encoding='base64url'", "W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM"),
        ("algorithm='md4'", "[ERROR: hmac: algorithm is md4, and may be SHA1, SHA256, SHA384 or SHA512]"),
    ])
    func anAuthenticationCodeIsThatOfTheStandard(options: String, expected: String) throws {
        let answer = try text(
            try TestMock(), "{{hmac request.body key='Jefe' \(options)}}", body: "what do ya want for nothing?")
        #expect(answer.text == expected)
    }

    @Test func aTokenHasClaimsOfTheExtensionAndAThumbprint() throws {
        let answer = try text(
            try TestMock(),
            "{{{jwt x5t='abc' kid='k' aud=(claims 'x' 'y') access=(claimsObject roles=(claims 'a') since=(parseDate '1970-01-01T00:00:09Z'))}}}"
        )
        let token = try #require(JWTToken(Array(answer.text.utf8)[...]), "\(answer.text)")
        #expect(token.header == ["alg": "HS256", "typ": "JWT", "kid": "k", "x5t": "abc"])
        #expect(token.claims["aud"] == ["x", "y"] && token.claims["access"] == ["roles": ["a"], "since": 9])
    }

    @Test(arguments: [
        ("{{jwtClaim 'sub'}}", "ann"), ("{{jwtClaim '$.realm.roles[1]'}}", "b"),
        ("{{#each (jwtClaim '$.realm.roles')}}<{{this}}>{{/each}}", "<a><b>"), ("{{jwtClaim 'n'}}", "3"),
        ("{{jwtClaim 'none'}}|{{jwtClaim 'none' default='d'}}", "|d"), ("{{jwtClaim request.body 'sub'}}", ""),
        ("{{jwtClaim request.headers.X-Token 'sub'}}", "ann"),
    ])
    func aClaimOfTheRequestsTokenIsRead(template: String, expected: String) throws {
        let mock = try TestMock()
        let token = try text(
            mock, #"{{{jwt sub='ann' n=3 realm=(parseJson '{"roles": ["a", "b"]}') pad='ÿþ?>'}}}"#
        ).text
        let stub: JSONValue = [
            "request": ["url": "/c"],
            "response": ["body": .string(template), "transformers": ["response-template"]],
        ]
        try mock.add(stub.compactText)
        let answer = try Exchange(
            mock.port, "POST", "/c", headers: [("Authorization", "Bearer \(token)"), ("X-Token", token)], body: "x.y.z")
        #expect(answer.text == expected)
    }

    @Test func anUploadHasItsFileName() throws {
        let mock = try TestMock()
        try mock.add(
            #"{"request": {"url": "/u"}, "response": {"body": "{{request.parts.avatar.filename}}|{{request.parts.text.filename}}", "transformers": ["response-template"]}}"#
        )
        let part = "--b\r\nContent-Disposition: form-data; name="
        let answer = try Exchange(
            mock.port, "POST", "/u", headers: [("Content-Type", "multipart/form-data; boundary=b")],
            body: part + "\"avatar\"; filename=\"a b.png\"\r\n\r\nx\r\n" + part + "\"text\"\r\n\r\ny\r\n--b--\r\n")
        #expect(answer.text == "a b.png|")
    }

    @Test func aTokenHasItsClaims() throws {
        let mock = try TestMock()
        _ = try mock.admin("PUT", "/settings", #"{"clock": {"frozen": "2026-03-01T12:00:00Z"}}"#)
        let answer = try text(
            mock,
            "{{{jwt sub='ann' maxAge='12 days' admin=true n=3 nbf=(parseDate '2018-02-23T21:22:23Z') roles=(array 'a' 'b')}}}"
        )
        let token = try #require(JWTToken(Array(answer.text.utf8)[...]))
        #expect(token.header == ["alg": "HS256", "typ": "JWT"])
        #expect(
            token.claims == [
                "sub": "ann", "admin": true, "n": 3, "nbf": 1_519_420_943, "roles": ["a", "b"], "iat": 1_772_366_400,
                "exp": 1_773_403_200,
            ])
        // The same time and claims make the same token, whose signature is an HMAC of the rest.
        let parts = answer.text.split(separator: ".").map(String.init)
        let code = try text(
            mock, "{{hmac request.body key='stunt-double-signs-with-this-secret' encoding='base64url'}}",
            body: parts[0] + "." + parts[1])
        #expect(code.text == parts[2])
        _ = try mock.admin("PATCH", "/settings/extended", #"{"extended": {"jwt": {"hs256Secret": "other"}}}"#)
        let other = try text(mock, "{{jwt sub='ann'}}").text.split(separator: ".").map(String.init)
        let otherCode = try text(
            mock, "{{hmac request.body key='other' encoding='base64url'}}", body: other[0] + "." + other[1])
        #expect(otherCode.text == other[2])
    }

    /// A key is made beside the loop, and the key set has its public part, whose id the tokens name.
    @Test func aTokenIsSignedWithAKeyOfTheSet() throws {
        let mock = try TestMock()
        let answer = try text(mock, "{{{jwt alg='RS256' sub='ann'}}}")
        #expect(answer.status == 200, "\(answer.text)")
        let token = try #require(JWTToken(Array(answer.text.utf8)[...]))
        let key = try #require(JSONValue(parsing: try text(mock, "{{{jwks}}}").text)["keys"]?[0])
        #expect(key["kid"] == token.header["kid"])
        #expect(key["e"] == "AQAB")
        // 2,048 bits.
        #expect(key["n"]?.stringValue?.utf8.count == 342)
        #expect(answer.text.split(separator: ".")[2].utf8.count == 342)
        #expect(
            try text(mock, "{{{jwt alg='RS256' sub='ann'}}}").text.split(separator: ".")[0]
                == answer.text.split(separator: ".")[0])
    }

    @Test(arguments: [
        ("{{jwt alg='none'}}", 200, "[ERROR: jwt: alg is none, and may be HS256 or RS256]"),
        ("{{jwt maxAge='soon'}}", 500, "maxAge is no duration"),
        ("{{jwt alg='RS256' key='x'}}", 500, "not a private RSA key"),
        ("{{hmac 'x'}}", 200, "[ERROR: hmac needs a text and a key: hmac request.body key='secret']"),
        ("{{hmac}}{{jwks.x}}", 200, ""), ("{{#with parameters}}{{jwt}}{{/with}}", 200, "."),
    ])
    func aCallThatIsWrongSaysSo(template: String, status: Int, words: String) throws {
        let answer = try text(try TestMock(), template)
        #expect(answer.status == status && answer.text.contains(words), "\(answer.text)")
    }
}
