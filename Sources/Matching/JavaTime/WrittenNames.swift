/// The locale's names and weeks for writing dates.
struct WrittenNames {
    /// Nil for American English, which needs no lookup.
    private let locale: JavaLocale?
    let week: WeekRule

    init(_ locale: JavaLocale?) {
        self.locale = locale
        let digits = locale?["week"].compactMap(\.wholeNumberValue) ?? []
        week = digits.count == 2 ? WeekRule(firstDay: digits[0], fewestDays: digits[1]) : .american
    }

    /// The name of a field's value; nil for a field without names.
    func name(_ field: DateField, _ value: Int, _ style: TextStyle, _ isAlone: Bool) -> String? {
        guard let locale else { return EnglishNames.name(field, value, style) }
        let names: [Substring]
        switch field {
        case .month: names = Self.names(locale, "M", alone: isAlone ? "L" : nil, style)
        case .dayOfWeek: names = Self.names(locale, "E", alone: isAlone ? "c" : nil, style)
        case .quarter: names = Self.names(locale, "Q", alone: isAlone ? "q" : nil, style)
        case .era: names = style == .short ? locale.names("G") : Self.names(locale, "G", alone: nil, style)
        case .halfOfDay: names = locale.names("a")
        default: return nil
        }
        let place = value - field.range.lowerBound
        return names.indices.contains(place) ? String(names[place]) : nil
    }

    private static func names(
        _ locale: JavaLocale, _ letter: Character, alone: Character?, _ style: TextStyle
    ) -> [Substring] {
        let count = style == .short ? 3 : style == .full ? 4 : 5
        return locale.names(
            String(repeating: letter, count: count), alone: alone.map { String(repeating: $0, count: count) })
    }

    /// The name of the zone; in English except for universal time.
    func name(of time: ZonedDateTime, _ style: TextStyle) -> String {
        if style == .full, let locale, ZoneNames.isUniversal(time.zone.id) { return String(locale["UTC"]) }
        return ZoneNames.name(of: time, style: style)
    }
}
