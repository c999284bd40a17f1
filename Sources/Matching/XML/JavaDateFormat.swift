/// A date pattern of Java's `SimpleDateFormat`, for testing whether a text begins with such a date. It is as lenient as
/// Java: month 13 is the next January, numbers may have any number of digits, and text after the date is ignored.
struct JavaDateFormat: Sendable {
    private enum Part: Sendable {
        case literal([UInt8])
        /// A number; `digits` is set if the next number follows directly.
        case number(digits: Int?)
        case year(letters: Int, digits: Int?)
        case words([String])
        case generalZone
        case offset
        case isoOffset(letters: Int)
    }

    private var parts: [Part] = []

    /// The formats of `isDateTime` without a pattern: ISO dates and Java's short English ones. Longer forms with a time
    /// begin with these, and text after the date is ignored.
    static let defaults = ["yyyy-MM-dd", "M/d/yy"].compactMap { JavaDateFormat($0) }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    private static let days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    private static let zones = [
        "UTC", "GMT", "UT", "EST", "EDT", "CST", "CDT", "MST", "MDT", "PST", "PDT", "CET", "CEST", "EET", "EEST", "WET",
        "WEST", "BST", "IST", "JST", "MSK", "HST", "AKST", "AKDT", "AEST", "AEDT", "NZST", "NZDT",
    ]

    /// Reads a pattern; nil for a letter without a meaning, or a quote that is not closed.
    init?(_ pattern: String) {
        guard let fields = Self.fields(Array(pattern.utf8)) else { return nil }
        for (index, field) in fields.enumerated() {
            let next = index + 1 < fields.count ? fields[index + 1] : .literal([])
            guard let part = Self.part(field, next) else { return nil }
            parts.append(part)
        }
    }

    private enum Field {
        case letters(UInt8, Int)
        case literal([UInt8])

        var isNumber: Bool {
            switch self {
            case .letters(UInt8(ascii: "M"), let count): count < 3
            case .letters(let letter, _): "yYdDFwWHkKhmsSu".utf8.contains(letter)
            case .literal: false
            }
        }
    }

    private static func fields(_ pattern: [UInt8]) -> [Field]? {
        let quote = UInt8(ascii: "'")
        var fields: [Field] = []
        var literal: [UInt8] = []
        var isQuoted = false
        var index = 0
        while index < pattern.count {
            let byte = pattern[index]
            if byte == quote {
                if index + 1 < pattern.count, pattern[index + 1] == quote {
                    literal.append(quote)
                    index += 1
                } else {
                    isQuoted.toggle()
                }
                index += 1
            } else if !isQuoted, byte.isLetter {
                if !literal.isEmpty { fields.append(.literal(literal)) }
                literal = []
                let count = pattern[index...].prefix { $0 == byte }.count
                fields.append(.letters(byte, count))
                index += count
            } else {
                literal.append(byte)
                index += 1
            }
        }
        if !literal.isEmpty { fields.append(.literal(literal)) }
        return isQuoted ? nil : fields
    }

    private static func part(_ field: Field, _ next: Field) -> Part? {
        guard case .letters(let letter, let count) = field else {
            if case .literal(let bytes) = field { return .literal(bytes) }
            return nil
        }
        let digits = next.isNumber ? count : nil
        switch Unicode.Scalar(letter) {
        case "y", "Y": return .year(letters: count, digits: digits)
        case "M", "L": return count < 3 ? .number(digits: digits) : .words(months + months.map { String($0.prefix(3)) })
        case "d", "D", "F", "w", "W", "H", "k", "K", "h", "m", "s", "S", "u": return .number(digits: digits)
        case "E": return .words(days + days.map { String($0.prefix(3)) })
        case "a": return .words(["AM", "PM"])
        case "G": return .words(["BC", "AD"])
        case "z": return .generalZone
        case "Z": return .offset
        case "X": return count <= 3 ? .isoOffset(letters: count) : nil
        default: return nil
        }
    }

