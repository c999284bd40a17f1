import SDCalendar

/// A pattern of Java's `java.text.SimpleDateFormat` with English names, for writing and for testing whether a text begins
/// with such a date: the `format` of the templates' helpers `now` and `date`, and XMLUnit's `isDateTime`.
///
/// Letters: `G y Y M L w W D d F E u a H k K h m s S z Z X`. Everything that is no letter means itself.
public struct SimpleDateText: Sendable {
    enum Part: Sendable {
        case literal(String)
        case letters(Character, Int)
    }

    private(set) var parts: [Part] = []

    private static let letters = Set("GyYMLwWDdFEuaHkKhmsSzZX")

    /// Compiles a pattern.
    /// - Throws: for an unknown letter or an unpaired quote; `detail` is Java's message.
    public init(_ pattern: String) throws(DateTimeProblem) {
        var literal = ""
        var isQuoted = false
        let characters = Array(pattern)
        var place = 0
        while place < characters.count {
            let character = characters[place]
            if character == "'" {
                if place + 1 < characters.count, characters[place + 1] == "'" {
                    literal.append("'")
                    place += 1
                } else {
                    isQuoted.toggle()
                }
                place += 1
            } else if !isQuoted, character.isASCII, character.isLetter {
                guard Self.letters.contains(character) else {
                    throw DateTimeProblem(
                        detail: "Illegal pattern character '\(character)'", advice: "write text in single quotes")
                }
                if !literal.isEmpty { parts.append(.literal(literal)) }
                literal = ""
                let count = characters[place...].prefix { $0 == character }.count
                guard character != "X" || count <= 3 else {
                    throw DateTimeProblem(
                        detail: "invalid ISO 8601 format: length=\(count)", advice: "\"X\" is written 1 to 3 times")
                }
                parts.append(.letters(character, min(count, 1000)))
                place += count
            } else {
                literal.append(character)
                place += 1
            }
        }
        guard !isQuoted else {
            throw DateTimeProblem(detail: "Unterminated quote", advice: "close the quote")
        }
        if !literal.isEmpty { parts.append(.literal(literal)) }
    }

    /// Formats a moment on a zone's clock; nil outside of Java's years.
    public func format(_ moment: Moment, in zone: Zone) -> String? {
        guard let time = ZonedDateTime(moment, in: zone) else { return nil }
        return parts.map { part in
            switch part {
            case .literal(let text): text
            case .letters(let letter, let count): Self.text(letter, count, time)
            }
        }.joined()
    }

    private static func text(_ letter: Character, _ count: Int, _ time: ZonedDateTime) -> String {
        let local = time.local
        func name(_ field: DateField) -> String {
            EnglishNames.name(field, field.value(in: local), count >= 4 ? .full : .short) ?? ""
        }
        func number(_ field: DateField) -> String { zeroPadded(field.value(in: local), count) }
        switch letter {
        case "G": return local.date.year > 0 ? "AD" : "BC"
        case "y", "Y":
            let year = (letter == "y" ? DateField.yearOfEra : .weekBasedYear).value(in: local)
            return count == 2 ? zeroPadded(Int(year.magnitude % 100), 2) : zeroPadded(year, count)
        case "M", "L": return count >= 3 ? name(.month) : number(.month)
        case "E": return name(.dayOfWeek)
        case "u": return number(.dayOfWeek)
        case "a": return local.hour < 12 ? "AM" : "PM"
        case "w": return number(.weekOfYear)
        case "W": return number(.weekOfMonth)
        case "D": return number(.dayOfYear)
        case "d": return number(.dayOfMonth)
        case "F": return zeroPadded((local.date.day - 1) / 7 + 1, count)
        case "H": return number(.hour)
        case "k": return number(.clockHour)
        case "K": return number(.hourOfHalf)
        case "h": return number(.clockHourOfHalf)
        case "m": return number(.minute)
        case "s": return number(.second)
        case "S": return zeroPadded(local.nanosecond / 1_000_000, count)
        case "z": return ZoneNames.legacyName(of: time, isFull: count >= 4)
        case "Z": return offset(time.offset, hoursOnly: false, colon: false)
        default: return time.offset == 0 ? "Z" : offset(time.offset, hoursOnly: count == 1, colon: count == 3)
        }
    }

    private static func offset(_ offset: Int, hoursOnly: Bool, colon: Bool) -> String {
        let size = abs(offset)
        let hours = (offset < 0 ? "-" : "+") + zeroPadded(size / 3600, 2)
        return hoursOnly ? hours : hours + (colon ? ":" : "") + zeroPadded(size / 60 % 60, 2)
    }
}
