/// A day of the proleptic Gregorian calendar, in which year 0 is 1 BC, as in `java.time.LocalDate`.
///
/// Years range from -999,999,999 to 999,999,999, as in Java; a result outside of that range is nil.
public struct CivilDate: Sendable, Hashable, Comparable {
    public static let years = -999_999_999...999_999_999

    public let year: Int
    public let month: Int
    public let day: Int

    /// Makes a date; nil if it does not exist.
    public init?(year: Int, month: Int, day: Int) {
        guard Self.years.contains(year), (1...12).contains(month), day >= 1, day <= Self.days(in: month, of: year)
        else {
            return nil
        }
        self.init(unchecked: year, month, day)
    }

    private init(unchecked year: Int, _ month: Int, _ day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// Makes the date that is `days` after 1970-01-01.
    public init?(epochDay days: Int) {
        guard (-366_000_000_000...366_000_000_000).contains(days) else { return nil }
        let (year, month, day) = Self.parts(epochDay: days)
        guard Self.years.contains(year) else { return nil }
        self.init(unchecked: year, month, day)
    }

    /// Year, month and day of the date that is `days` after 1970-01-01; works for the day of any time in milliseconds.
    public static func parts(epochDay days: Int) -> (year: Int, month: Int, day: Int) {
        // With years that begin in March, the leap day is the last day; 400 years have 146,097 days.
        let (era, dayOfEra) = (days + 719_468).flooredDivision(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let day = dayOfYear - (153 * shifted + 2) / 5 + 1
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
    }

    /// Makes a date from a day of the year, from 1; nil if the year has no such day.
    public init?(year: Int, dayOfYear: Int) {
        guard Self.years.contains(year), dayOfYear >= 1, dayOfYear <= (Self.isLeap(year) ? 366 : 365) else {
            return nil
        }
        var month = 1
        var rest = dayOfYear
        while rest > Self.days(in: month, of: year) {
            rest -= Self.days(in: month, of: year)
            month += 1
        }
        self.init(unchecked: year, month, rest)
    }

    public static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    /// The number of days in a month, 28 to 31. `month` must be 1 to 12.
    public static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The number of days since 1970-01-01.
    public var epochDay: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = shiftedYear.flooredDivision(by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The day of the week, from 1 for Monday to 7 for Sunday.
    public var dayOfWeek: Int { (epochDay + 3).flooredDivision(by: 7).remainder + 1 }

    /// The day of the year, 1 to 366.
    public var dayOfYear: Int {
        (1..<month).reduce(day) { $0 + Self.days(in: $1, of: year) }
    }

    public func adding(days: Int) -> CivilDate? {
        let (sum, overflow) = epochDay.addingReportingOverflow(days)
        return overflow ? nil : CivilDate(epochDay: sum)
    }

    /// The date `months` later: the same day, or the last day of a shorter month (`LocalDate.plusMonths`).
    public func adding(months: Int) -> CivilDate? {
        let (sum, overflow) = (year * 12 + month - 1).addingReportingOverflow(months)
        guard !overflow else { return nil }
        let (year, month) = sum.flooredDivision(by: 12)
        guard Self.years.contains(year) else { return nil }
        return CivilDate(unchecked: year, month + 1, min(day, Self.days(in: month + 1, of: year)))
    }

    public func adding(years: Int) -> CivilDate? {
        let (months, overflow) = years.multipliedReportingOverflow(by: 12)
        return overflow ? nil : adding(months: months)
    }

    public static func < (left: CivilDate, right: CivilDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }
}
