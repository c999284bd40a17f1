import SDBasics
import SDJavaTime

/// Recognises texts that Java's `ISO_OFFSET_DATE_TIME` parses: `2026-03-01T10:00:00+01:00`, seconds and fraction
/// optional.
enum ISODateTime {
    static func isDateTimeWithOffset(_ text: ArraySlice<UInt8>) -> Bool {
        var reader = Reader(rest: text)
        guard let year = reader.digits(4), reader.accept("-"), let month = reader.digits(2), reader.accept("-"),
            let day = reader.digits(2), CivilDate(year: year, month: month, day: day) != nil,
            reader.accept("T") || reader.accept("t"),
            let hour = reader.digits(2), hour < 24, reader.accept(":"), let minute = reader.digits(2), minute < 60
        else { return false }
        if reader.accept(":") {
            guard let second = reader.digits(2), second < 60 else { return false }
            if reader.accept(".") {
                var places = 0
                while reader.digits(1) != nil { places += 1 }
                guard places <= 9 else { return false }
            }
        }
        return reader.acceptOffset() && reader.rest.isEmpty
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func digits(_ count: Int) -> Int? {
            guard rest.count >= count else { return nil }
            var value = 0
            for byte in rest.prefix(count) {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                value = value * 10 + Int(byte - UInt8(ascii: "0"))
            }
            rest = rest.dropFirst(count)
            return value
        }

        mutating func accept(_ scalar: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: scalar) else { return false }
            rest = rest.dropFirst()
            return true
        }

        /// Accepts `Z`, or hours up to 18:00, minutes and seconds optional.
        mutating func acceptOffset() -> Bool {
            if accept("Z") || accept("z") { return true }
            guard accept("+") || accept("-"), let hours = digits(2) else { return false }
            var minutes = 0
            var seconds = 0
            if accept(":") {
                guard let value = digits(2), value < 60 else { return false }
                minutes = value
                if accept(":") {
                    guard let value = digits(2), value < 60 else { return false }
                    seconds = value
                }
            }
            return hours * 3600 + minutes * 60 + seconds <= 18 * 3600
        }
    }
}
