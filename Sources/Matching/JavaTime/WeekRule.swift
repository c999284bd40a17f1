import SDBasics

/// The first day of weeks, and the minimum number of days in the first week of a month or year
/// (`java.time.temporal.WeekFields`).
struct WeekRule {
    /// From 1 for Monday.
    let firstDay: Int
    let fewestDays: Int

    /// Weeks start on Sunday; the first one contains 1 January.
    static let american = WeekRule(firstDay: 7, fewestDays: 1)

    /// The position of a day in its week, from 1. `dayOfWeek` counts from Monday.
    func place(of dayOfWeek: Int) -> Int { (dayOfWeek - firstDay + 7) % 7 + 1 }

    /// The number of the week in its month; 0 for the days before the first week.
    func numberInMonth(of date: CivilDate) -> Int {
        number(ofDay: date.day, startOfWeeks(day: date.day, date.dayOfWeek))
    }

    /// The year to which a date's week belongs, and the number of the week in it.
    func week(of date: CivilDate) -> (year: Int, number: Int) {
        let start = startOfWeeks(day: date.dayOfYear, date.dayOfWeek)
        let number = number(ofDay: date.dayOfYear, start)
        if number == 0 {
            guard let before = CivilDate(epochDay: date.epochDay - date.dayOfYear) else { return (date.year - 1, 0) }
            return (date.year - 1, week(of: before).number)
        }
        let length = CivilDate(year: date.year, month: 12, day: 31)?.dayOfYear ?? 365
        let firstOfNext = self.number(ofDay: length + fewestDays, start)
        return number >= firstOfNext ? (date.year + 1, number - firstOfNext + 1) : (date.year, number)
    }

    /// The days from the first week to the first day of a month or year, negative if they are in it.
    private func startOfWeeks(day: Int, _ dayOfWeek: Int) -> Int {
        let first = ((day - place(of: dayOfWeek)) % 7 + 7) % 7
        return first + 1 > fewestDays ? 7 - first : -first
    }

    private func number(ofDay day: Int, _ start: Int) -> Int { (7 + start + day - 1) / 7 }
}

extension WeekRule {
    /// The date of a day in an American week. `weekday` counts from Monday.
    static func date(year: Int, number: Int, weekday: Int) -> CivilDate? {
        guard let first = CivilDate(year: year, month: 1, day: 1) else { return nil }
        let sunday = first.epochDay - first.dayOfWeek % 7
        guard let date = CivilDate(epochDay: sunday + (number - 1) * 7 + weekday % 7) else { return nil }
        return date
    }

    static func date(year: Int, month: Int, number: Int, weekday: Int) -> CivilDate? {
        guard let first = CivilDate(year: year, month: month, day: 1) else { return nil }
        let sunday = first.epochDay - first.dayOfWeek % 7
        return CivilDate(epochDay: sunday + (number - 1) * 7 + weekday % 7)
    }
}
