/// The format in a `format` or `actualFormat` option: a pattern, seconds or milliseconds.
public enum DateFormat: Sendable {
    /// Whole seconds since 1970.
    case unix
    /// Milliseconds since 1970.
    case epoch
    case pattern(DatePattern)

    /// Reads `unix` or `epoch` in any letter case, or a pattern.
    ///
    /// - Throws: if the text is neither, and not a valid pattern.
    public init(_ text: String) throws(DateTimeProblem) {
        switch text.lowercased() {
        case "unix": self = .unix
        case "epoch": self = .epoch
        default: self = .pattern(try DatePattern(text))
        }
    }

    /// Parses a date; nil if the text does not fit the format.
    public func parse(_ text: String) -> DateValue? {
        switch self {
        case .unix: Int(text).flatMap { ZonedDateTime(Moment(seconds: $0), in: .utc) }.map(DateValue.zoned)
        case .epoch: Int(text).flatMap { ZonedDateTime(Moment(epochMilliseconds: $0), in: .utc) }.map(DateValue.zoned)
        case .pattern(let pattern): pattern.parse(text)
        }
    }

    /// Parses the time as shown, ignoring its zone; numbers are in UTC.
    public func parseLocal(_ text: String) -> LocalDateTime? {
        if case .pattern(let pattern) = self { pattern.parseLocal(text) } else { parse(text)?.local }
    }

    /// Formats a moment; nil if the pattern cannot express it.
    public func format(_ moment: Moment, in zone: Zone) -> String? {
        switch self {
        case .unix: String(moment.seconds)
        case .epoch: String(moment.epochMilliseconds)
        case .pattern(let pattern): pattern.format(moment, in: zone)
        }
    }
}
