import Foundation
import SDSecrets
import SDTestData
import Testing

/// Values that are known are found wherever they stand, in whatever form.
@Suite struct SecretSearchTests {
    private func shown(_ text: String, _ values: String...) -> String {
        var known = KnownSecrets(SecretNames())
        for value in values { known.learn(value.utf8) }
        let bytes = Array(text.utf8)
        return String(
            decoding: SecretMarks.recorded.replacing(SecretSearch(known).places(in: bytes), in: bytes), as: UTF8.self)
    }

    @Test(arguments: [
        ("/p/0123456789ab/q", "/p/REDACTED/q"), ("012345678", "012345678"),
        (#"{"n": 90123456789ab}"#, #"{"n": 9REDACTED}"#),
        ("x0123456789ab0123456789ab", "xREDACTEDREDACTED"), ("%30123456789%61b", "REDACTED"),
    ])
    func valuesAreFoundAsTheyStand(text: String, expected: String) {
        #expect(shown(text, "0123456789ab") == expected)
    }

    @Test func valuesThatSoundLikeNamesAreFoundAndNamesAreNot() {
        #expect(shown("a very-secret-token b", "very-secret-token") == "a REDACTED b")
        #expect(shown("the access_token", "access_token") == "the access_token")
    }

    @Test func aNumberIsReplacedAsAWhole() {
        #expect(shown(#"{"n": 123456789012, "m": [12345678901]}"#, "12345678901") == #"{"n": 0, "m": [0]}"#)
    }

    @Test(arguments: ["", "a", "ab", "abc"], ["", "x", "yz"]) func base64IsFound(before: String, behind: String) {
        let value = "s3cr3t/v+l?ue~~"
        let encoded = Data((before + value + behind).utf8).base64EncodedString()
        let other = encoded.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
        for text in [encoded, other] {
            let output = shown("q=" + text, value)
            #expect(output.contains("REDACTED") && output.utf8.count < 2 + 8 + 12, "\(text): \(output)")
        }
    }

    @Test(arguments: [
        "s3cr3t%2Fv%2bl%20ue", "s3cr3t%2fv%2Bl+ue", #"s3cr3t\/v+l ue"#, "s3cr3t&#47;v+l ue",
        "s3cr3t%252Fv%252Bl%2520ue",
    ])
    func escapedValuesAreFound(text: String) {
        #expect(shown("/p/\(text)/x", "s3cr3t/v+l ue") == "/p/REDACTED/x")
    }

    @Test func whatIsBehindASchemeIsKnown() {
        #expect(shown("hunter2-pass am9lOmh1bnRlcjItcGFzcw", "Basic am9lOmh1bnRlcjItcGFzcw==") == "REDACTED REDACTED")
        #expect(shown("a token-value", "Bearer token-value") == "a REDACTED")
    }

    @Test func shortAndCommonWordsAreLeft() {
        #expect(shown("1234567 password REDACTED", "1234567", "password", "REDACTED") == "1234567 password REDACTED")
    }

    /// What is found in a document is looked for elsewhere, but for what may stand anywhere.
    @Test(arguments: [
        (#"{"password":"required","token":"undefined"}"#, []), (#"{"secret":"2026-11-28","token":"00000000"}"#, []),
        (#"{"password":"application/json","secret":"Forgot your password?"}"#, []),
        ("password: administrator1 of all", []), ("token: some-long-class-name\n", []),
        (#"{"password":"correct-horse-battery"}"#, ["correct-horse-battery"]),
        ("token: 12ab34cd56\n", ["12ab34cd56"]), ("a=1&password=hunterhunter", ["hunterhunter"]),
    ])
    func whatIsLearntLooksLikeASecret(document: String, values: [String]) {
        var known = KnownSecrets(SecretNames())
        let bytes = Array(document.utf8)
        known.learn(SecretReader(SecretNames()).places(in: bytes), in: bytes)
        let words = ["required", "undefined", "2026-11-28", "00000000", "application/json", "Forgot your password?"]
        let more = ["administrator1", "some-long-class-name"] + values
        let search = SecretSearch(known)
        for word in words + more {
            #expect(search.places(in: Array(word.utf8)).isEmpty == !values.contains(word), "\(word)")
        }
    }

    @Test func cookiesOfSettingsAreLeft() {
        var known = KnownSecrets(SecretNames())
        known.learn(
            header: "Cookie", "lang=de-DE-u-co; theme=darkmode1; day=2026-11-28T00; sid=word-word; x=a1b2c3d4e5f6")
        let search = SecretSearch(known)
        func isFound(_ text: String) -> Bool { !search.places(in: Array(text.utf8)).isEmpty }
        #expect(isFound("word-word") && isFound("a1b2c3d4e5f6"))
        #expect(!isFound("de-DE-u-co") && !isFound("darkmode1") && !isFound("2026-11-28T00"))
    }

    /// Values that become known later are found as those before.
    @Test func valuesAreAdded() {
        var known = KnownSecrets(SecretNames())
        var search = SecretSearch(known)
        for number in 0..<5_000 {
            known.learn("value-\(number)-x1".utf8)
            if number % 7 == 0 { search.add(known) }
        }
        search.add(known)
        for number in 0..<5_000 { #expect(search.places(in: Array("value-\(number)-x1".utf8)).count == 1) }
    }

    @Test func longValuesThatBeginAlikeAreToldApart() {
        let start = String(repeating: "eyJhbGciOiJIUzI1NiJ9.", count: 5)
        #expect(
            shown(
                "\(start)one-signature-that-is-long-enough-to-count",
                start + "other-signature-that-is-long-enough-to-be-known")
                == "\(start)one-signature-that-is-long-enough-to-count")
        #expect(shown("a \(start)one b", start + "one") == "a REDACTED b")
    }

    /// All of a thousand values are found in one pass, whatever stands around them.
    @Test func manyValuesAreFound() {
        var generator = TestGenerator()
        var known = KnownSecrets(SecretNames())
        let values = (0..<1_000).map { _ in
            // A digit, since a few letters alone may be a word.
            "7"
                + String(
                    (0..<Int.random(in: 8...80, using: &generator)).map { _ in
                        "abcdefghijklmnopqrstuvwxyz0123456789".randomElement(using: &generator)!
                    })
        }
        for value in values { known.learn(value.utf8) }
        let text = Array(values.joined(separator: "/ ").utf8)
        let places = SecretSearch(known).places(in: text)
        let left = SecretMarks(text: "").replacing(places, in: text)
        #expect(left.allSatisfy { $0 == 0x2F || $0 == 0x20 }, "seed \(generator.seed)")
    }
}
