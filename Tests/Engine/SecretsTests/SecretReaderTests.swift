import Foundation
import SDSecrets
import SDTestData
import SDTestSupport
import Testing

/// Secrets are found in every kind of document, whole or broken.
@Suite struct SecretReaderTests {
    private func shown(_ text: String, type: String? = nil) -> String {
        let bytes = Array(text.utf8)
        let places = SecretReader(SecretNames()).places(in: bytes, contentType: type)
        return String(decoding: SecretMarks.recorded.replacing(places, in: bytes), as: UTF8.self)
    }

    @Test(arguments: [
        (#"{"password": 1234, "a": 5}"#, #"{"password": 0, "a": 5}"#),
        (#"{"token": true, "n": true}"#, #"{"token": false, "n": true}"#), (#"{"token": null}"#, #"{"token": null}"#),
        (#"{"token": ["x", {"a": 1, "b": null}], "y": 2}"#, #"{"token": ["REDACTED", {"a": 0, "b": null}], "y": 2}"#),
        (#"[{"token":"1"},{"token":"2"}]"#, #"[{"token":"REDACTED"},{"token":"REDACTED"}]"#),
        (#"{"access\u005ftoken":"a\"b","k":"v"}"#, #"{"access\u005ftoken":"REDACTED","k":"v"}"#),
        (#"{"a":"{\"token\":\"b\\\"c\",\"k\":1}"}"#, #"{"a":"{\"token\":\"REDACTED\",\"k\":1}"}"#),
        (#"{"name":"password","value":"abc","x":1}"#, #"{"name":"password","value":"REDACTED","x":1}"#),
        (#"[["password","MyPassword1"],["k","v"]]"#, #"[["password","REDACTED"],["k","v"]]"#),
        (#"{"headers":[["Authorization","TopSecret4"]]}"#, #"{"headers":[["Authorization","REDACTED"]]}"#),
        (#"[["password","token"],["hidden","api_key"]]"#, #"[["password","token"],["hidden","api_key"]]"#),
        (#"see [["token","Secret1234"]] now"#, #"see [["token","REDACTED"]] now"#),
        (#"/pv?j=[["token","Secret1234"]]"#, #"/pv?j=[["token","REDACTED"]]"#),
        ("/pv?j=%5B%5B%22token%22,%22Secret1234%22%5D%5D", "/pv?j=%5B%5B%22token%22,%22REDACTED%22%5D%5D"),
        ("{\"token\":\"a\"}\n{\"k\":1,,\n{\"token\":5}\n", "{\"token\":\"REDACTED\"}\n{\"k\":1,,\n{\"token\":0}\n"),
        ("access%5Ftoken=ab%26cd&x=1+2", "access%5Ftoken=REDACTED&x=1+2"),
        ("data=%7B%22token%22%3A+%22abc%22%7D&x=1", "data=%7B%22token%22%3A+%22REDACTED%22%7D&x=1"),
        (
            "<r><s:password>a</s:password><keyboard>k</keyboard></r>",
            "<r><s:password>REDACTED</s:password><keyboard>k</keyboard></r>"
        ),
        (
            "<r token='a' k='v'><jwt><![CDATA[a<b]]></jwt></r>",
            "<r token='REDACTED' k='v'><jwt><![CDATA[REDACTED]]></jwt></r>"
        ),
        ("<a>{&quot;token&quot;:&quot;b&quot;}</a>", "<a>{&quot;token&quot;:&quot;REDACTED&quot;}</a>"),
        (
            "data: {\"a\": 1,\ndata: \"jwt\":\ndata:  \"e\"}\n\n",
            "data: {\"a\": 1,\ndata: \"jwt\":\ndata:  \"REDACTED\"}\n\n"
        ),
        ("GET /x\nAuthorization: Bearer abc\nX-K: v", "GET /x\nAuthorization: REDACTED\nX-K: v"),
        ("see https://joe:pw@host/x?y=1 now", "see https://REDACTED@host/x?y=1 now"),
        (#"{"u":"https:\/\/joe:pw@h\/x?token=a&k=1"}"#, #"{"u":"https:\/\/REDACTED@h\/x?token=REDACTED&k=1"}"#),
        ("Usage: login <password> [options]", "Usage: login <password> [options]"),
    ])
    func secretsAreReplacedAndTypesStay(text: String, expected: String) {
        #expect(shown(text) == expected)
    }

    @Test(arguments: [
        #"{"token": "zq1"#, #"{"a":"b,"token":"zq1","k":1}"#, #"{"token": ["zq1", {"x": "zq1"#,
        "{\"token\": \u{FFFD}\"zq1\"}",
        #"{token: 'zq1'}"#, #"f({"token":"zq1"});"#, "<r><token>zq1</r>", "<r>token>zq1</token></r>", "<r><token>zq1",
        "https://joe:zq1", #"{"a": "{\"token\":\"zq1"#, "--b\r\nContent-Disposition: form-data; name=token\r\n\r\nzq1",
        "token: zq1", "token=zq1;x", "x&token=zq1", "a=%7B%22token%22%3A%22zq1",
    ])
    func brokenDocumentsDoNotLeak(text: String) {
        #expect(!shown(text).contains("zq1"), "\(shown(text))")
    }

    /// What clients such as curl call a form.
    @Test(arguments: [
        "<user><password>zq1</password></user>", "<user token=\"zq1\"/>", "password: zq1", "user: ada\npassword: zq1\n",
        "note=my password: zq1&x=1", "{\"password\": \"zq1\"}", "doc=<a><token>zq1</token></a>", "a=b c&token=zq1",
        "doc=%3Ca%3E%3Ctoken%3Ezq1%3C%2Ftoken%3E%3C%2Fa%3E", "note=password%3A+zq1",
    ])
    func whatIsSentAsAFormDoesNotLeak(text: String) {
        let shown = shown(text, type: "application/x-www-form-urlencoded")
        #expect(!shown.contains("zq1"), "\(shown)")
    }

    @Test(arguments: [true, false], [true, false]) func wideCharactersAreRead(isLittle: Bool, hasMark: Bool) {
        func encoded(_ text: String) -> [UInt8] {
            ((hasMark ? "\u{FEFF}" : "") + text).utf16.flatMap { unit in
                let (low, high) = (UInt8(unit & 255), UInt8(unit >> 8))
                return isLittle ? [low, high] : [high, low]
            }
        }
        let body = encoded(#"{"tokén":"é","access_token":"a€b","password":7}"#) + [0x20]
        let places = SecretReader(SecretNames()).places(in: body)
        let expected = encoded(#"{"tokén":"é","access_token":"REDACTED","password":0}"#) + [0x20]
        #expect(SecretMarks.recorded.replacing(places, in: body) == expected)
    }

    @Test func requestsMatchAnyValueInTheirPlace() {
        let body = Array(#"{"password": "p", "token": [1, true, null, "q"], "a": "x {\"jwt\":1}", "b": "c"}"#.utf8)
        let places = SecretReader(SecretNames()).places(in: body)
        let expected =
            #"{"password": "${json-unit.any-string}", "token": ["${json-unit.any-number}", "${json-unit.any-boolean}", null, "#
            + #""${json-unit.any-string}"], "a": "${json-unit.any-string}", "b": "c"}"#
        #expect(String(decoding: SecretPlaceholders.replacing(places, in: body), as: UTF8.self) == expected)
    }

    /// Generated documents with up to 50 secrets: none is in the output, every neighbour is, and JSON still parses. Of
    /// the same documents cut anywhere no secret is left either.
    @Test(arguments: SecretDocument.Kind.allCases) func nothingLeaksAndNothingIsLost(_ kind: SecretDocument.Kind) {
        var generator = TestGenerator()
        for round in 0..<40 {
            let count = Int.random(in: 1...(round % 4 == 0 ? 50 : 8), using: &generator)
            let document = SecretDocument(kind, secrets: count, &generator)
            // Code is told from prose by its type alone.
            let isTyped = round % 2 == 0 || kind == .script
            let output = shown(document.text, type: isTyped ? document.contentType : nil)
            let leaked = document.secrets.filter { output.contains($0) }
            let lost = document.neighbours.filter { !output.contains($0) }
            #expect(
                leaked.isEmpty && lost.isEmpty,
                "seed \(generator.seed), round \(round): \(leaked), \(lost)\n\(document.text)")
            if kind == .json {
                #expect(
                    throws: Never.self, "seed \(generator.seed), round \(round): \(output)",
                    performing: { _ = try JSONSerialization.jsonObject(with: Data(output.utf8)) })
            }
            let cut = String(document.text.prefix(Int.random(in: 0...document.text.count, using: &generator)))
            let shownCut = shown(cut, type: document.contentType)
            let left = document.secrets.filter { shownCut.contains($0) }
            #expect(left.isEmpty, "seed \(generator.seed), round \(round): \(left)\n\(cut)")
        }
    }

    /// However a text is put together, the work is in proportion to its length: twice the text takes twice the bytes that
    /// are read, and none is read more than a few times.
    @Test(arguments: [
        "?", "&", ";", "=", ":", "/", "%", "%25", "a=", "token=", "//@", "\\", "\\\"", "{\"", "[", "<a ", "<token>",
        "&amp;", "\":", "--\n", "data:\n", "\"name\":\"token\",", "\"password\":[", "\"password\":{\"a\":",
        "{\"password\":{\"type\":", "<a b=\"", "\\u0022=", "%7B%22password%22%3A", "token=a;", "<script>", "</a",
        "password: ", "<![CDATA[", "<!--", "'=", "\\\\%25&amp;", "{\"a\":\"", "{\"name\":\"password\",\"value\":",
        "[[\"token\",", "a [[\"token\",", "a [[\"token\",\"b\"]] ", "[{\"a\":", "token=%5C%22&amp;", "\u{0}:\u{1}",
    ])
    func aLongTextIsReadAFewTimes(part: String) {
        func work(_ count: Int) -> (bytes: Int, of: Int) {
            let text = Array(String(repeating: part, count: count).utf8)
            let reading = SecretReading(SecretNames())
            _ = reading.places(in: text)
            return (reading.work, text.count)
        }
        let (half, whole) = (work(2_000), work(4_000))
        #expect(whole.bytes <= 16 * whole.of + 128 << 10, "\(part): \(whole)")
        #expect(whole.bytes <= 2 * half.bytes + half.of, "\(part): \(half), \(whole)")
    }

    /// Bytes that are no text are read once or twice, whatever looks like an escape in them.
    @Test func bytesAreReadOnceOrTwice() {
        var generator = TestGenerator()
        let bytes = (0..<50_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let reading = SecretReading(SecretNames())
        _ = reading.places(in: bytes)
        #expect(reading.work <= 3 * bytes.count, "seed \(generator.seed)")
        let secret = Array("\u{1}\u{2} password=zq1".utf8)
        #expect(reading.places(in: bytes + secret).contains { $0.range == (bytes.count + 12)..<(bytes.count + 15) })
    }

    @Test func bytesAreNoSecretsByChance() {
        let noise = [UInt8](repeating: 0xE9, count: 3_000)
        for chance in ["//\u{1}k:q@", "pw=\u{2}q", "sid:zq1", "pin=12"] {
            #expect(SecretReading(SecretNames()).places(in: noise + chance.utf8 + noise).isEmpty, "\(chance)")
        }
        let url = Array("https://ann:zq1@a.example".utf8)
        #expect(SecretReading(SecretNames()).places(in: noise + url + noise).count == 1)
    }

    // MARK: What is no secret

    private static let harmless: [(String, String)] = [
        (
            "application/javascript",
            "function f(){ var token = parser.next(); if (token === null) return; const password = document.cookie; }"
        ),
        ("text/javascript", "const ok = password == token && secret !== other ? token : secret; f(token => 5)"),
        ("application/typescript", "interface A { token: string; password?: string | null; }"),
        ("text/css", ".token { color: red } .password:hover { color: blue } input[name=password] { width: 10px }"),
        (
            "text/html",
            """
            <label for=password>Password:</label> <input type=password name=password placeholder='Your password'>
            <p>Forgot it? Your token: see mail. Secret: localhost</p><script>var token = next();</script>
            <style>.password:hover{color:red}</style>
            """
        ),
        (
            "text/plain",
            "Usage: login --password PASSWORD\nThe password: must have 8 letters.\nSignature: f(x) -> int\n"
        ),
        ("text/plain", "def f(user, password=None, token: str = ''):\n    return password == token\n"),
        ("text/plain", "if (password != other) { token <= 5; secret := compute(); } Token::new()"),
        ("text/plain", "password: required\n"), ("text/plain", "token: optional, string"),
        ("text/plain", "Set-Cookie is a header. Cookie: what is it?\n"),
        ("text/plain", "password={{password}} token=${token} secret: <secret>"),
        ("text/markdown", "Set `password=...` in config. Token: a lexical unit.\n\n    token = client.login()\n"),
        ("application/graphql", "query { login(password: $password) { token user { id } } }"),
        ("application/json", #"{"query":"mutation L($password: String!) { login(password: $password) { token } }"}"#),
        (
            "application/json",
            ##"""
            {"Login":{"type":"object","required":["password"],"properties":{"password":{"type":"string","minLength":8},
            "token":{"$ref":"#/t"},"secret":{"type":["string","null"],"format":"byte"}}},
            "securitySchemes":{"api_key":{"type":"apiKey","name":"api_key","in":"header"}}}
            """##
        ),
        (
            "application/json",
            #"{"errors":[{"field":"password","message":"short"},{"name":"token","text":"is missing"}]}"#
        ),
        ("application/json", #"{"message":"password is required","hint":"token: invalid"}"#),
        ("application/json", #"[["email","password"],["token","secret"]]"#),
        ("application/xml", #"<xs:schema xmlns:xs="u"><xs:element name="password" type="xs:string"/></xs:schema>"#),
        ("application/soap+xml", ##"<wsse:Password Type="http://a.example/wss#PasswordText"></wsse:Password>"##),
    ]

    /// Prose, code and schemas speak of secrets and hold none.
    @Test(arguments: harmless)
    func proseCodeAndSchemasStay(type: String, text: String) {
        #expect(shown(text, type: type) == text)
    }

    private static let telling: [(String?, String)] = [
        (nil, "</p?api_key=ZQ>; rel=next"), (nil, "<https://h/x?a=1&token=ZQ>; rel=\"next\", <https://h/?token=ZQ>"),
        ("text/plain", "x </p?api_key=ZQ> y"), ("text/html", "<a></a token=\"ZQ\"></b token=ZQ>"),
        ("application/soap+xml", "<e><wsse:Password Type=\"http://x#PasswordText\">ZQ</wsse:Password></e>"),
        ("application/xml", "<password token=\"ZQ\" value=\"ZQ\" x=\"y\">ZQ</password>"),
        (nil, #"{"name":"password","value":{"s":["ZQ"]}}"#), (nil, #"{"name":"password","values":["ZQ"]}"#),
        (nil, #"{"value":[{"a":"ZQ"}],"name":"password"}"#),
        (nil, #"[["Authorization","Bearer ZQ"],["X-Api-Key","ZQ"]]"#),
        (nil, #"[["Authorization",["Bearer ZQ"]]]"#), (nil, #"{"Authorization":["Bearer ZQ"]}"#),
        (nil, #"{"token":{"type":"Bearer","value":"ZQ"}}"#),
        (nil, #"{"password":{"type":"string","default":"ZQ","example":"ZQ"}}"#),
        ("application/javascript", "var apiKey='ZQ', x={token:\"ZQ\"}; f('/x?token=ZQ', {Authorization:'Bearer ZQ'})"),
        ("text/html", "<script>window.S={\"user\":{\"accessToken\":\"ZQ\"}};var apiKey='ZQ';</script>"),
        ("text/plain", "password: hunter\npassword\t=\t\"ZQ\"\nexport API_KEY=ZQ\naws_secret_access_key = ZQ\n"),
        ("text/plain", "login password=ZQ user=joe, the token is: ZQ"), ("text/plain", "x 'password' => 'ZQ'"),
        ("text/plain", "\u{0}a\u{0}b password=ZQ"), ("text/plain", "a\u{0}b\u{0} password=ZQ"),
    ]

    /// Where a value stands without quotes, in quotes, in pairs, in tags and in what only begins like UTF-16.
    @Test(arguments: telling)
    func noPlaceIsPassedOver(type: String?, text: String) {
        let output = shown(text.replacingOccurrences(of: "ZQ", with: "zq1Ab2Cd3"), type: type)
        #expect(!output.contains("zq1") && !output.contains("hunter"), "\(output)")
        if type == "application/soap+xml" { #expect(output.contains("#PasswordText"), "\(output)") }
    }

    @Test func whatOnlyBeginsLikeWideCharactersIsReadAsBytes() {
        let text = [0xFF, 0xFE] + Array(" password: zq1Ab2Cd3\n".utf8)
        let places = SecretReader(SecretNames()).places(in: text, contentType: "text/plain")
        #expect(!String(decoding: SecretMarks.recorded.replacing(places, in: text), as: UTF8.self).contains("zq1"))
    }
}
