/// A place's clock: a fixed offset from Greenwich, or a region whose offset changes through the year.
public enum Zone: Sendable, Equatable {
    /// Seconds east of Greenwich, at most 18 hours either way.
    case fixed(Int)
    /// A region's name and the changes of its clock.
    case region(String, ZoneRules)

    public static let utc = Zone.fixed(0)

    public static func == (left: Zone, right: Zone) -> Bool {
        switch (left, right) {
        case (.fixed(let left), .fixed(let right)): left == right
        case (.region(let left, _), .region(let right, _)): left == right
        default: false
        }
    }

    /// Reads `Z`, `+01:00`, `UTC`, `GMT+02:00` or a region such as `Europe/London` (`java.time.ZoneId.of`).
    ///
    /// - Throws: if there is no such region on this system.
    public init(name: String) throws(DateTimeProblem) {
        var reader = TextReader(name)
        if let zone = reader.zoneID(namedByText: .none), reader.isAtEnd {
            self = zone
            return
        }
        throw DateTimeProblem(
            detail: "Unknown time-zone ID: \(name)", found: name, kind: "time zone",
            valid: ZoneFiles.shared.names.isEmpty ? ["UTC", "+01:00"] : ["UTC", "+01:00", "Europe/London"])
    }

    /// As Java prints its identifier: `Z`, `+01:00`, `Europe/London`.
    public var id: String {
        switch self {
        case .fixed(let offset):
            OffsetStyle(hours: .two, minutes: .always, seconds: .optional, colon: true, zero: "Z").text(offset)
        case .region(let name, _): name
        }
    }

    /// Seconds east of Greenwich at `moment`.
    public func offset(at moment: Moment) -> Int {
        switch self {
        case .fixed(let offset): offset
        case .region(_, let rules): rules.offset(at: moment.seconds).seconds
        }
    }

    /// The moment at which this zone's clock shows `local`. A time that the clock skips counts on from before the
    /// change; a time that it shows twice is the first.
    public func moment(of local: LocalDateTime) -> Moment {
        switch self {
        case .fixed(let offset): return local.moment(offset: offset)
        case .region(_, let rules):
            // The right offset is one of those in force a day before and a day after.
            let before = rules.offset(at: local.localSeconds - 86_400 - 64_800).seconds
            let after = rules.offset(at: local.localSeconds + 86_400 + 64_800).seconds
            let candidates = rules.offsets(around: local.localSeconds) + [before, after]
            let fitting = candidates.filter { rules.offset(at: local.localSeconds - $0).seconds == $0 }
            if let earliest = fitting.max() { return local.moment(offset: earliest) }
            // Skipped: the offset before the change.
            return local.moment(offset: candidates.first ?? before)
        }
    }

    /// The zone that the system's `TZ` or `/etc/localtime` sets, UTC without either.
    public static var system: Zone { ZoneFiles.shared.systemZone }
}

/// A day, a time and the zone whose clock shows them.
public struct ZonedDateTime: Sendable, Equatable {
    public let local: LocalDateTime
    public let moment: Moment
    public let zone: Zone

    public init(_ local: LocalDateTime, in zone: Zone) {
        let moment = zone.moment(of: local)
        // A time that the clock skips is shown as the time it became.
        self.local = LocalDateTime(moment, offset: zone.offset(at: moment)) ?? local
        self.moment = moment
        self.zone = zone
    }

    /// Nil beyond Java's years.
    public init?(_ moment: Moment, in zone: Zone) {
        guard let local = LocalDateTime(moment, offset: zone.offset(at: moment)) else { return nil }
        self.local = local
        self.moment = moment
        self.zone = zone
    }

    /// Seconds east of Greenwich.
    public var offset: Int { zone.offset(at: moment) }
}

/// A date as a request carries it.
public enum DateValue: Sendable, Equatable {
    case zoned(ZonedDateTime)
    case local(LocalDateTime)

    /// Whether it is a moment on its own.
    public var zoned: ZonedDateTime? {
        if case .zoned(let time) = self { time } else { nil }
    }

    /// What its clock shows.
    public var local: LocalDateTime {
        switch self {
        case .zoned(let time): time.local
        case .local(let time): time
        }
    }
}
