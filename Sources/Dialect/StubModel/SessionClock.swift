public import SDJSON

/// The time that a session's templates and date matchers call `now`: an addition to WireMock's settings.
///
/// `{"frozen": "2026-03-01T12:00:00Z"}` stands still, `{"offset": "-3 days"}` is the real time shifted, and
/// `{"from": "2026-03-01T12:00:00Z", "rate": 60}` begins there when it is set and runs sixty times as fast; without
/// `from` it begins with the real time, and without `rate` it runs as the real one.
public struct SessionClock: Sendable, Hashable {
    /// The time that it shows at `start`, in nanoseconds since 1970; nil for the real one.
    private var from: Int64?
    /// The factor by which it runs faster than the real time.
    private var rate = 1.0
    /// The nanoseconds that are added to the time.
    private var offset: Int64 = 0
    /// The real time at which it was set, in nanoseconds since 1970.
    private var start: Int64?
    /// The document.
    private let source: JSONObject

    private static let keys = ["frozen", "offset", "from", "rate"]
    private static let example = "{\"frozen\": \"2026-03-01T12:00:00Z\"}, {\"offset\": \"-3 days\"} or {\"rate\": 60}"

    package static func read(_ value: JSONValue, _ reader: inout ModelReader) -> SessionClock? {
        if value.isNull { return nil }
        guard case .object(let object) = value, !object.isEmpty else {
            reader.report(
                detail: nil, message: "not a clock", expected: example, found: value.shortDescription)
            return nil
        }
        var clock = SessionClock(source: object)
        let known = reader.problems.count
        for member in object.members {
            reader.key(member, of: keys) { clock.read(member, &$0) }
        }
        if object["frozen"] != nil, let other = object.keys.first(where: { $0 != "frozen" }) {
            reader.reportName(other, message: "a frozen clock has nothing else", expected: example)
        }
        return reader.problems.count == known ? clock : nil
    }

    private init(source: JSONObject) {
        self.source = source
    }

    private mutating func read(_ member: JSONObject.Member, _ reader: inout ModelReader) {
        let value = member.value
        switch member.key {
        case "frozen", "from":
            from = value.stringValue.flatMap(WrittenInstant.nanoseconds)
            if member.key == "frozen" { rate = 0 }
            if from == nil {
                reader.report(
                    detail: nil, message: "not an instant",
                    expected: "a time with its zone, such as 2026-03-01T12:00:00Z",
                    found: value.shortDescription)
            }
        case "offset":
            if let text = value.stringValue, let nanoseconds = Self.duration(text) {
                offset = nanoseconds
            } else {
                reader.report(
                    detail: nil, message: "not an offset", expected: "a duration such as -3 days, 2h or 90s",
                    found: value.shortDescription)
            }
        default:
            if let number = value.doubleValue, number.isFinite, number >= 0, number <= 1_000_000 {
                rate = number
            } else {
                reader.report(
                    detail: nil, message: "not a rate", expected: "a number from 0 to 1000000",
                    found: value.shortDescription)
            }
        }
    }

    private static let units: [(names: [String], seconds: Double)] = [
        (["ms"], 0.001), (["days", "day", "d"], 86_400), (["hours", "hour", "h"], 3_600),
        (["minutes", "minute", "m"], 60), (["seconds", "second", "s"], 1),
    ]

    /// A duration with a sign, in nanoseconds; nil for one that is none, or longer than a hundred years.
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

    /// Begins to run, unless it runs already.
    /// - Parameter now: the real time, in nanoseconds since 1970.
    public mutating func start(at now: UInt64) {
        start = start ?? Int64(clamping: now)
    }

    /// The time that it shows at a real time, both in nanoseconds since 1970; never before 1970.
    public func time(at now: UInt64) -> UInt64 {
        let start = start ?? Int64(clamping: now)
        let elapsed = Double(Int64(clamping: now) - start) * rate
        let begin = from ?? start
        // Within the range in which the sum cannot overflow.
        let run = Int64(min(max(elapsed, -4e18), 4e18))
        let shown = rate == 1 && from == nil ? Int64(clamping: now) : begin.addingReportingOverflow(run).partialValue
        return UInt64(max(0, shown.addingReportingOverflow(offset).partialValue))
    }

    /// The settings as they were written; an object.
    public var json: JSONValue { .object(source) }
}
