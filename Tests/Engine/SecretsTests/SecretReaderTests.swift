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
            let output = shown(document.text, type: round % 2 == 0 ? document.contentType : nil)
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

    /// However a text is put together, the work is in proportion to its length.
    @Test(arguments: [
        "?", "&", ";", "=", ":", "/", "%", "%25", "a=", "token=", "//@", "\\", "\\\"", "{\"", "[", "<a ", "<token>",
        "&amp;", "\":", "--\n", "data:\n", "\"name\":\"token\",",
    ])
    func aLongTextIsReadQuickly(part: String) {
        let text = String(repeating: part, count: 20_000)
        let elapsed = ContinuousClock().measure { _ = shown(text) }
        #expect(elapsed < .seconds(30), "\(part): \(elapsed)")
    }
}
