import SDBasics

/// Times of an archive: `2026-01-31T09:30:00.123Z`, `2026-01-31T10:30:00.123456+01:00` (ISO 8601).
enum ArchivedTime {
    /// The nanoseconds since 1970; nil unless it is a date with a time between 1970 and 2500.
    static func nanoseconds(of text: String) -> UInt64? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 19, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
            let date = CivilDate(year: year, month: month, day: day), year < 2500,
            let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
            hour < 24, minute < 60, second <= 60
        else { return nil }
        var rest = bytes[19...]
        var fraction = 0
        if rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: ",") {
            let digits = rest.dropFirst().prefix { isDigit($0) }
            rest = rest.dropFirst(digits.count + 1)
            for place in 0..<9 {
                fraction = fraction * 10 + (place < digits.count ? Int(digits[digits.startIndex + place] - 0x30) : 0)
            }
        }
        let seconds = date.epochDay * 86_400 + hour * 3600 + minute * 60 + second - offset(rest)
        return seconds < 0 ? nil : UInt64(seconds) * 1_000_000_000 + UInt64(fraction)
    }

    /// The seconds of `+01:00`, `+0100` or `+01`; 0 for anything else.
    private static func offset(_ text: ArraySlice<UInt8>) -> Int {
        guard let sign = text.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return 0 }
        let digits = text.dropFirst().filter { $0 != UInt8(ascii: ":") }
        guard let hours = number(digits.prefix(2)[...]), hours <= 18 else { return 0 }
        let minutes = number(digits.dropFirst(2).prefix(2)[...]) ?? 0
        return (sign == UInt8(ascii: "-") ? -1 : 1) * (hours * 3600 + minutes * 60)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard !digits.isEmpty, digits.allSatisfy(isDigit) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
