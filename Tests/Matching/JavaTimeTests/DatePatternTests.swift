import SDJavaTime
import SDTestSupport
import Testing

@Suite struct DatePatternTests {
    /// `2021-07-04T15:06:07.089012345+01:00[Europe/London]` and `-0043-01-02T00:00-05:30`, as OpenJDK 17 formats them.
    static let written: [(pattern: String, summer: String, ancient: String)] = [
        ("G", "AD", "BC"), ("GGGG", "Anno Domini", "Before Christ"), ("GGGGG", "A", "B"), ("u", "2021", "-43"),
        ("uu", "21", "43"), ("uuu", "2021", "-043"), ("uuuu", "2021", "-0043"), ("uuuuu", "02021", "-00043"),
        ("y", "2021", "44"), ("yy", "21", "44"), ("yyy", "2021", "044"), ("yyyy", "2021", "0044"),
        ("yyyyy", "02021", "00044"), ("Y", "2021", "-43"), ("YY", "21", "43"), ("YYYY", "2021", "-0043"),
        ("D", "185", "2"), ("DD", "185", "02"), ("DDD", "185", "002"), ("M", "7", "1"), ("MM", "07", "01"),
        ("MMM", "Jul", "Jan"), ("MMMM", "July", "January"), ("MMMMM", "J", "J"), ("L", "7", "1"),
        ("LLL", "Jul", "Jan"), ("d", "4", "2"), ("dd", "04", "02"), ("Q", "3", "1"), ("QQ", "03", "01"),
        ("QQQ", "Q3", "Q1"), ("QQQQ", "3rd quarter", "1st quarter"), ("QQQQQ", "3", "1"), ("w", "28", "1"),
        ("ww", "28", "01"), ("W", "2", "1"), ("E", "Sun", "Wed"), ("EEEE", "Sunday", "Wednesday"),
        ("EEEEE", "S", "W"), ("e", "1", "4"), ("ee", "01", "04"), ("eee", "Sun", "Wed"), ("c", "1", "4"),
        ("ccc", "Sun", "Wed"), ("F", "4", "2"), ("a", "PM", "AM"), ("h", "3", "12"), ("hh", "03", "12"),
        ("K", "3", "0"), ("KK", "03", "00"), ("k", "15", "24"), ("kk", "15", "24"), ("H", "15", "0"),
        ("HH", "15", "00"), ("m", "6", "0"), ("mm", "06", "00"), ("s", "7", "0"), ("ss", "07", "00"), ("S", "0", "0"),
        ("SSS", "089", "000"), ("SSSSSSSSS", "089012345", "000000000"), ("A", "54367089", "0"),
        ("N", "54367089012345", "0"), ("n", "89012345", "0"), ("VV", "Europe/London", "-05:30"),
        ("z", "BST", "-05:30"), ("zzzz", "British Summer Time", "-05:30"), ("O", "GMT+1", "GMT-5:30"),
        ("OOOO", "GMT+01:00", "GMT-05:30"), ("X", "+01", "-0530"), ("XX", "+0100", "-0530"),
        ("XXX", "+01:00", "-05:30"), ("XXXX", "+0100", "-0530"), ("XXXXX", "+01:00", "-05:30"), ("x", "+01", "-0530"),
        ("xx", "+0100", "-0530"), ("xxx", "+01:00", "-05:30"), ("xxxx", "+0100", "-0530"),
        ("xxxxx", "+01:00", "-05:30"), ("Z", "+0100", "-0530"), ("ZZZZ", "GMT+01:00", "GMT-05:30"),
        ("ZZZZZ", "+01:00", "-05:30"), ("ppH", "15", " 0"), ("ppppd", "   4", "   2"), ("g", "59399", "-694645"),
        ("aQ", "PM3", "AM1"),
    ]

