import SDJSON

/// The time that a session's templates and date matchers call `now`.
///
/// `{"frozen": "2026-03-01T12:00:00Z"}` does not advance, `{"offset": "-3 days"}` is the real time shifted, and
/// `{"from": "2026-03-01T12:00:00Z", "rate": 60}` starts at that time when it is set and runs sixty times as fast.
/// Without `from` it starts at the real time, and without `rate` it runs at the real rate.
extension SessionClock {
    mutating func finish(_ object: JSONObject, _ reader: inout ModelReader) {
        guard frozen != nil, let other = object.keys.first(where: { $0 != "frozen" }) else { return }
        reader.reportName(other, message: "a frozen clock has nothing else", expected: "\"frozen\" alone")
    }

    static func readInstant(_ value: JSONValue, _ reader: inout ModelReader) -> Int64? {
        reader.accept(
            value.stringValue.flatMap(InstantText.nanoseconds), of: value, "not an instant",
            "a time with its zone, such as 2026-03-01T12:00:00Z")
    }

    static func readOffset(_ value: JSONValue, _ reader: inout ModelReader) -> Int64? {
        reader.accept(
            value.stringValue.flatMap(duration), of: value, "not an offset", "a duration such as -3 days, 2h or 90s")
    }

    static func readRate(_ value: JSONValue, _ reader: inout ModelReader) -> Double? {
        let rate = value.doubleValue.flatMap { 0...1_000_000 ~= $0 ? $0 : nil }
        return reader.accept(rate, of: value, "not a rate", "a number from 0 to 1000000")
    }

    private static let units: [(names: [String], seconds: Double)] = [
        (["ms"], 0.001), (["days", "day", "d"], 86_400), (["hours", "hour", "h"], 3_600),
        (["minutes", "minute", "m"], 60), (["seconds", "second", "s"], 1),
    ]

    /// A signed duration in nanoseconds; nil if it is invalid or longer than a hundred years.
    private static func duration(_ text: String) -> Int64? {
        var text = text.trimmingBlanks
        let sign: Double = text.hasPrefix("-") ? -1 : 1
        if text.hasPrefix("-") || text.hasPrefix("+") { text.removeFirst() }
        for unit in units {
            guard let name = unit.names.first(where: text.hasSuffix) else { continue }
            guard let number = Double(text.dropLast(name.count).filter { $0 != " " }), number >= 0 else { return nil }
            let seconds = number * unit.seconds
            return seconds <= 3_153_600_000 ? Int64(sign * seconds * 1_000_000_000) : nil
        }
        return nil
    }

    // MARK: - Time

    /// Starts the clock, unless it runs already.
    /// - Parameter now: the real time, in nanoseconds since 1970.
    public mutating func start(at now: UInt64) {
        start = start ?? Int64(clamping: now)
    }

    /// The clock's time at a real time, both in nanoseconds since 1970; never before 1970.
    public func time(at now: UInt64) -> UInt64 {
        let (from, rate) = (frozen ?? from, frozen == nil ? rate : 0)
        let start = start ?? Int64(clamping: now)
        let elapsed = Double(Int64(clamping: now) - start) * rate
        let begin = from ?? start
        // Clamped so that the sum cannot overflow.
        let run = Int64(min(max(elapsed, -4e18), 4e18))
        let shown = rate == 1 && from == nil ? Int64(clamping: now) : begin.addingReportingOverflow(run).partialValue
        return UInt64(max(0, shown.addingReportingOverflow(offset).partialValue))
    }
}
