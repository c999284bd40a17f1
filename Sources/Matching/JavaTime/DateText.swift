/// The date formats recognised without a format option: ISO 8601, and those of mail and HTTP headers.
public enum DateText {
    /// Tries in this order: ISO date and time with offset (and `[Region]`), RFC 1123, RFC 1036, `asctime` (taken as
    /// GMT); then without a zone: ISO date and time, date, year and month, year. Nil if none fits.
    public static func parse(_ text: String) -> DateValue? {
        guard let bytes = bytes(text) else { return nil }
        return zoned(bytes).map(DateValue.zoned) ?? local(bytes).map(DateValue.local)
    }

    /// Reads the formats that denote a moment.
    public static func parseZoned(_ text: String) -> ZonedDateTime? {
        bytes(text).flatMap(zoned)
    }

    /// Reads the formats without a zone. A date means its midnight, a month its first day, a year its first day.
    public static func parseLocal(_ text: String) -> LocalDateTime? {
        bytes(text).flatMap(local)
    }

    /// The text's bytes; nil if it is empty or longer than any format.
    private static func bytes(_ text: String) -> [UInt8]? {
        text.utf8.isEmpty || text.utf8.count > 200 ? nil : Array(text.utf8)
    }

    private static func zoned(_ text: [UInt8]) -> ZonedDateTime? {
        for pattern in zonedPatterns {
            if let value = pattern.fields(text)?.zoned { return value }
        }
        guard text[0] >= UInt8(ascii: "A") else { return nil }
        for pattern in asctime {
            if let local = pattern.fields(text)?.localDateTime { return ZonedDateTime(local, in: .utc) }
        }
        return nil
    }

    private static func local(_ text: [UInt8]) -> LocalDateTime? {
        guard text[0] < UInt8(ascii: "A") else { return nil }
        for pattern in localPatterns {
            if let fields = pattern.fields(text), (1...12).contains(fields.month ?? 1), let value = fields.value {
                return value.local
            }
        }
        return nil
    }

    /// `2026-01-01T00:00:00Z` without a fraction, with the zone's offset in place of `Z`: `now` and `date` without a
    /// format.
    public static let isoSeconds = DatePattern(
        elements: date + [.literal("T")] + clock + [.literal(":"), two(.second), .offset(isoOffset)], isExact: true)

    private static func two(_ field: DateField) -> PatternElement {
        .number(NumberShape(field: field, minimum: 2, maximum: 2, sign: .notNegative))
    }

    private static let year = PatternElement.number(
        NumberShape(field: .year, minimum: 4, maximum: 10, sign: .exceedsPad))
    private static let yearMonth: [PatternElement] = [year, .literal("-"), two(.month)]
    private static let date = yearMonth + [.literal("-"), two(.dayOfMonth)]
    private static let clock: [PatternElement] = [two(.hour), .literal(":"), two(.minute)]
    private static let time =
        clock + [
            .optional([
                .literal(":"), two(.second),
                .optional([.fraction(minimum: 0, maximum: 9, point: true, isFollower: false)]),
            ])
        ]
    private static let dateTime = [.ignoringCase(true)] + date + [.literal("T")] + time
    private static let isoOffset = OffsetStyle(
        hours: .two, minutes: .always, seconds: .optional, colon: true, zero: "Z")

    private static let isoZoned = DatePattern(
        elements: dateTime + [
            .strict(false), .offset(isoOffset), .strict(true),
            .optional([.literal("["), .ignoringCase(false), .zoneID, .literal("]")]),
        ], isExact: true)

    private static let rfc1123 = DatePattern(
        elements: [
            .ignoringCase(true), .strict(false),
            .optional([.text(.dayOfWeek, .short), .literal(", ")]),
            .number(NumberShape(field: .dayOfMonth, minimum: 1, maximum: 2, sign: .notNegative)), .literal(" "),
            .text(.month, .short), .literal(" "),
            .number(NumberShape(field: .year, minimum: 4, maximum: 4, sign: .notNegative)), .literal(" "),
        ] + clock + [
            .optional([.literal(":"), two(.second)]), .literal(" "),
            .offset(OffsetStyle(hours: .two, minutes: .always, seconds: .never, colon: false, zero: "GMT")),
        ], isExact: false)

    private static let rfc1036 = try? DatePattern("EEEE, dd-MMM-yy HH:mm:ss zzz")
    private static let zonedPatterns = [isoZoned, rfc1123] + [rfc1036].compactMap { $0 }
    private static let asctime = ["EEE MMM dd HH:mm:ss yyyy", "EEE MMM  d HH:mm:ss yyyy"].compactMap {
        try? DatePattern($0)
    }
    private static let localPatterns = [
        DatePattern(elements: dateTime, isExact: true), DatePattern(elements: date, isExact: true),
        DatePattern(elements: yearMonth, isExact: false),
        DatePattern(
            elements: [
                .strict(false), .number(NumberShape(field: .year, minimum: 1, maximum: 10, sign: .normal)),
            ], isExact: false),
    ]
}
