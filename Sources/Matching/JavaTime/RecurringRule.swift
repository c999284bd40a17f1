import SDBasics

/// The yearly rule that applies after a zone's last recorded change: a POSIX `TZ` text (RFC 8536, section 3.3).
struct RecurringRule: Sendable {
    let standard: ZoneRules.Kind
    private let daylight: ZoneRules.Kind?
    private let start: Change
    private let end: Change

    /// Parses a rule; nil if the text is invalid.
    init?(_ text: ArraySlice<UInt8>) {
        var reader = Reader(rest: text)
        guard let name = reader.name(), let west = reader.duration() else { return nil }
        standard = ZoneRules.Kind(seconds: -west, isDaylight: false, abbreviation: name)
        guard !reader.rest.isEmpty else {
            (daylight, start, end) = (nil, Change.secondSundayOfMarch, Change.firstSundayOfNovember)
            return
        }
        guard let summer = reader.name() else { return nil }
        var offset = 3600 - west
        if let next = reader.rest.first, next != UInt8(ascii: ",") {
            guard let written = reader.duration() else { return nil }
            offset = -written
        }
        daylight = ZoneRules.Kind(seconds: offset, isDaylight: true, abbreviation: summer)
        if reader.rest.isEmpty {
            (start, end) = (Change.secondSundayOfMarch, Change.firstSundayOfNovember)
        } else {
            guard let start = reader.change(), let end = reader.change(), reader.rest.isEmpty else { return nil }
            (self.start, self.end) = (start, end)
        }
    }

    func kind(at second: Int) -> ZoneRules.Kind {
        guard let daylight else { return standard }
        guard let year = LocalDateTime(Moment(seconds: second), offset: standard.seconds)?.date.year else {
            return standard
        }
        let on = start.second(in: year) - standard.seconds
        let off = end.second(in: year) - daylight.seconds
        let isSummer = on < off ? on <= second && second < off : second < off || on <= second
        return isSummer ? daylight : standard
    }

    private struct Change {
        enum Day {
            case weekday(month: Int, week: Int, day: Int)
            case dayOfYear(Int)
            case dayWithoutLeap(Int)
        }

        let day: Day
        let secondOfDay: Int

        static let secondSundayOfMarch = Change(day: .weekday(month: 3, week: 2, day: 0), secondOfDay: 7200)
        static let firstSundayOfNovember = Change(day: .weekday(month: 11, week: 1, day: 0), secondOfDay: 7200)

        /// The time of the change in `year`, in local seconds since 1970.
        func second(in year: Int) -> Int {
            let newYear = CivilDate(year: year, month: 1, day: 1)?.epochDay ?? 0
            let date: Int
            switch day {
            case .dayOfYear(let number): date = newYear + number
            case .dayWithoutLeap(let number):
                date = newYear + number - 1 + (CivilDate.isLeap(year) && number >= 60 ? 1 : 0)
            case .weekday(let month, let week, let day):
                guard let first = CivilDate(year: year, month: month, day: 1) else { return newYear * 86_400 }
                let ahead = (day - first.dayOfWeek % 7 + 7) % 7
                let length = CivilDate.days(in: month, of: year)
                var number = 1 + ahead + (week - 1) * 7
                if number > length { number -= 7 }
                date = first.epochDay + number - 1
            }
            return date * 86_400 + secondOfDay
        }
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func accept(_ scalar: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: scalar) else { return false }
            rest = rest.dropFirst()
            return true
        }

        mutating func name() -> String? {
            let quoted = accept("<")
            let close = UInt8(ascii: ">")
            let name = rest.prefix {
                quoted ? $0 != close : (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
            }
            rest = rest.dropFirst(name.count)
            guard name.count >= 3, !quoted || accept(">") else { return nil }
            return String(decoding: name, as: UTF8.self)
        }

        mutating func number(upTo limit: Int) -> Int? {
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard !digits.isEmpty, digits.count <= 4 else { return nil }
            rest = rest.dropFirst(digits.count)
            let value = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
            return value <= limit ? value : nil
        }

        /// Parses `[+-]hh[:mm[:ss]]` as seconds.
        mutating func duration() -> Int? {
            let negative = accept("-")
            if !negative { _ = accept("+") }
            guard var seconds = number(upTo: 167).map({ $0 * 3600 }) else { return nil }
            if accept(":") {
                guard let minutes = number(upTo: 59) else { return nil }
                seconds += minutes * 60
                if accept(":") {
                    guard let rest = number(upTo: 59) else { return nil }
                    seconds += rest
                }
            }
            return negative ? -seconds : seconds
        }

        mutating func change() -> Change? {
            guard accept(","), let day = day() else { return nil }
            guard accept("/") else { return Change(day: day, secondOfDay: 7200) }
            return duration().map { Change(day: day, secondOfDay: $0) }
        }

        private mutating func day() -> Change.Day? {
            if accept("M") {
                guard let month = number(upTo: 12), month > 0, accept("."), let week = number(upTo: 5), week > 0,
                    accept("."), let day = number(upTo: 6)
                else { return nil }
                return .weekday(month: month, week: week, day: day)
            }
            if accept("J") { return number(upTo: 365).flatMap { $0 > 0 ? .dayWithoutLeap($0) : nil } }
            return number(upTo: 365).map { .dayOfYear($0) }
        }
    }
}
