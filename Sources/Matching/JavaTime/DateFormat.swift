/// How a date is spelt by a `format` or `actualFormat` option: a pattern, seconds or milliseconds.
public enum DateFormat: Sendable {
    /// Whole seconds since 1970.
    case unix
    /// Milliseconds since 1970.
    case epoch
    case pattern(DatePattern)

    /// `unix` and `epoch` in any letter case.
    ///
    /// - Throws: if the text is neither, and no pattern.
    public init(_ text: String) throws(DateTimeProblem) {
        switch text.lowercased() {
        case "unix": self = .unix
        case "epoch": self = .epoch
        default: self = .pattern(try DatePattern(text))
        }
    }

    /// Nil if the text does not fit; a number that is none is an ordinary miss.
    public func parse(_ text: String) -> DateValue? {
        switch self {
        case .unix: Int(text).flatMap { ZonedDateTime(Moment(seconds: $0), in: .utc) }.map(DateValue.zoned)
        case .epoch: Int(text).flatMap { ZonedDateTime(Moment(epochMilliseconds: $0), in: .utc) }.map(DateValue.zoned)
        case .pattern(let pattern): pattern.parse(text)
        }
    }

    /// The same without regard to a zone: the clock's time as it is written; numbers are read in UTC.
    public func parseLocal(_ text: String) -> LocalDateTime? {
        if case .pattern(let pattern) = self { pattern.parseLocal(text) } else { parse(text)?.local }
    }

    /// Nil if the pattern cannot show the moment.
    public func format(_ moment: Moment, in zone: Zone) -> String? {
        switch self {
        case .unix: String(moment.seconds)
        case .epoch: String(moment.epochMilliseconds)
        case .pattern(let pattern): pattern.format(moment, in: zone)
        }
    }
}
