import SDBasics

/// Parses an instant: `2026-03-01T12:00:00Z`, with up to nine fractional digits and an
/// offset such as `+01:00` in place of `Z` (RFC 3339).
///
/// Foundation parses it as well, but would make the daemon a third larger.
enum InstantText {
    /// The nanoseconds since 1970; nil if invalid, or outside of the years 1678 to 2261.
    static func nanoseconds(_ text: String) -> Int64? {
        var rest = text.utf8[...]
        guard let year = number(&rest, 4), consume(&rest, "-"), let month = number(&rest, 2), consume(&rest, "-"),
            let day = number(&rest, 2), consume(&rest, "Tt"), let hour = number(&rest, 2), consume(&rest, ":"),
            let minute = number(&rest, 2), consume(&rest, ":"), let second = number(&rest, 2),
            hour < 24, minute < 60, second < 60, let fraction = fraction(&rest), let offset = offset(&rest),
            rest.isEmpty, 1678...2261 ~= year, let date = CivilDate(year: Int(year), month: Int(month), day: Int(day))
        else { return nil }
        let seconds = Int64(date.epochDay) * 86_400 + hour * 3_600 + minute * 60 + second - offset
        let whole = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let sum = whole.partialValue.addingReportingOverflow(fraction)
        return whole.overflow || sum.overflow ? nil : sum.partialValue
    }

    /// Consumes a number of exactly `count` digits.
    private static func number(_ text: inout Substring.UTF8View, _ count: Int) -> Int64? {
        guard text.count >= count, text.prefix(count).allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
        else { return nil }
        defer { text.removeFirst(count) }
        return text.prefix(count).reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }

    /// Consumes one of these characters.
    private static func consume(_ text: inout Substring.UTF8View, _ choice: String) -> Bool {
        guard let first = text.first, choice.utf8.contains(first) else { return false }
        text.removeFirst()
        return true
    }

    /// Consumes an optional fraction of a second, as nanoseconds.
    private static func fraction(_ text: inout Substring.UTF8View) -> Int64? {
        guard consume(&text, ".") else { return 0 }
        let count = text.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }.count
        guard 1...9 ~= count, let digits = number(&text, count) else { return nil }
        return (count..<9).reduce(digits) { result, _ in result * 10 }
    }

    /// Consumes the zone, as seconds east of Greenwich.
    private static func offset(_ text: inout Substring.UTF8View) -> Int64? {
        if consume(&text, "Zz") { return 0 }
        let isWest = text.first == UInt8(ascii: "-")
        guard consume(&text, "+-"), let hours = number(&text, 2), hours < 24 else { return nil }
        _ = consume(&text, ":")
        guard let minutes = number(&text, 2), minutes < 60 else { return nil }
        return (hours * 60 + minutes) * (isWest ? -60 : 60)
    }
}
