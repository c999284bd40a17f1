/// The matchers `before`, `after` and `equalToDateTime`.
///
/// The expected date is fixed or relative to the request (`now`, `now +3 days`, `3 hours`). Two dates with a zone are
/// compared as moments. If the expected date has no zone, it is compared with the actual date's clock time; if only the
/// actual date has none, it is in the server's time zone. A text that is not a date never matches, and neither does an
/// expected one. (WireMock 3.13.2, "Date and time" in its request matching.)
public struct DateTimeMatcher: Sendable {
    public enum Comparison: String, Sendable, CaseIterable {
        case before, after
        case equal = "equalToDateTime"
    }

    /// The members besides the operator. `truncateExpected` applies to `now`, `truncateActual` to an actual date with a
    /// zone; together with `actualFormat`, only if the expected date also has a zone.
    public struct Options: Sendable, Equatable {
        public var actualFormat: String?
        public var truncateExpected: String?
        public var truncateActual: String?
        public var applyTruncationLast: Bool
        /// Counts only together with its unit, and only if the expected date is relative; it then replaces the offset
        /// in the text.
        public var expectedOffset: Int?
        public var expectedOffsetUnit: String?

        public init(
            actualFormat: String? = nil, truncateExpected: String? = nil, truncateActual: String? = nil,
            applyTruncationLast: Bool = false, expectedOffset: Int? = nil, expectedOffsetUnit: String? = nil
        ) {
            self.actualFormat = actualFormat
            self.truncateExpected = truncateExpected
            self.truncateActual = truncateActual
            self.applyTruncationLast = applyTruncationLast
            self.expectedOffset = expectedOffset
            self.expectedOffsetUnit = expectedOffsetUnit
        }
    }

    private enum Expected: Sendable {
        case fixed(DateValue)
        case fromNow(DateOffset)
        case unreadable
    }

    public let comparison: Comparison
    /// The expected date as WireMock prints it in the 404 report and in a stub's JSON: as given, but `now` as `now +0
    /// seconds`.
    public let expectedText: String
    public let actualFormat: String?
    public let truncateExpected: DateBoundary?
    public let truncateActual: DateBoundary?
    public let applyTruncationLast: Bool
    private let expected: Expected
    private let format: DateFormat?
    private let systemZone: Zone

    /// Makes a matcher.
    /// - Throws: for an unknown unit or truncation, an invalid pattern, or an offset beyond 32 bits.
    public init(
        _ comparison: Comparison, expected: String, options: Options = Options(), systemZone: Zone = .system
    ) throws(DateTimeProblem) {
        self.comparison = comparison
        self.systemZone = systemZone
        actualFormat = options.actualFormat
        applyTruncationLast = options.applyTruncationLast
        truncateExpected = try Self.truncation(options.truncateExpected)
        truncateActual = try Self.truncation(options.truncateActual)
        format = try Self.format(options.actualFormat)
        let unit = try Self.unit(options.expectedOffsetUnit)
        var override: DateOffset?
        if let amount = options.expectedOffset, let unit { override = DateOffset(amount: amount, unit: unit) }
        if expected.lowercased() == "now" {
            let offset = override ?? .none
            self.expected = .fromNow(offset)
            expectedText = expected == "now" ? "now " + offset.description : expected
        } else {
            expectedText = expected
            if let offset = try DateOffset(expected) {
                self.expected = .fromNow(override ?? offset)
            } else {
                self.expected = DateText.parse(expected).map(Expected.fixed) ?? .unreadable
            }
        }
    }

    /// Whether the expected text is a date. If not, nothing matches.
    public var isReadable: Bool {
        if case .unreadable = expected { false } else { true }
    }

    /// Whether `actual` has the operator's order relative to the expected date. `now` is the time of the request.
    public func matches(_ actual: String, now: Moment) -> Bool {
        guard let expected = expectedValue(now: now) else { return false }
        if case .local(let expected) = expected, let format {
            // The clock time as shown, whatever its zone, never truncated.
            return format.parseLocal(actual).map { compare($0, expected) } ?? false
        }
        guard let actual = format.map({ $0.parse(actual) }) ?? DateText.parse(actual) else { return false }
        switch (expected, truncated(actual)) {
        case (_, nil): return false
        case (.zoned(let expected), .zoned(let actual)?): return compare(actual.moment, expected.moment)
        case (.zoned(let expected), .local(let actual)?):
            return compare(ZonedDateTime(actual, in: systemZone).moment, expected.moment)
        case (.local(let expected), let actual?): return compare(actual.local, expected)
        }
    }

    private func compare<Value: Comparable>(_ actual: Value, _ expected: Value) -> Bool {
        switch comparison {
        case .before: actual < expected
        case .after: actual > expected
        case .equal: actual == expected
        }
    }

    private func truncated(_ actual: DateValue) -> DateValue? {
        guard let truncateActual, case .zoned(let time) = actual else { return actual }
        return truncateActual.apply(to: time).map(DateValue.zoned)
    }

    private func expectedValue(now: Moment) -> DateValue? {
        switch expected {
        case .unreadable: return nil
        case .fixed(let value): return value
        case .fromNow(let offset):
            var time = ZonedDateTime(now, in: systemZone)
            if applyTruncationLast { time = time?.adding(offset) }
            if let truncateExpected { time = time.flatMap(truncateExpected.apply) }
            if !applyTruncationLast { time = time?.adding(offset) }
            return time.map(DateValue.zoned)
        }
    }

    private static func truncation(_ name: String?) throws(DateTimeProblem) -> DateBoundary? {
        guard let name else { return nil }
        return try DateBoundary(name: name)
    }

    private static func unit(_ name: String?) throws(DateTimeProblem) -> DateUnit? {
        guard let name else { return nil }
        return try DateUnit(name: name)
    }

    private static func format(_ text: String?) throws(DateTimeProblem) -> DateFormat? {
        guard let text else { return nil }
        return try DateFormat(text)
    }
}
