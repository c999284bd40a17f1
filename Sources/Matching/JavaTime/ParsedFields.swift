import SDBasics

/// Numbers by field, stored without an allocation.
private struct FieldValues {
    private var numbers = SIMD32<Int>()
    private var present: UInt32 = 0

    subscript(field: DateField) -> Int? {
        get { present & bit(field) == 0 ? nil : numbers[field.rawValue] }
        set {
            if let newValue {
                numbers[field.rawValue] = newValue
                present |= bit(field)
            } else {
                present &= ~bit(field)
            }
        }
    }

    mutating func removeValue(forKey field: DateField) -> Int? {
        defer { self[field] = nil }
        return self[field]
    }

    private func bit(_ field: DateField) -> UInt32 { 1 << UInt32(field.rawValue) }
}

/// The fields read from a text, before they become a date.
struct ParsedFields {
    private var values = FieldValues()
    private var zone: Zone?
    private var offset: Int?

    /// Sets a field. Returns false if it already has a different value.
    mutating func set(_ field: DateField, _ value: Int) -> Bool {
        let old = values[field]
        values[field] = value
        return old == nil || old == value
    }

    mutating func set(offset: Int) -> Bool {
        defer { self.offset = offset }
        return self.offset == nil || self.offset == offset
    }

    mutating func set(zone: Zone) -> Bool {
        defer { self.zone = zone }
        return self.zone == nil || self.zone == zone
    }

    /// Derives a date from the fields. Nil if they contradict one another or one is out of range
    /// (`java.time.format.Parsed`).
    func resolved(isExact: Bool) -> ResolvedFields? {
        var rest = self
        var result = ResolvedFields(zone: zone, offset: offset)
        guard rest.resolveEra(), rest.resolveDate(&result, isExact), rest.resolveTime(&result, isExact),
            rest.agrees(with: result)
        else { return nil }
        result.year = rest.values[.year]
        result.month = rest.values[.month]
        return result
    }

    private mutating func resolveEra() -> Bool {
        guard let year = values[.yearOfEra] else { return inRange(.era) }
        guard inRange(.yearOfEra), inRange(.era) else { return false }
        let isBeforeChrist = values[.era].map { $0 == 0 } ?? values[.year].map { $0 <= 0 } ?? false
        values[.yearOfEra] = nil
        values[.era] = nil
        return set(.year, isBeforeChrist ? 1 - year : year)
    }

    private func inRange(_ field: DateField) -> Bool {
        values[field].map(field.range.contains) ?? true
    }

    private mutating func resolveDate(_ result: inout ResolvedFields, _ isExact: Bool) -> Bool {
        if let day = values[.localDayOfWeek] {
            guard inRange(.localDayOfWeek), set(.dayOfWeek, (day + 5) % 7 + 1) else { return false }
            values[.localDayOfWeek] = nil
        }
        if let day = values[.modifiedJulianDay] {
            guard inRange(.modifiedJulianDay) else { return false }
            result.date = CivilDate(epochDay: day - 40_587)
            return result.date != nil
        }
        if let year = values[.year] {
            if let month = values[.month], let day = values[.dayOfMonth] {
                guard inRange(.year), inRange(.month), inRange(.dayOfMonth) else { return false }
                let last = CivilDate.days(in: month, of: year)
                result.date = CivilDate(year: year, month: month, day: isExact ? day : min(day, last))
                return result.date != nil
            }
            if let day = values[.dayOfYear] {
                guard inRange(.year) else { return false }
                result.date = CivilDate(year: year, dayOfYear: day)
                return result.date != nil
            }
            if let month = values[.month], let week = values[.weekOfMonth], let day = values[.dayOfWeek] {
                guard [.year, .month, .weekOfMonth, .dayOfWeek].allSatisfy(inRange) else { return false }
                result.date = WeekRule.date(year: year, month: month, number: week, weekday: day)
                // The first week may start in the previous month.
                for field in [DateField.year, .month, .weekOfMonth] { values[field] = nil }
                return result.date != nil
            }
        }
        if let year = values[.weekBasedYear], let week = values[.weekOfYear], let day = values[.dayOfWeek] {
            guard [.weekBasedYear, .weekOfYear, .dayOfWeek].allSatisfy(inRange) else { return false }
            result.date = WeekRule.date(year: year, number: week, weekday: day)
            values[.weekBasedYear] = nil
            values[.weekOfYear] = nil
            return result.date != nil
        }
        return true
    }

