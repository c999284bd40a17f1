import SDBasics
public import SDStubModel

/// A point to which a date is truncated before it is compared.
public typealias DateBoundary = ValueMatcher.DateBoundary

extension DateBoundary {
    /// Reads a name in any letter case, with underscores or spaces, as WireMock does.
    /// - Throws: for an unknown name.
    public init(name: String) throws(DateTimeProblem) {
        guard let boundary = DateBoundary(inAnyCase: name) else {
            throw DateTimeProblem(
                detail: Self.unknown(name), found: name, kind: "truncation", valid: Self.allCases.map(\.rawValue))
        }
        self = boundary
    }

    /// Moves a time to the boundary; nil outside of Java's years. Moving to a day means its midnight.
    public func apply(to time: LocalDateTime) -> LocalDateTime? {
        let date = time.date
        let truncated: CivilDate?
        switch self {
        case .firstSecondOfMinute: return time.truncated(toSeconds: 60)
        case .firstMinuteOfHour: return time.truncated(toSeconds: 3600)
        case .firstHourOfDay: return LocalDateTime(startOf: date)
        case .firstDayOfMonth: truncated = CivilDate(year: date.year, month: date.month, day: 1)
        case .firstDayOfNextMonth:
            truncated = CivilDate(year: date.year, month: date.month, day: 1)?.adding(months: 1)
        case .lastDayOfMonth:
            let last = CivilDate.days(in: date.month, of: date.year)
            truncated = CivilDate(year: date.year, month: date.month, day: last)
        case .firstDayOfYear: truncated = CivilDate(year: date.year, month: 1, day: 1)
        case .firstDayOfNextYear: truncated = CivilDate(year: date.year + 1, month: 1, day: 1)
        case .lastDayOfYear: truncated = CivilDate(year: date.year, month: 12, day: 31)
        }
        return truncated.map(LocalDateTime.init(startOf:))
    }

    /// Moves a time to the boundary, on its zone's clock.
    public func apply(to time: ZonedDateTime) -> ZonedDateTime? {
        apply(to: time.local).map { ZonedDateTime($0, in: time.zone) }
    }
}