    /// Whether the text begins with a date.
    func canParse(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = text
        return parts.allSatisfy { Self.skip($0, &rest) }
    }

    private static func skip(_ part: Part, _ rest: inout ArraySlice<UInt8>) -> Bool {
        switch part {
        case .literal(let bytes):
            guard rest.starts(with: bytes) else { return false }
            rest = rest.dropFirst(bytes.count)
            return true
        case .number(let digits), .year(_, let digits):
            skipBlanks(&rest)
            let count = rest.prefix(digits ?? rest.count, while: { $0.isDigit })
            rest = rest.dropFirst(count)
            return count > 0
        case .words(let words):
            skipBlanks(&rest)
            // The longest first: "March" begins with "Mar".
            guard let word = words.sorted(by: { $0.utf8.count > $1.utf8.count }).first(where: { rest.hasPrefix($0) })
            else { return false }
            rest = rest.dropFirst(word.utf8.count)
            return true
        case .generalZone, .offset:
            skipBlanks(&rest)
            return skipZone(&rest)
        case .isoOffset(let letters):
            skipBlanks(&rest)
            return skipISOOffset(letters, &rest)
        }
    }

    private static func skipBlanks(_ rest: inout ArraySlice<UInt8>) {
        rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }

    /// Skips a zone: "+0100", "GMT+1:00" or a name.
    private static func skipZone(_ rest: inout ArraySlice<UInt8>) -> Bool {
        var after = rest
        if after.hasPrefix("GMT") {
            after = after.dropFirst(3)
            rest = after
            guard let sign = after.first, sign.isSign else { return true }
            after = after.dropFirst()
            let hours = after.prefix(2, while: { $0.isDigit })
            after = after.dropFirst(hours)
            guard hours > 0, after.first == UInt8(ascii: ":") else { return true }
            after = after.dropFirst()
            guard after.prefix(2, while: { $0.isDigit }) == 2 else { return true }
            rest = after.dropFirst(2)
            return true
        }
        if let sign = after.first, sign.isSign {
            after = after.dropFirst()
            guard after.prefix(4, while: { $0.isDigit }) == 4 else { return false }
            rest = after.dropFirst(4)
            return true
        }
        guard let zone = zones.first(where: { rest.hasPrefix($0) }) else { return false }
        rest = rest.dropFirst(zone.utf8.count)
        return true
    }

    /// Skips an ISO offset: "Z", "+01" (one letter), "+0100" (two), "+01:00" (three).
    private static func skipISOOffset(_ letters: Int, _ rest: inout ArraySlice<UInt8>) -> Bool {
        guard let first = rest.first else { return false }
        rest = rest.dropFirst()
        if first == UInt8(ascii: "Z") { return true }
        guard first.isSign, rest.prefix(2, while: { $0.isDigit }) == 2 else { return false }
        rest = rest.dropFirst(2)
        guard letters > 1 else { return true }
        if letters == 3 {
            guard rest.first == UInt8(ascii: ":") else { return false }
            rest = rest.dropFirst()
        }
        guard rest.prefix(2, while: { $0.isDigit }) == 2 else { return false }
        rest = rest.dropFirst(2)
        return true
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
    fileprivate var isSign: Bool { self == UInt8(ascii: "+") || self == UInt8(ascii: "-") }
    fileprivate var isLetter: Bool {
        self | 0x20 >= UInt8(ascii: "a") && self | 0x20 <= UInt8(ascii: "z")
    }
    fileprivate var lowered: UInt8 { isLetter ? self | 0x20 : self }
}

extension ArraySlice<UInt8> {
    /// The number of leading bytes that fit, at most `count`.
    fileprivate func prefix(_ count: Int, while fits: (UInt8) -> Bool) -> Int {
        prefix(count).prefix(while: fits).count
    }

    /// Whether the text begins with a word, in any letter case.
    fileprivate func hasPrefix(_ word: String) -> Bool {
        let start = prefix(word.utf8.count)
        return start.count == word.utf8.count && zip(start, word.utf8).allSatisfy { $0.lowered == $1.lowered }
    }
}
