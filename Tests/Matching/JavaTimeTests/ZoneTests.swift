import SDJavaTime
import Testing

/// The answers are those of OpenJDK 17.
@Suite struct ZoneTests {
    static let clocks: [(zone: String, second: Int, offset: Int)] = [
        ("Europe/London", 1_616_893_199, 0), ("Europe/London", 1_616_893_200, 3600),
        ("Europe/London", 1_635_641_999, 3600),
        ("Europe/London", 1_635_642_000, 0), ("Europe/London", 4_118_067_600, 3600),
        ("Australia/Sydney", 1_620_000_000, 36_000),
        ("Australia/Sydney", 1_610_000_000, 39_600), ("America/New_York", 4_100_000_000, -18_000),
        ("America/New_York", 4_118_067_600, -14_400), ("Asia/Kolkata", 1_620_000_000, 19_800),
        ("Australia/Lord_Howe", 1_610_000_000, 39_600), ("Australia/Lord_Howe", 1_620_000_000, 37_800), ("UTC", 0, 0),
        ("+05:30", 0, 19_800), ("-18:00", 0, -64_800), ("UTC+01:00", 0, 3600), ("GMT", 0, 0), ("Z", 0, 0),
    ]

    @Test(arguments: clocks)
    func knowsTheOffsetAtAMoment(zone: String, second: Int, offset: Int) throws {
        #expect(try Zone(name: zone).offset(at: Moment(seconds: second)) == offset)
    }

    static let locals: [(zone: String, local: String, moment: String)] = [
        // Skipped by the clock: taken with the offset before the change.
        ("Europe/London", "2021-03-28T01:30:00", "2021-03-28T01:30:00Z"),
        ("America/New_York", "2021-03-14T02:30:00", "2021-03-14T07:30:00Z"),
        // Shown twice: the first one counts.
        ("Europe/London", "2021-10-31T01:30:00", "2021-10-31T00:30:00Z"),
        ("America/New_York", "2021-11-07T01:30:00", "2021-11-07T05:30:00Z"),
        ("Australia/Sydney", "2021-04-04T02:30:00", "2021-04-03T15:30:00Z"),
        ("Australia/Sydney", "2021-10-03T02:30:00", "2021-10-02T16:30:00Z"),
        // A day that Samoa skipped.
        ("Pacific/Apia", "2011-12-30T12:00:00", "2011-12-30T22:00:00Z"),
        ("Europe/London", "2021-03-28T00:59:59", "2021-03-28T00:59:59Z"),
        ("Europe/London", "2021-03-28T02:00", "2021-03-28T01:00Z"),
        ("Europe/London", "2021-10-31T02:00", "2021-10-31T02:00Z"),
        ("Europe/London", "2090-07-01T12:00", "2090-07-01T11:00Z"),
    ]

    @Test(arguments: locals)
    func findsTheMomentOfAClockTime(zone: String, local: String, moment: String) throws {
        let time = try #require(DateText.parseLocal(local))
        #expect(ZonedDateTime(time, in: try Zone(name: zone)).moment == DateText.parseZoned(moment)?.moment)
    }

    @Test(arguments: [
        "Nowhere/City", "Europe/Londn", "", "../../etc/passwd", "UTC+1", "+19:00", "posixrules", "Europe",
    ])
    func refusesAnInvalidZone(name: String) {
        let problem = #expect(throws: DateTimeProblem.self) { try Zone(name: name) }
        #expect(problem?.detail == "Unknown time-zone ID: \(name)")
    }

    @Test func theSystemHasAZone() {
        #expect((-64_800...64_800).contains(Zone.system.offset(at: .now)))
    }
}
