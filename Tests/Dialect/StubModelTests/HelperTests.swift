import SDBasics
import SDJSON
import SDStubModel
import Testing

@Suite struct NearestNameTests {
    @Test(
        arguments: [
            ("urll", "url"), ("reqest", "request"), ("repsonse", "response"), ("Status", "status"),
            ("PRIORITY", "priority"),
            ("xyz", nil), ("", nil), ("u", nil), ("responze", "response"),
        ] as [(String, String?)])
    func suggestsTheIntendedName(name: String, expected: String?) {
        let names = ["url", "request", "response", "status", "priority"]
        #expect(nearestName(to: name, among: names) == expected)
    }

    @Test func theNearestWinsAndTheFirstOfEquals() {
        #expect(nearestName(to: "aab", among: ["abb", "aac", "aad"]) == "abb")
        #expect(nearestName(to: "headerz", among: ["readers", "headers"]) == "headers")
    }

    /// A wrong beginning and another mistake are another name.
    @Test(arguments: [("report", "port"), ("wait", "said"), ("code", "mode")]) func whatIsFarIsNotMeant(
        name: String, other: String
    ) {
        #expect((nearestName(to: name, among: [other]) == nil) == (name != "code"))
    }

    @Test(arguments: [
        ("statusCode", "status"), ("http_status", "status"), ("contentType", "headers"), ("latency", "delay"),
        ("fixedDelay", "delay"), ("bodyFile", "file"), ("STATUS", "status"), ("statuss", "status"),
        ("--cors", "enable-stub-cors"), ("host", "bind-address"), ("bind_address", "bind-address"), ("sdfghj", nil),
    ]) func whatOtherToolsCallItIsMeant(name: String, meant: String?) {
        let names = ["status", "headers", "delay", "file", "enable-stub-cors", "bind-address"]
        #expect(meantName(by: name, among: names) == meant)
    }

    @Test func longTextsGetNoSuggestion() {
        let long = String(repeating: "x", count: 100_000)
        #expect(nearestName(to: long, among: [long + "y"]) == nil)
    }
}

@Suite struct Base64Tests {
    @Test func everyLengthSurvivesARoundTrip() throws {
        for length in 0..<70 {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ length) }
            #expect(try Base64.decode(Base64.encode(bytes)) == bytes)
        }
    }

    /// The vectors of RFC 4648, section 10, and all bytes.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"), ("\u{0}", "AA=="), ("\u{7FF}\u{7FF}", "37/fvw=="), (">>>???", "Pj4+Pz8/"),
    ])
    func encodesWithPadding(text: String, expected: String) {
        #expect(Base64.encode(text.utf8) == expected)
        #expect(Base64.encode(Array(text.utf8)) == expected)
    }

    @Test(arguments: 0..<12) func aWrongCharacterIsFoundInEachPlace(place: Int) {
        var characters = Array("AQIDBAUGBwgJ".utf8)
        characters[place] = UInt8(ascii: "-")
        let problem = #expect(throws: Base64.Problem.self) {
            try Base64.decode(String(decoding: characters, as: UTF8.self))
        }
        #expect(problem?.detail == "Illegal base64 character 2d")
    }

    @Test(arguments: [
        ("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob"), ("Zm8", "fo"), ("Zg", "f"),
    ])
    func decodesWithOrWithoutPadding(text: String, expected: String) throws {
        #expect(try Base64.decode(text) == Array(expected.utf8))
    }

    /// The messages are those of `java.util.Base64`.
    @Test(arguments: [
        ("!!", "Illegal base64 character 21"), ("A", "Input byte[] should at least have 2 bytes for base64 bytes"),
        ("AQID=", "Input byte array has wrong 4-byte ending unit"), ("AQ ID", "Illegal base64 character 20"),
        ("AQIDA", "Last unit does not have enough valid bits"),
    ])
    func refusesInvalidTextAsJavaDoes(text: String, detail: String) {
        let problem = #expect(throws: Base64.Problem.self) { try Base64.decode(text) }
        #expect(problem?.detail == detail)
    }

    @Test func neverCrashesOnPadding() {
        for first in ["", "A", "AQ", "AQI", "AQID", "AQIDA"] {
            for second in ["=", "==", "===", "=A", "==A", "=A=", "===="] {
                let decoded = try? Base64.decode(first + second)
                #expect(decoded == nil || (first.utf8.count + second.utf8.count) % 4 == 0, "\(first + second)")
            }
        }
    }
}

@Suite struct MediaTypeTests {
    @Test(
        arguments: [
            ("a.json", "application/json"), ("dir.d/a.HTML", "text/html; charset=utf-8"),
            ("x.tar.gz", "application/gzip"),
            ("a", nil), (".json", nil), ("dir.json/a", nil), ("a.", nil), ("a.unknown", nil),
        ] as [(String, String?)])
    func theMediaTypeIsThatOfTheExtension(name: String, expected: String?) {
        #expect(MediaType.suggested(forFileNamed: name) == expected)
    }
}
