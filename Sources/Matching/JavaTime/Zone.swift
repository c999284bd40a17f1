/// A time zone: a fixed offset from Greenwich, or a region with changing offsets.
public enum Zone: Sendable, Equatable {
    /// An offset in seconds east of Greenwich, at most 18 hours either way.
    case fixed(Int)
    /// A region's name and rules, boxed: every date is copied with its zone.
    indirect case region(String, ZoneRules)

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
    /// - Throws: if this system has no such region.
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

    /// Reads a name like `init(name:)`, but `UTC` and `GMT` as the regions that Java has under these names: they print
    /// as names, not as an offset.
    ///
    /// - Throws: if this system has no such region.
    public init(named name: String) throws(DateTimeProblem) {
        if let region = ZoneFiles.shared.region(name) { self = region } else { try self.init(name: name) }
    }

    /// Reads a name in any of the spellings of `java.time.ZoneId`, for dates that `java.util.TimeZone` prints: also
    /// `+2`, `-0530` and `GMT+2`. Java's old classes ignore an offset after `UTC` or `UT`.
    ///
    /// - Throws: if this system has no such region.
    public init(legacyName name: String) throws(DateTimeProblem) {
        for prefix in ["UTC", "UT", "GMT", ""] where name.hasPrefix(prefix) {
            let rest = name.dropFirst(prefix.utf8.count)
            guard let sign = rest.first, sign == "+" || sign == "-" else { continue }
            var parts = rest.dropFirst().split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            if parts.count == 1 {
                let digits = parts[0].count == 1 ? "0" + parts[0] : parts[0]
                parts = stride(from: 0, to: digits.count, by: 2).map { String(digits.dropFirst($0).prefix(2)) }
            }
            let isNumber = { (text: String) in text.count == 2 && text.allSatisfy { ("0"..."9").contains($0) } }
            guard (1...3).contains(parts.count), parts.allSatisfy(isNumber) else { break }
            let numbers = parts.map { Int($0) ?? 0 }
            let size = zip(numbers, [3600, 60, 1]).reduce(0) { $0 + $1.0 * $1.1 }
            guard size <= 18 * 3600, numbers.dropFirst().allSatisfy({ $0 < 60 }) else { break }
            self = prefix.hasPrefix("U") ? .utc : .fixed(sign == "-" ? -size : size)
            return
        }
        try self.init(name: name)
    }

    /// The identifier as Java prints it: `Z`, `+01:00`, `Europe/London`.
    public var id: String {
        switch self {
        case .fixed(let offset):
            OffsetStyle(hours: .two, minutes: .always, seconds: .optional, colon: true, zero: "Z").text(offset)
        case .region(let name, _): name
        }
    }

    /// The offset in seconds east of Greenwich at `moment`.
    public func offset(at moment: Moment) -> Int {
        switch self {
        case .fixed(let offset): offset
        case .region(_, let rules): rules.offset(at: moment.seconds).seconds
        }
    }

    /// The moment at which this zone's clock shows `local`. A skipped time uses the offset before the change; of a
    /// repeated time, the first moment counts.
    public func moment(of local: LocalDateTime) -> Moment {
        switch self {
        case .fixed(let offset): return local.moment(offset: offset)
        case .region(_, let rules):
            // The right offset is one of those in force a day earlier or later.
            let before = rules.offset(at: local.localSeconds - 86_400 - 64_800).seconds
            let after = rules.offset(at: local.localSeconds + 86_400 + 64_800).seconds
            let candidates = rules.offsets(around: local.localSeconds) + [before, after]
            let fitting = candidates.filter { rules.offset(at: local.localSeconds - $0).seconds == $0 }
            if let earliest = fitting.max() { return local.moment(offset: earliest) }
            // For a skipped time, the offset before the change.
            return local.moment(offset: candidates.first ?? before)
        }
    }

    /// The zone set by the system's `TZ` or `/etc/localtime`; UTC without either.
    public static var system: Zone { ZoneFiles.shared.systemZone }
}

/// A date and time in a zone.
public struct ZonedDateTime: Sendable, Equatable {
    public let local: LocalDateTime
    public let moment: Moment
    public let zone: Zone

    public init(_ local: LocalDateTime, in zone: Zone) {
        let moment = zone.moment(of: local)
        // A skipped time is shown as the time that it became.
        self.local = LocalDateTime(moment, offset: zone.offset(at: moment)) ?? local
        self.moment = moment
        self.zone = zone
    }

    /// The time in a zone at a moment; nil outside of Java's years.
    public init?(_ moment: Moment, in zone: Zone) {
        guard let local = LocalDateTime(moment, offset: zone.offset(at: moment)) else { return nil }
        self.local = local
        self.moment = moment
        self.zone = zone
    }

    /// The offset in seconds east of Greenwich.
    public var offset: Int { zone.offset(at: moment) }
}

/// A date in a text, with or without a zone.
public enum DateValue: Sendable, Equatable {
    case zoned(ZonedDateTime)
    case local(LocalDateTime)

    /// The date with its zone; nil if it has none.
    public var zoned: ZonedDateTime? {
        if case .zoned(let time) = self { time } else { nil }
    }

    /// The clock time.
    public var local: LocalDateTime {
        switch self {
        case .zoned(let time): time.local
        case .local(let time): time
        }
    }
}
