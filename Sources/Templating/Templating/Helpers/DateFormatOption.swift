import SDBasics
import SDJavaTime

/// The print format of a date: the option `format` of `now` and `date`.
enum DateFormatOption: Sendable {
    /// ISO 8601 without a fraction.
    case usual
    /// Milliseconds since 1970.
    case epoch
    /// Seconds since 1970.
    case unix
    case pattern(SimpleDateText)

    /// - Throws: `DateTimeProblem` for an invalid pattern.
    init(_ format: String?) throws(DateTimeProblem) {
        switch format {
        case nil: self = .usual
        case "epoch": self = .epoch
        case "unix": self = .unix
        case let pattern?: self = .pattern(try SimpleDateText(pattern))
        }
    }

    /// Writes a date; nothing for one outside of Java's years.
    /// - Parameter zone: the time zone for printing; nil for the system's, but UTC in the usual format.
    func write(_ moment: Moment, in zone: Zone?, to output: inout [UInt8]) {
        switch self {
        case .usual: TemplateDate(moment, in: zone).write(to: &output)
        case .epoch: output.append(contentsOf: String(moment.epochMilliseconds).utf8)
        // Java's division of the milliseconds rounds towards zero.
        case .unix: output.append(contentsOf: String(moment.epochMilliseconds / 1000).utf8)
        case .pattern(let pattern): _ = pattern.write(moment, in: zone ?? .system, to: &output)
        }
    }

    /// The text of a date; nil for the usual format.
    func text(_ moment: Moment, in zone: Zone?) -> String? {
        if case .usual = self { return nil }
        var text: [UInt8] = []
        write(moment, in: zone, to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}

extension TemplateDate {
    /// Writes the text that it prints.
    func write(to output: inout [UInt8]) {
        if let rendered {
            output.append(contentsOf: rendered.utf8)
        } else if zone != nil || !Self.writePlain(moment.seconds, to: &output) {
            output.append(contentsOf: (DateText.isoSeconds.format(moment, in: zone ?? .utc) ?? "").utf8)
        }
    }

    /// Writes the usual format, `2026-03-01T12:00:00Z`, of a moment from 1970 to 9999.
    /// - Returns: false for other moments, for which nothing is written.
    private static func writePlain(_ seconds: Int, to output: inout [UInt8]) -> Bool {
        guard (0..<253_402_300_800).contains(seconds), let date = CivilDate(epochDay: seconds / 86_400) else {
            return false
        }
        let second = seconds % 86_400
        func put(_ number: Int, _ mark: UInt8) {
            output.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number / 10))
            output.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number % 10))
            output.append(mark)
        }
        output.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: date.year / 1000))
        output.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: date.year / 100 % 10))
        put(date.year % 100, UInt8(ascii: "-"))
        put(date.month, UInt8(ascii: "-"))
        put(date.day, UInt8(ascii: "T"))
        put(second / 3_600, UInt8(ascii: ":"))
        put(second / 60 % 60, UInt8(ascii: ":"))
        put(second % 60, UInt8(ascii: "Z"))
        return true
    }
}
