package import SDJSON

/// Parses and writes durations with a unit: `120ms`, `1.5s`, `2m`.
package enum DurationText {
    package static let expected = "a duration with its unit, such as 120ms, 1.5s or 2m"

    private static let units: [(suffix: String, milliseconds: Double)] = [
        ("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000),
    ]

    /// The duration in whole milliseconds, at most Java's maximum integer. Nil if `text` is not a duration.
    package static func milliseconds(_ text: String) -> Int? {
        let text = text.trimmingBlanks
        guard let unit = units.first(where: { text.hasSuffix($0.suffix) }) else { return nil }
        let digits = String(text.dropLast(unit.suffix.count)).trimmingBlanks
        guard let number = JSONNumber(text: digits)?.doubleValue, number >= 0 else { return nil }
        let milliseconds = (number * unit.milliseconds * 1_000).rounded() / 1_000
        return Int(exactly: milliseconds).flatMap { $0 <= Int(Int32.max) ? $0 : nil }
    }

    /// The duration in the largest unit in which it is a whole number.
    package static func text(milliseconds: Int) -> String {
        let unit = units.reversed().first { milliseconds.isMultiple(of: Int($0.milliseconds)) } ?? units[0]
        return "\(milliseconds / Int(unit.milliseconds))\(unit.suffix)"
    }

    package static func json(_ milliseconds: Int) -> JSONValue { text(milliseconds: milliseconds).json }

    /// Other names of units, with the unit and factor that they stand for.
    private static let otherUnits: [(names: [String], unit: String, count: Double)] = [
        (["msec", "msecs", "milli", "millis", "millisecond", "milliseconds"], "ms", 1),
        (["sec", "secs", "second", "seconds"], "s", 1), (["min", "mins", "minute", "minutes"], "m", 1),
        (["hr", "hrs", "hour", "hours"], "h", 1), (["d", "day", "days"], "h", 24),
    ]

    /// The duration that an invalid text most likely means: one with another unit name, several units, or a number
    /// without a unit.
    /// - Parameter unit: the unit of a bare whole number; a bare fraction is in seconds.
    package static func meant(by value: JSONValue, unit bareUnit: String = "ms") -> String? {
        guard let text = (value.stringValue ?? value.numberValue?.text)?.trimmingBlanks.lowercased() else { return nil }
        let digits = text.prefix { $0.isNumber || $0 == "." }
        guard let number = JSONNumber(text: String(digits))?.doubleValue else { return nil }
        if let sum = sum(text) { return sum }
        let word = String(text.dropFirst(digits.count)).trimmingBlanks
        if word.isEmpty, number != number.rounded() { return milliseconds("\(digits)s").map(Self.text(milliseconds:)) }
        var meant = digits + (word.isEmpty ? bareUnit : word)
        if let unit = otherUnits.first(where: { $0.names.contains(word) }) {
            let count = unit.count == 1 ? String(digits) : JSONNumber(number * unit.count)?.intValue.map { String($0) }
            guard let count else { return nil }
            meant = Substring(count + unit.unit)
        }
        return milliseconds(String(meant)) == nil ? nil : String(meant)
    }

    /// The sum of several units, `90s` for `1m30s`; nil for a text with at most one.
    private static func sum(_ text: String) -> String? {
        var rest = text[...]
        var total = 0
        while !rest.isEmpty {
            let part = rest.prefix { !$0.isLetter } + rest.drop { !$0.isLetter }.prefix { $0.isLetter || $0 == " " }
            rest = rest.dropFirst(part.count)
            guard part.count < text.count, part.last?.isLetter == true || part.last == " ",
                let meant = meant(by: .string(String(part))).flatMap(milliseconds)
            else { return nil }
            total += meant
        }
        return Self.text(milliseconds: total)
    }

    package static func read(_ value: JSONValue, unit: String = "ms", _ reader: inout ModelReader) -> Int? {
        if let text = value.stringValue, let milliseconds = milliseconds(text) { return milliseconds }
        let meant = Self.meant(by: value, unit: unit)
        reader.report(
            detail: nil,
            message: value.numberValue == nil || meant == nil ? "not a duration" : "a duration without a unit",
            expected: expected, found: value.shortDescription, suggestion: meant)
        return nil
    }
}
