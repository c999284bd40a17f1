extension DatePattern {
    /// Formats a moment on a zone's clock. Nil if a number is wider than its letters allow (where Java fails), or if
    /// the moment is outside of Java's years.
    /// - Parameter locale: the locale of names and weeks; nil for American English.
    public func format(_ moment: Moment, in zone: Zone, _ locale: JavaLocale? = nil) -> String? {
        ZonedDateTime(moment, in: zone).flatMap { format($0, locale) }
    }

    public func format(_ time: ZonedDateTime, _ locale: JavaLocale? = nil) -> String? {
        elements.text(of: time, WrittenNames(locale))
    }

    /// Whether the pattern writes a zone name that is known in English only.
    public func lacksName(of zone: Zone, in locale: JavaLocale) -> Bool {
        guard case .region = zone, !locale.isEnglish, !ZoneNames.isUniversal(zone.id) else { return false }
        return elements.namesZone
    }
}

extension [PatternElement] {
    fileprivate func text(of time: ZonedDateTime, _ names: WrittenNames) -> String? {
        var text = ""
        for element in self {
            guard let part = element.text(of: time, names) else { return nil }
            text += part
        }
        return text
    }

    fileprivate var namesZone: Bool {
        contains { element in
            switch element {
            case .zoneName: true
            case .optional(let section): section.namesZone
            case .padded(let element, _): [element].namesZone
            default: false
            }
        }
    }
}

extension PatternElement {
    fileprivate func text(of time: ZonedDateTime, _ names: WrittenNames) -> String? {
        switch self {
        case .literal(let text): return text
        case .number(let shape): return shape.text(shape.field.value(in: time.local, names.week))
        case .fraction(let minimum, let maximum, let point, _):
            var digits = Substring(zeroPadded(time.local.nanosecond, 9)).prefix(maximum)
            while digits.utf8.count > minimum, digits.last == "0" { digits.removeLast() }
            return digits.isEmpty ? "" : (point ? "." : "") + digits
        case .text(let field, let style, let isAlone):
            let value = field.value(in: time.local)
            return names.name(field, value, style, isAlone) ?? String(value)
        case .offset(let style): return style.text(time.offset)
        case .greenwichOffset(let full):
            guard time.offset != 0 else { return "GMT" }
            let style = OffsetStyle(
                hours: full ? .two : .oneOrTwo, minutes: full ? .always : .optional, seconds: .optional, colon: true,
                zero: "")
            return "GMT" + style.text(time.offset)
        case .zoneID: return time.zone.id
        case .zoneName(let style): return names.name(of: time, style)
        case .optional(let section): return section.text(of: time, names)
        case .padded(let element, let width):
            guard let text = element.text(of: time, names), text.count <= width else { return nil }
            return String(repeating: " ", count: width - text.count) + text
        case .ignoringCase, .strict: return ""
        }
    }
}

extension NumberShape {
    fileprivate func text(_ value: Int) -> String? {
        if base != nil { return zeroPadded(Int(value.magnitude % 100), 2) }
        let digits = String(value.magnitude)
        guard digits.utf8.count <= maximum else { return nil }
        var sign = ""
        if value < 0 {
            switch self.sign {
            case .normal, .always, .exceedsPad: sign = "-"
            case .never: break
            case .notNegative: return nil
            }
        } else if self.sign == .always || (self.sign == .exceedsPad && digits.utf8.count > minimum) {
            sign = "+"
        }
        return sign + String(repeating: "0", count: max(0, minimum - digits.utf8.count)) + digits
    }
}
