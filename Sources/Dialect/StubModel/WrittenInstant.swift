import SDBasics

/// An instant as documents write it: `2026-03-01T12:00:00Z`, with up to nine digits of a second's fraction and an
/// offset such as `+01:00` in place of `Z` (RFC 3339).
///
/// Foundation reads it as well, and would make the daemon a third larger.
enum WrittenInstant {
    /// The nanoseconds since 1970; nil for what is no instant, or outside of the years 1678 to 2261.
    static func nanoseconds(_ text: String) -> Int64? {
        var rest = text.utf8[...]
        guard let year = number(&rest, 4), take(&rest, "-"), let month = number(&rest, 2), take(&rest, "-"),
            let day = number(&rest, 2), take(&rest, "Tt"), let hour = number(&rest, 2), take(&rest, ":"),
            let minute = number(&rest, 2), take(&rest, ":"), let second = number(&rest, 2),
            hour < 24, minute < 60, second < 60, let fraction = fraction(&rest), let offset = offset(&rest),
            rest.isEmpty, 1678...2261 ~= year, let date = CivilDate(year: Int(year), month: Int(month), day: Int(day))
        else { return nil }
        let seconds = Int64(date.epochDay) * 86_400 + hour * 3_600 + minute * 60 + second - offset
        let whole = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let sum = whole.partialValue.addingReportingOverflow(fraction)
        return whole.overflow || sum.overflow ? nil : sum.partialValue
    }

    /// Takes a number of exactly `count` digits.
    private static func number(_ text: inout Substring.UTF8View, _ count: Int) -> Int64? {
        guard text.count >= count, text.prefix(count).allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
        else { return nil }
        defer { text.removeFirst(count) }
        return text.prefix(count).reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }

    /// Takes one of these characters.
    private static func take(_ text: inout Substring.UTF8View, _ choice: String) -> Bool {
        guard let first = text.first, choice.utf8.contains(first) else { return false }
        text.removeFirst()
        return true
    }

    /// Takes the nanoseconds of a second, if there are any.
    private static func fraction(_ text: inout Substring.UTF8View) -> Int64? {
        guard take(&text, ".") else { return 0 }
        let count = text.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }.count
        guard 1...9 ~= count, let digits = number(&text, count) else { return nil }
        return (count..<9).reduce(digits) { result, _ in result * 10 }
    }

    /// Takes the zone, as seconds east of Greenwich.
    private static func offset(_ text: inout Substring.UTF8View) -> Int64? {
        if take(&text, "Zz") { return 0 }
        let isWest = text.first == UInt8(ascii: "-")
        guard take(&text, "+-"), let hours = number(&text, 2), hours < 24 else { return nil }
        _ = take(&text, ":")
        guard let minutes = number(&text, 2), minutes < 60 else { return nil }
        return (hours * 60 + minutes) * (isWest ? -60 : 60)
    }
}