    @Test(arguments: written)
    func writesAsJavaDoes(pattern: String, summer: String, ancient: String) throws {
        let pattern = try DatePattern(pattern)
        let london = try Zone(name: "Europe/London")
        let west = try Zone(name: "-05:30")
        #expect(pattern.format(Moment(seconds: 1_625_407_567, nanoseconds: 89_012_345), in: london) == summer)
        #expect(pattern.format(Moment(seconds: -63_524_025_000), in: west) == ancient)
    }

    /// Patterns from which the moment can be read back, with the seconds that they lose.
    static let complete = [
        "uuuu-MM-dd'T'HH:mm:ss.SSSSSSSSSXXX", "yyyyMMddHHmmssSSSSSSSSSXX", "d.M.u H:m:s n VV", "G yyyy D N Z",
        "EEEE, d MMMM uuuu hh:mm:ss a SSSSSSSSS OOOO", "YYYY-ww-e k:m:s.SSSSSSSSS X", "g N ZZZZZ",
        "QQQ Q uuuu-DDD ppppppppppppppppN O",
        "yyyyy-MM-dd A [n ]xxx",
    ]

    @Test(arguments: complete)
    func readsWhatItWrote(text: String) throws {
        var generator = TestGenerator()
        for _ in 0..<200 {
            // The milliseconds of the day lose the remaining nanoseconds.
            let nanoseconds = text.contains("A") ? 0 : Int.random(in: 0..<1_000_000_000, using: &generator)
            let moment = Moment(seconds: .random(in: 0..<200_000_000_000, using: &generator), nanoseconds: nanoseconds)
            let zone = try Zone(
                name: "+0\(Int.random(in: 0...9, using: &generator)):\(Int.random(in: 10...59, using: &generator))")
            let pattern = try DatePattern(text)
            let written = try #require(pattern.format(moment, in: zone))
            #expect(pattern.parse(written)?.zoned?.moment == moment, "\(written) with \(text), seed \(generator.seed)")
        }
    }

    @Test func survivesRandomPatternsAndTexts() {
        var generator = TestGenerator()
        let letters = Array("GuyYMLQdDFEecwWahHKkmsSAnNVvzOXxZpBT[]'{}#-: /.,+0123456789éGMT")
        let text = { (generator: inout TestGenerator) in
            String(
                (0..<Int.random(in: 0..<12, using: &generator)).compactMap { _ in
                    letters.randomElement(using: &generator)
                })
        }
        var read = 0
        var written = 0
        for _ in 0..<20_000 {
            let first = text(&generator)
            let second = text(&generator)
            guard let pattern = try? DatePattern(first) else { continue }
            read += 1
            _ = pattern.parse(second)
            // One half is of years that have a date.
            let isDate = Bool.random(using: &generator)
            let seconds: ClosedRange<Int> = isDate ? -200_000_000_000...200_000_000_000 : .min ... .max
            let nanoseconds = isDate ? 0...999_999_999 : Int.min ... .max
            let moment = Moment(
                seconds: .random(in: seconds, using: &generator),
                nanoseconds: .random(in: nanoseconds, using: &generator))
            if let text = pattern.format(moment, in: .utc) {
                written += 1
                _ = pattern.parse(text)
            }
            _ = DateText.parse(second)
        }
        #expect(read > 1_000 && written > 500, "seed \(generator.seed)")
    }

    static let refused: [(pattern: String, words: String)] = [
        ("T", "quote text: 'T'"), ("ddd", "\"d\" is written 1 or 2 times"), ("{", "in single quotes"),
        ("'a", "the quote at 1 is never closed"), ("yyyy]", "\"]\" at 5 closes nothing"),
        (String(repeating: "[", count: 900), "at most 64 sections"),
        (String(repeating: "-", count: 5000), "1000 characters"),
    ]

    @Test(arguments: refused)
    func errorsNameTheMistakeInAPattern(pattern: String, words: String) {
        let problem = #expect(throws: DateTimeProblem.self) { try DatePattern(pattern) }
        #expect(problem?.advice.contains(words) == true, "\(problem?.advice ?? "")")
    }
}
