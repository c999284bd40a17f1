import SDBasics

/// A numeric field of a pattern.
enum DateField: Int, Sendable {
    case era, yearOfEra, year, weekBasedYear, quarter, month, weekOfYear, weekOfMonth, dayOfYear, dayOfMonth
    case dayOfWeek, localDayOfWeek, weekdayInMonth, modifiedJulianDay
    case halfOfDay, hourOfHalf, clockHourOfHalf, hour, clockHour, minute, second, nanosecond, millisecondOfDay
    case nanosecondOfDay

    /// The valid values.
    var range: ClosedRange<Int> {
        switch self {
        case .era, .halfOfDay: 0...1
        case .yearOfEra: 1...1_000_000_000
        case .year, .weekBasedYear: CivilDate.years
        case .quarter: 1...4
        case .month, .clockHourOfHalf: 1...12
        case .weekOfYear: 1...53
        case .weekOfMonth: 0...6
        case .dayOfYear: 1...366
        case .dayOfMonth: 1...31
        case .dayOfWeek, .localDayOfWeek: 1...7
        case .weekdayInMonth: 1...5
        case .modifiedJulianDay: -365_243_219_162 + 40_587...365_241_780_471 + 40_587
        case .hourOfHalf: 0...11
        case .hour: 0...23
        case .clockHour: 1...24
        case .minute, .second: 0...59
        case .nanosecond: 0...999_999_999
        case .millisecondOfDay: 0...86_399_999
        case .nanosecondOfDay: 0...86_399_999_999_999
        }
    }

    /// The field's value for a date and time.
    func value(in time: LocalDateTime, _ week: WeekRule = .american) -> Int {
        let date = time.date
        let nanoseconds = time.secondOfDay * 1_000_000_000 + time.nanosecond
        return switch self {
        case .era: date.year > 0 ? 1 : 0
        case .yearOfEra: date.year > 0 ? date.year : 1 - date.year
        case .year: date.year
        case .weekBasedYear: week.week(of: date).year
        case .quarter: (date.month + 2) / 3
        case .month: date.month
        case .weekOfYear: week.week(of: date).number
        case .weekOfMonth: week.numberInMonth(of: date)
        case .dayOfYear: date.dayOfYear
        case .dayOfMonth: date.day
        case .dayOfWeek: date.dayOfWeek
        case .localDayOfWeek: week.place(of: date.dayOfWeek)
        case .weekdayInMonth: (date.day - 1) % 7 + 1
        case .modifiedJulianDay: date.epochDay + 40_587
        case .halfOfDay: time.hour / 12
        case .hourOfHalf: time.hour % 12
        case .clockHourOfHalf: time.hour % 12 == 0 ? 12 : time.hour % 12
        case .hour: time.hour
        case .clockHour: time.hour == 0 ? 24 : time.hour
        case .minute: time.minute
        case .second: time.second
        case .nanosecond: time.nanosecond
        case .millisecondOfDay: nanoseconds / 1_000_000
        case .nanosecondOfDay: nanoseconds
        }
    }
}
