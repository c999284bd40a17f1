import SDJavaTime
import Testing

@Suite struct DateTimeMatcherTests {
    private static let now = Moment(seconds: 1_621_168_496, nanoseconds: 789_000_000)  // 2021-05-16T12:34:56.789Z

    static let moving: [(expected: String, options: DateTimeMatcher.Options, moment: String)] = [
        ("now", .init(), "2021-05-16T12:34:56.789Z"),
        ("now +3 days", .init(), "2021-05-19T12:34:56.789Z"),
        ("NOW -1 MONTHS", .init(), "2021-04-16T12:34:56.789Z"),
        ("+15 minutes", .init(), "2021-05-16T12:49:56.789Z"),
        ("3 hours", .init(), "2021-05-16T15:34:56.789Z"),
        ("now", .init(expectedOffset: -2, expectedOffsetUnit: "years"), "2019-05-16T12:34:56.789Z"),
        ("now +3 days", .init(expectedOffset: 1, expectedOffsetUnit: "seconds"), "2021-05-16T12:34:57.789Z"),
        ("now", .init(expectedOffset: 5), "2021-05-16T12:34:56.789Z"),
        ("now", .init(truncateExpected: "first hour of day"), "2021-05-16T00:00:00Z"),
        ("now +1 days", .init(truncateExpected: "first day of month"), "2021-05-02T00:00:00Z"),
        (
            "now +20 days", .init(truncateExpected: "first day of month", applyTruncationLast: true),
            "2021-06-01T00:00:00Z"
        ),
        ("now", .init(truncateExpected: "first second of minute"), "2021-05-16T12:34:00Z"),
        ("now", .init(truncateExpected: "FIRST_MINUTE_OF_HOUR"), "2021-05-16T12:00:00Z"),
        ("now", .init(truncateExpected: "first day of next month"), "2021-06-01T00:00:00Z"),
        ("now", .init(truncateExpected: "last day of month"), "2021-05-31T00:00:00Z"),
        ("now", .init(truncateExpected: "first day of year"), "2021-01-01T00:00:00Z"),
        ("now", .init(truncateExpected: "first day of next year"), "2022-01-01T00:00:00Z"),
        ("now", .init(truncateExpected: "last day of year"), "2021-12-31T00:00:00Z"),
    ]

    @Test(arguments: moving)
    func countsFromTheMomentOfTheRequest(expected: String, options: DateTimeMatcher.Options, moment: String) throws {
        let matcher = try DateTimeMatcher(.equal, expected: expected, options: options, systemZone: .utc)
        #expect(matcher.matches(moment, now: Self.now))
        #expect(!matcher.matches(moment, now: Moment(seconds: 0)))
        let before = try DateTimeMatcher(.before, expected: expected, options: options, systemZone: .utc)
        let after = try DateTimeMatcher(.after, expected: expected, options: options, systemZone: .utc)
        #expect(!before.matches(moment, now: Self.now) && before.matches("1999", now: Self.now))
        #expect(!after.matches(moment, now: Self.now) && after.matches("2099", now: Self.now))
    }

    @Test func daysKeepTheZonesClockAndHoursCountRealTime() throws {
        let london = try Zone(name: "Europe/London")
        let eve = Moment(seconds: 1_616_846_400)  // 2021-03-27T12:00Z, the day before the clock goes forward
        let day = try DateTimeMatcher(.equal, expected: "now +1 days", systemZone: london)
        let hours = try DateTimeMatcher(.equal, expected: "now +24 hours", systemZone: london)
        #expect(day.matches("2021-03-28T11:00:00Z", now: eve))
        #expect(hours.matches("2021-03-28T12:00:00Z", now: eve))
    }

    @Test func printsTheExpectedDateAsWireMockDoes() throws {
        #expect(try DateTimeMatcher(.before, expected: "now").expectedText == "now +0 seconds")
        let days = DateTimeMatcher.Options(expectedOffset: -3, expectedOffsetUnit: "DAYS")
        #expect(try DateTimeMatcher(.before, expected: "now", options: days).expectedText == "now -3 days")
        #expect(try DateTimeMatcher(.before, expected: "2021-05").expectedText == "2021-05")
    }

    @Test func anExpectedTextThatIsNotADateNeverMatchesAndIsReported() throws {
        let matcher = try DateTimeMatcher(.equal, expected: "tomorrow")
        #expect(!matcher.isReadable)
        #expect(!matcher.matches("tomorrow", now: Self.now))
        #expect(try DateTimeMatcher(.equal, expected: "2021").isReadable)
    }

    static let problems: [(expected: String, options: DateTimeMatcher.Options, detail: String, advice: String)] = [
        (
            "now +1 day", .init(), "No enum constant com.github.tomakehurst.wiremock.common.DateTimeUnit.DAY",
            "\"day\" is not a valid unit (valid: seconds, minutes, hours, days, months, years); did you mean \"days\"?"
        ),
        (
            "now", .init(truncateActual: "first day of mouth"),
            "No enum constant com.github.tomakehurst.wiremock.common.DateTimeTruncation.FIRST_DAY_OF_MOUTH",
            "\"first day of mouth\" is not a valid truncation (valid: first second of minute, "
                + "first minute of hour, first hour of day, first day of month, first day of next month, last day of month, "
                + "first day of year, first day of next year, last day of year); did you mean \"first day of month\"?"
        ),
        (
            "99999999999 days", .init(), "For input string: \"99999999999\"",
            "the number of an offset is at least -2147483648 and at most 2147483647"
        ),
        (
            "now", .init(actualFormat: "dd/MM/yyyyT"), "Unknown pattern letter: T",
            "the letters are GuyYMLQqDdFgEecwWahHKkmsSAnNVvzOXxZp; quote text: 'T'"
        ),
    ]

    @Test(arguments: problems)
    func errorsNameTheMistakeAndTheValidValues(
        expected: String, options: DateTimeMatcher.Options, detail: String, advice: String
    ) {
        let problem = #expect(throws: DateTimeProblem.self) {
            try DateTimeMatcher(.after, expected: expected, options: options)
        }
        #expect(problem?.detail == detail)
        #expect(problem?.advice == advice)
    }
}