    private mutating func resolveTime(_ result: inout ResolvedFields, _ isExact: Bool) -> Bool {
        if let hour = values.removeValue(forKey: .clockHour) {
            guard (isExact ? 1 : 0)...24 ~= hour, set(.hour, hour % 24) else { return false }
        }
        if let hour = values.removeValue(forKey: .clockHourOfHalf) {
            guard (isExact ? 1 : 0)...12 ~= hour, set(.hourOfHalf, hour % 12) else { return false }
        }
        if let half = values[.halfOfDay], let hour = values[.hourOfHalf] {
            guard inRange(.halfOfDay), inRange(.hourOfHalf), set(.hour, half * 12 + hour) else { return false }
        }
        if let time = values.removeValue(forKey: .nanosecondOfDay) {
            guard DateField.nanosecondOfDay.range.contains(time), spread(seconds: time / 1_000_000_000),
                set(.nanosecond, time % 1_000_000_000)
            else { return false }
        }
        if let time = values.removeValue(forKey: .millisecondOfDay) {
            guard DateField.millisecondOfDay.range.contains(time), spread(seconds: time / 1000),
                set(.nanosecond, time % 1000 * 1_000_000)
            else { return false }
        }
        guard let hour = values[.hour] else {
            return [.minute, .second, .nanosecond, .hourOfHalf, .halfOfDay].allSatisfy(inRange)
        }
        let (minute, second, nanosecond) = (values[.minute], values[.second], values[.nanosecond])
        guard inRange(.minute), inRange(.second), inRange(.nanosecond) else { return false }
        let isBroken = minute == nil ? second != nil || nanosecond != nil : second == nil && nanosecond != nil
        if isBroken { return inRange(.hour) }
        let rest = (minute ?? 0) * 60 + (second ?? 0)
        if hour == 24, !isExact, rest == 0, nanosecond ?? 0 == 0 {
            result.secondOfDay = 0
            if let date = result.date {
                result.date = date.adding(days: 1)
                values = FieldValues()
            }
            return true
        }
        guard inRange(.hour) else { return false }
        result.secondOfDay = hour * 3600 + rest
        result.nanosecond = nanosecond ?? 0
        return true
    }

    private mutating func spread(seconds: Int) -> Bool {
        set(.hour, seconds / 3600) && set(.minute, seconds / 60 % 60) && set(.second, seconds % 60)
    }

    private static let dateFields: [DateField] = [
        .year, .month, .dayOfYear, .dayOfWeek, .quarter, .weekOfYear, .weekBasedYear, .weekOfMonth, .weekdayInMonth,
        .era,
    ]
    private static let timeFields: [DateField] = [.halfOfDay, .hourOfHalf]

    /// Whether the remaining fields agree with the date and time.
    private func agrees(with result: ResolvedFields) -> Bool {
        if let date = result.date {
            let time = LocalDateTime(startOf: date)
            for field in Self.dateFields where values[field].map({ $0 != field.value(in: time) }) == true {
                return false
            }
        }
        if let second = result.secondOfDay, let day = CivilDate(epochDay: 0),
            let time = LocalDateTime(date: day, secondOfDay: second)
        {
            for field in Self.timeFields where values[field].map({ $0 != field.value(in: time) }) == true {
                return false
            }
        }
        return true
    }
}

/// The parts of a date that a text specified.
struct ResolvedFields {
    var zone: Zone?
    var offset: Int?
    var date: CivilDate?
    var secondOfDay: Int?
    var nanosecond = 0
    var year: Int?
    var month: Int?

    var localDateTime: LocalDateTime? {
        guard let date, let secondOfDay else { return nil }
        return LocalDateTime(date: date, secondOfDay: secondOfDay, nanosecond: nanosecond)
    }

    /// The moment. An offset determines it; a zone only affects how it is shown.
    var zoned: ZonedDateTime? {
        guard let local = localDateTime else { return nil }
        switch (offset, zone) {
        case (nil, nil): return nil
        case (let offset?, let zone?): return ZonedDateTime(local.moment(offset: offset), in: zone)
        case (let offset?, nil): return ZonedDateTime(local, in: .fixed(offset))
        case (nil, let zone?): return ZonedDateTime(local, in: zone)
        }
    }

    var value: DateValue? {
        if let zoned { return .zoned(zoned) }
        if let localDateTime { return .local(localDateTime) }
        if let date { return .local(LocalDateTime(startOf: date)) }
        guard let year, let start = CivilDate(year: year, month: month ?? 1, day: 1) else {
            // For a month that does not exist, only the year counts.
            return year.flatMap { CivilDate(year: $0, month: 1, day: 1) }.map { .local(LocalDateTime(startOf: $0)) }
        }
        return .local(LocalDateTime(startOf: start))
    }
}
