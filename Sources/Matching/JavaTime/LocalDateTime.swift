public import SDBasics

/// A date and a time of day without a zone, like `java.time.LocalDateTime`.
public struct LocalDateTime: Sendable, Hashable, Comparable {
    public let date: CivilDate
    /// Seconds since midnight, 0 to 86,399.
    public let secondOfDay: Int
    /// Nanoseconds of the second, 0 to 999,999,999.
    public let nanosecond: Int

    /// Makes a date and time; nil if the time of day is out of range.
    public init?(date: CivilDate, secondOfDay: Int = 0, nanosecond: Int = 0) {
        guard (0..<86_400).contains(secondOfDay), (0..<1_000_000_000).contains(nanosecond) else { return nil }
        self.init(unchecked: date, secondOfDay, nanosecond)
    }

    private init(unchecked date: CivilDate, _ secondOfDay: Int, _ nanosecond: Int) {
        self.date = date
        self.secondOfDay = secondOfDay
        self.nanosecond = nanosecond
    }

    public init(startOf date: CivilDate) {
        self.init(unchecked: date, 0, 0)
    }

    /// Makes the time that a clock `offset` seconds east of Greenwich shows at `moment`; nil outside of Java's years.
    public init?(_ moment: Moment, offset: Int) {
        let (local, overflow) = moment.seconds.addingReportingOverflow(offset)
        guard !overflow else { return nil }
        let (day, second) = local.flooredDivision(by: 86_400)
        guard let date = CivilDate(epochDay: day) else { return nil }
        self.init(unchecked: date, second, moment.nanoseconds)
    }

    public var hour: Int { secondOfDay / 3600 }
    public var minute: Int { secondOfDay / 60 % 60 }
    public var second: Int { secondOfDay % 60 }

    /// Seconds since 1970-01-01T00:00:00 on the same clock.
    public var localSeconds: Int { date.epochDay * 86_400 + secondOfDay }

    /// The moment at which a clock `offset` seconds east of Greenwich shows this time.
    public func moment(offset: Int) -> Moment {
        Moment(seconds: localSeconds - offset, nanoseconds: nanosecond)
    }

    public func adding(seconds: Int) -> LocalDateTime? {
        LocalDateTime(Moment(seconds: localSeconds, nanoseconds: nanosecond), offset: seconds)
    }

    func on(_ date: CivilDate?) -> LocalDateTime? {
        date.map { LocalDateTime(unchecked: $0, secondOfDay, nanosecond) }
    }

    func truncated(toSeconds unit: Int) -> LocalDateTime {
        LocalDateTime(unchecked: date, secondOfDay / unit * unit, 0)
    }

    public static func < (left: LocalDateTime, right: LocalDateTime) -> Bool {
        (left.date, left.secondOfDay, left.nanosecond) < (right.date, right.secondOfDay, right.nanosecond)
    }
}
