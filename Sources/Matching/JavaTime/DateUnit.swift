import SDBasics
public import SDStubModel

/// The unit of an offset.
public typealias DateUnit = ValueMatcher.DateDistanceUnit

extension DateUnit {
    /// Reads a plural name in any letter case, as WireMock does.
    /// - Throws: for an unknown name.
    public init(name: String) throws(DateTimeProblem) {
        guard let unit = DateUnit(inAnyCase: name) else {
            throw DateTimeProblem(
                detail: Self.unknown(name), found: name, kind: "unit", valid: Self.allCases.map(\.rawValue))
        }
        self = unit
    }
}

/// An amount of time: `3 days`, `-1 months`.
public struct DateOffset: Sendable, Equatable {
    /// The amount, within 32 bits like Java's `int`.
    public let amount: Int
    public let unit: DateUnit

    public static let none = DateOffset(amount: 0, unit: .seconds)

    public init(amount: Int, unit: DateUnit) {
        self.amount = min(max(amount, Int(Int32.min)), Int(Int32.max))
        self.unit = unit
    }

    /// Reads `3 days`, `+3 days` or `-3 days`, each optionally after `now ` in any case. Nil if the text has another
    /// shape.
    ///
    /// - Throws: if the shape is right but the unit is unknown or the number exceeds 32 bits.
    public init?(_ text: String) throws(DateTimeProblem) {
        var rest = text.utf8[...]
        if text.prefix(4).lowercased() == "now " { rest = rest.dropFirst(4) }
        var digits = rest
        let negative = digits.first == UInt8(ascii: "-")
        if negative || digits.first == UInt8(ascii: "+") { digits = digits.dropFirst() }
        let number = digits.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        let tail = digits.dropFirst(number.count)
        let name = tail.dropFirst()
        let isLetter = { (byte: UInt8) in (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }
        guard !number.isEmpty, tail.first == UInt8(ascii: " "), !name.isEmpty, name.allSatisfy(isLetter) else {
            return nil
        }
        let written = String(Substring(rest.prefix(rest.count - tail.count)))
        guard let amount = Int32((negative ? "-" : "") + String(Substring(number))) else {
            throw DateTimeProblem(
                detail: "For input string: \"\(written)\"",
                advice: "the number of an offset is at least \(Int32.min) and at most \(Int32.max)")
        }
        try self.init(amount: Int(amount), unit: DateUnit(name: String(Substring(name))))
    }

    /// The offset as WireMock prints it: `+3 days`.
    public var description: String { (amount < 0 ? "" : "+") + "\(amount) \(unit.rawValue)" }
}

extension LocalDateTime {
    /// Adds an offset. Days, months and years keep the time of day, and are limited to the last day of a shorter month.
    /// Nil outside of Java's years.
    public func adding(_ offset: DateOffset) -> LocalDateTime? {
        switch offset.unit {
        case .seconds: adding(seconds: offset.amount)
        case .minutes: adding(seconds: offset.amount * 60)
        case .hours: adding(seconds: offset.amount * 3600)
        case .days: on(date.adding(days: offset.amount))
        case .months: on(date.adding(months: offset.amount))
        case .years: on(date.adding(years: offset.amount))
        }
    }
}

extension ZonedDateTime {
    /// Adds an offset. Seconds, minutes and hours are elapsed time; days, months and years keep the zone's clock time.
    /// Nil outside of Java's years.
    public func adding(_ offset: DateOffset) -> ZonedDateTime? {
        switch offset.unit {
        case .seconds: adding(seconds: offset.amount)
        case .minutes: adding(seconds: offset.amount * 60)
        case .hours: adding(seconds: offset.amount * 3600)
        case .days, .months, .years: local.adding(offset).map { ZonedDateTime($0, in: zone) }
        }
    }

    private func adding(seconds: Int) -> ZonedDateTime? {
        ZonedDateTime(Moment(seconds: moment.seconds &+ seconds, nanoseconds: moment.nanoseconds), in: zone)
    }
}
