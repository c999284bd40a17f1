import SDBasics

/// A point in time in UTC with milliseconds: `2026-01-31T09:30:00.123Z` (RFC 3339).
public struct Timestamp: Sendable, Hashable, CustomStringConvertible {
    /// Milliseconds since 1970.
    public var milliseconds: Int64

    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    public static var now: Timestamp { Timestamp(milliseconds: SystemCalls.wallClockMilliseconds()) }

    public var description: String {
        let (days, rest) = Int(milliseconds).flooredDivision(by: 86_400_000)
        let (year, month, day) = CivilDate.parts(epochDay: days)
        let (hours, minutes, seconds) = (rest / 3_600_000, rest / 60_000 % 60, rest / 1_000 % 60)
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(padded(hours, 2)):\(padded(minutes, 2)):"
            + "\(padded(seconds, 2)).\(padded(rest % 1_000, 3))Z"
    }

    /// The text in Java's ISO_OFFSET_DATE_TIME format, as WireMock writes it: without trailing zeros of the fraction,
    /// and without a zero fraction.
    public var shortest: String {
        guard milliseconds % 1_000 != 0 else { return description.dropLast(5) + "Z" }
        var text = description.dropLast()
        while text.last == "0" { text.removeLast() }
        return text + "Z"
    }

    /// The text without its fraction: `2026-01-31T09:30:00Z`.
    public var wholeSeconds: String { String(description.prefix(19)) + "Z" }

    private func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
