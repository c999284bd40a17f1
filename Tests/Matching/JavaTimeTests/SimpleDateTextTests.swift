import SDJavaTime
import Testing

/// Texts as Java's `SimpleDateFormat` makes them.
@Suite struct SimpleDateTextTests {
    /// 2021-03-04T05:06:07.089Z.
    private static let moment = Moment(seconds: 1_614_834_367, nanoseconds: 89_000_000)

    @Test(arguments: [
        ("yyyy-MM-dd'T'HH:mm:ss.SSS", "2021-03-04T05:06:07.089"), ("yy y yyyyy", "21 2021 02021"),
        ("M MM MMM MMMM MMMMM", "3 03 Mar March March"), ("EEE EEEE u", "Thu Thursday 4"), ("ddd D F", "004 63 1"),
        ("h:mm aa k K", "5:06 AM 5 5"), ("S SSSS", "89 0089"),
        ("z zzzz Z X XXX", "UTC Coordinated Universal Time +0000 Z Z"),
        ("[G] '' 'o''clock'", "[AD] ' o'clock"), ("{yyyy}#", "{2021}#"), ("", ""),
    ])
    func writesDates(pattern: String, text: String) throws {
        #expect(try SimpleDateText(pattern).format(Self.moment, in: .utc) == text)
    }

    @Test(arguments: [("Z z X XX XXX zzzz", "+0530 GMT+05:30 +05 +0530 +05:30 GMT+05:30")])
    func writesOffsets(pattern: String, text: String) throws {
        #expect(try SimpleDateText(pattern).format(Self.moment, in: .fixed(19_800)) == text)
    }

    @Test(arguments: ["n", "'", "XXXX", "yyyy T"])
    func refusesUnknownPatterns(pattern: String) {
        #expect(throws: DateTimeProblem.self) { try SimpleDateText(pattern) }
    }

    @Test(arguments: [
        ("yyyy-MM-dd", "2021-3-4 and more", true), ("yyyy-MM-dd", "2021-13-40", true), ("yyyyMMdd", "20210304", true),
        ("yyyyMMdd", "2021/03/04", false), ("EEE, d MMM yyyy", "thu, 4 MARCH 2021", true), ("MMM d", "Max 4", false),
        ("HH:mm z", "05:06 GMT+1:00", true), ("HH:mm Z", "05:06 +01", false), ("HHX", "05+01", true),
        ("HHXXX", "05+0100", false), ("h a", "5 pm", true), ("'day' D", "day 63", true), ("", "", true),
    ])
    func readsTheBeginningOfATextLeniently(pattern: String, text: String, isDate: Bool) throws {
        #expect(try SimpleDateText(pattern).canRead(Array(text.utf8)[...]) == isDate)
    }

    @Test(arguments: [
        ("+2", 7200), ("-0530", -19_800), ("GMT+2", 7200), ("GMT+02:00", 7200), ("+02:00", 7200), ("Z", 0), ("UTC", 0),
        ("UTC+1", 0), ("UT-05:00", 0),
    ])
    func readsTheNamesOfZonesInJavasSpellings(name: String, offset: Int) throws {
        #expect(try Zone(legacyName: name) == .fixed(offset))
    }

    @Test(arguments: ["", "+", "+99", "utc", "EST", "Nonsense/Zone", "GMT+1:2:3:4", "+1x"])
    func refusesUnknownZones(name: String) {
        #expect(throws: DateTimeProblem.self) { try Zone(legacyName: name) }
    }
}
