/// A point in time in UTC with milliseconds: `2026-01-31T09:30:00.123Z` (RFC 3339).
public struct Timestamp: Sendable, Hashable, CustomStringConvertible {
    /// Milliseconds since 1970.
    public var milliseconds: Int64

    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    public static var now: Timestamp { Timestamp(milliseconds: SystemCalls.wallClockMilliseconds()) }

    public var description: String {
        let (days, rest) = Self.divide(milliseconds, by: 86_400_000)
        let (year, month, day) = Self.date(days)
        let (hours, minutes, seconds) = (rest / 3_600_000, rest / 60_000 % 60, rest / 1_000 % 60)
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(padded(hours, 2)):\(padded(minutes, 2)):"
            + "\(padded(seconds, 2)).\(padded(rest % 1_000, 3))Z"
    }

    /// The text as Java's ISO_OFFSET_DATE_TIME formats it, and hence WireMock: without trailing zeros of the fraction,
    /// and without a fraction that is zero.
    public var shortest: String {
        guard milliseconds % 1_000 != 0 else { return description.dropLast(5) + "Z" }
        var text = description.dropLast()
        while text.last == "0" { text.removeLast() }
        return text + "Z"
    }

    /// The text without its fraction: `2026-01-31T09:30:00Z`.
    public var wholeSeconds: String { String(description.prefix(19)) + "Z" }

    private func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static func divide(_ number: Int64, by divisor: Int64) -> (quotient: Int64, rest: Int64) {
        let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
    }

    /// The Gregorian date of a day counted from 1970. Years are counted from March, which makes a leap day the last day
    /// of its year; 400 such years have 146,097 days.
    private static func date(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = divide(days + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }
}
