import SDBasics
import Testing

/// Samples of RFC 3492, section 7.1, and of names in use.
@Suite struct PunycodeTests {
    private static let samples: [(label: String, code: String)] = [
        ("b\u{FC}cher", "bcher-kva"), ("stra\u{DF}e", "strae-oqa"), ("\u{E4}", "4ca"), ("\u{3C0}", "1xa"),
        ("\u{4ED6}\u{4EEC}\u{4E3A}\u{4EC0}\u{4E48}\u{4E0D}\u{8BF4}\u{4E2D}\u{6587}", "ihqwcrb4cv8a8dqg056pqjye"),
        (
            "Pro\u{10D}prost\u{11B}nemluv\u{ED}\u{10D}esky",
            "Proprostnemluvesky-uyb24dma41a"
        ),
        ("3\u{5E74}B\u{7D44}\u{91D1}\u{516B}\u{5148}\u{751F}", "3B-ww4c5e180e575a65lsy2b"),
        ("\u{1F4A9}", "ls8h"),
    ]

    @Test func labelsAreEncodedAndDecoded() {
        for (label, code) in Self.samples {
            #expect(String(decoding: Punycode.encoded(Array(label.unicodeScalars)), as: UTF8.self) == code)
            let decoded = Punycode.decoded(Array(code.utf8)[...]).map { String(String.UnicodeScalarView($0)) }
            #expect(decoded == label)
        }
    }

    @Test(arguments: ["", "-", "a-", "-a", "99999999999999999999", "a_", "kva\u{FC}"])
    func whatIsNone(code: String) {
        // A number that breaks off, too large a one, or no digits at all.
        let decoded = Punycode.decoded(Array(code.utf8)[...])
        #expect(decoded == nil, "\(code)")
    }
}
