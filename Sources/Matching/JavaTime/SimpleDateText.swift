import SDBasics

/// A pattern of Java's `java.text.SimpleDateFormat` with English names, for writing and for testing whether a text
/// starts with such a date: the `format` of the templates' helpers `now` and `date`, and XMLUnit's `isDateTime`.
///
/// Letters: `G y Y M L w W D d F E u a H k K h m s S z Z X`. Other characters are literal.
public struct SimpleDateText: Sendable {
    enum Part: Sendable {
        case literal([UInt8])
        /// A letter, and its number of repetitions.
        case letters(UInt8, Int)
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
                if !literal.isEmpty { parts.append(.literal(Array(literal.utf8))) }
                literal = ""
                let count = characters[place...].prefix { $0 == character }.count
                guard character != "X" || count <= 3 else {
                    throw DateTimeProblem(
                        detail: "invalid ISO 8601 format: length=\(count)", advice: "\"X\" is written 1 to 3 times")
                }
                parts.append(.letters(character.asciiValue ?? 0, min(count, 1000)))
                place += count
            } else {
                literal.append(character)
                place += 1
            }
        }
        guard !isQuoted else {
            throw DateTimeProblem(detail: "Unterminated quote", advice: "close the quote")
        }
        if !literal.isEmpty { parts.append(.literal(Array(literal.utf8))) }
    }

    /// Formats a moment on a zone's clock; nil outside of Java's years.
    public func format(_ moment: Moment, in zone: Zone) -> String? {
        var text: [UInt8] = []
        return write(moment, in: zone, to: &text) ? String(decoding: text, as: UTF8.self) : nil
    }

    /// Writes a moment on a zone's clock.
    /// - Returns: false outside of Java's years; then nothing is written.
    public func write(_ moment: Moment, in zone: Zone, to output: inout [UInt8]) -> Bool {
        guard let time = ZonedDateTime(moment, in: zone) else { return false }
        for part in parts {
            switch part {
            case .literal(let text): output += text
            case .letters(let letter, let count): Self.write(letter, count, time, to: &output)
            }
        }
        return true
    }

    private static func write(_ letter: UInt8, _ count: Int, _ time: ZonedDateTime, to output: inout [UInt8]) {
        let local = time.local
        func name(_ field: DateField) {
            let name = EnglishNames.name(field, field.value(in: local), count >= 4 ? .full : .short)
            output.append(contentsOf: (name ?? "").utf8)
        }
        func number(_ field: DateField) { output.append(field.value(in: local), width: count) }
        switch letter {
        case UInt8(ascii: "G"): output.append(contentsOf: (local.date.year > 0 ? "AD" : "BC").utf8)
        case UInt8(ascii: "y"), UInt8(ascii: "Y"):
            let year = (letter == UInt8(ascii: "y") ? DateField.yearOfEra : .weekBasedYear).value(in: local)
            output.append(count == 2 ? Int(year.magnitude % 100) : year, width: count)
        case UInt8(ascii: "M"), UInt8(ascii: "L"): if count >= 3 { name(.month) } else { number(.month) }
        case UInt8(ascii: "E"): name(.dayOfWeek)
        case UInt8(ascii: "u"): number(.dayOfWeek)
        case UInt8(ascii: "a"): output.append(contentsOf: (local.hour < 12 ? "AM" : "PM").utf8)
        case UInt8(ascii: "w"): number(.weekOfYear)
        case UInt8(ascii: "W"): number(.weekOfMonth)
        case UInt8(ascii: "D"): number(.dayOfYear)
        case UInt8(ascii: "d"): number(.dayOfMonth)
        case UInt8(ascii: "F"): output.append((local.date.day - 1) / 7 + 1, width: count)
        case UInt8(ascii: "H"): number(.hour)
        case UInt8(ascii: "k"): number(.clockHour)
        case UInt8(ascii: "K"): number(.hourOfHalf)
        case UInt8(ascii: "h"): number(.clockHourOfHalf)
        case UInt8(ascii: "m"): number(.minute)
        case UInt8(ascii: "s"): number(.second)
        case UInt8(ascii: "S"): output.append(local.nanosecond / 1_000_000, width: count)
        case UInt8(ascii: "z"):
            output.append(contentsOf: ZoneNames.legacyName(of: time, isFull: count >= 4).utf8)
        case UInt8(ascii: "Z"): write(offset: time.offset, hoursOnly: false, colon: false, to: &output)
        default:
            guard time.offset != 0 else { return output.append(UInt8(ascii: "Z")) }
            write(offset: time.offset, hoursOnly: count == 1, colon: count == 3, to: &output)
        }
    }

    private static func write(offset: Int, hoursOnly: Bool, colon: Bool, to output: inout [UInt8]) {
        let size = abs(offset)
        output.append(offset < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
        output.append(size / 3600, width: 2)
        guard !hoursOnly else { return }
        if colon { output.append(UInt8(ascii: ":")) }
        output.append(size / 60 % 60, width: 2)
    }
}

extension [UInt8] {
    /// Appends a decimal number, padded with zeros.
    mutating func append(_ number: Int, width: Int) {
        if number < 0 { append(UInt8(ascii: "-")) }
        var rest = number.magnitude
        if width == 2, rest < 100 {
            append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest / 10))
            append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10))
            return
        }
        var (digits, higher) = (1, rest / 10)
        while higher > 0 {
            digits += 1
            higher /= 10
        }
        append(contentsOf: repeatElement(UInt8(ascii: "0"), count: Swift.max(width, digits)))
        var place = count
        while rest > 0 {
            place -= 1
            self[place] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }
}
