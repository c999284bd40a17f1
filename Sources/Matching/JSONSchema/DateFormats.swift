/// Dates and times by RFC 3339.
enum DateFormats {
    static func isDate(_ text: ArraySlice<UInt8>) -> Bool {
        date(text) != nil
    }

    /// Reads a date, `2026-03-01`.
    private static func date(_ text: ArraySlice<UInt8>) -> (month: Int, day: Int)? {
        var reader = Reader(text)
        guard let year = reader.number(4), reader.consume("-"), let month = reader.number(2), reader.consume("-"),
            let day = reader.number(2), reader.isAtEnd, (1...12).contains(month)
        else { return nil }
        let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return (1...lengths[month - 1]).contains(day) ? (month, day) : nil
    }

    /// Whether the text is a time such as `10:00:00.5+01:00`. A leap second is valid only at 23:59 UTC.
    static func isTime(_ text: ArraySlice<UInt8>) -> Bool {
        var reader = Reader(text)
        guard let hour = reader.number(2), hour < 24, reader.consume(":"), let minute = reader.number(2), minute < 60,
            reader.consume(":"), let second = reader.number(2), second <= 60
        else { return false }
        if reader.consume("."), reader.digits() == 0 { return false }
        var minuteInUTC = hour * 60 + minute
        if !reader.consume("Z"), !reader.consume("z") {
            let isEast = reader.consume("+")
            guard isEast || reader.consume("-"), let hours = reader.number(2), hours < 24, reader.consume(":"),
                let minutes = reader.number(2), minutes < 60
            else { return false }
            minuteInUTC += (hours * 60 + minutes) * (isEast ? -1 : 1)
        }
        guard reader.isAtEnd else { return false }
        return second < 60 || (minuteInUTC + 2 * 1_440) % 1_440 == 1_439
    }

    /// Whether the text is a date and a time with `T` or, as RFC 3339, section 5.6, allows, a space between them.
    static func isDateTime(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.count > 11, date(text.prefix(10)) != nil else { return false }
        let separator = text[text.startIndex + 10]
        guard separator | 0x20 == UInt8(ascii: "t") || separator == UInt8(ascii: " ") else { return false }
        return isTime(text.dropFirst(11))
    }

    /// Whether the text is a duration (RFC 3339, appendix A): `P1Y2M3DT4H5M6S` without gaps between the units, or weeks
    /// alone.
    static func isDuration(_ text: ArraySlice<UInt8>) -> Bool {
        var reader = Reader(text)
        guard reader.takeLetter("p") else { return false }
        var weeks = reader
        if weeks.digits() > 0, weeks.takeLetter("w") { return weeks.isAtEnd }
        let hasDate = reader.units(["y", "m", "d"])
        guard reader.takeLetter("t") else { return hasDate == true && reader.isAtEnd }
        return hasDate != nil && reader.units(["h", "m", "s"]) == true && reader.isAtEnd
    }

    private struct Reader {
        private var rest: ArraySlice<UInt8>

        init(_ text: ArraySlice<UInt8>) {
            rest = text
        }

        var isAtEnd: Bool { rest.isEmpty }

        mutating func consume(_ character: Unicode.Scalar) -> Bool {
            guard let byte = rest.first, UInt32(byte) == character.value else { return false }
            rest.removeFirst()
            return true
        }

        /// Consumes a letter of either case, given in lower case.
        mutating func takeLetter(_ letter: Unicode.Scalar) -> Bool {
            guard let byte = rest.first, byte.isLetter, UInt32(byte | 0x20) == letter.value else { return false }
            rest.removeFirst()
            return true
        }

        mutating func number(_ count: Int) -> Int? {
            let digits = rest.prefix(count)
            guard digits.count == count, digits.allSatisfy(\.isDigit) else { return nil }
            rest = rest.dropFirst(count)
            return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        }

        mutating func digits() -> Int {
            let count = rest.prefix(while: \.isDigit).count
            rest = rest.dropFirst(count)
            return count
        }

        /// Parses numbers with units, in order and without a gap between them. True if there was at least one, nil if a
        /// number has none of these units.
        mutating func units(_ letters: [Unicode.Scalar]) -> Bool? {
            var next: Int?
            while rest.first?.isDigit == true {
                _ = digits()
                let start = next ?? 0
                let candidates = next == nil ? letters[...] : letters[min(start, letters.count)...].prefix(1)
                guard let place = candidates.indices.first(where: { takeLetter(letters[$0]) }) else { return nil }
                next = place + 1
            }
            return next != nil
        }
    }
}
