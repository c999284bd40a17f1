/// Parsing, as lenient as Java: month 13 is the next January, numbers may have any number of digits, and text after the
/// date is ignored.
extension SimpleDateText {
    private static let months = withShortNames(EnglishNames.months)
    private static let days = withShortNames(EnglishNames.days)
    private static let zones = [
        "UTC", "GMT", "UT", "EST", "EDT", "CST", "CDT", "MST", "MDT", "PST", "PDT", "CET", "CEST", "EET", "EEST", "WET",
        "WEST", "BST", "IST", "JST", "MSK", "HST", "AKST", "AKDT", "AEST", "AEDT", "NZST", "NZDT",
    ]

    /// Names with their first three letters, longest first, because "March" starts with "Mar".
    private static func withShortNames(_ names: [String]) -> [String] {
        (names + names.map { String($0.prefix(3)) }).sorted { $0.utf8.count > $1.utf8.count }
    }

    /// Whether the text starts with a date.
    public func canRead(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = text
        for (index, part) in parts.enumerated() {
            let isBeforeNumber = index + 1 < parts.count && Self.isNumber(parts[index + 1])
            guard Self.skip(part, isBeforeNumber, &rest) else { return false }
        }
        return true
    }

    private static func isNumber(_ part: Part) -> Bool {
        switch part {
        case .letters(UInt8(ascii: "M"), let count): count < 3
        case .letters(let letter, _): "yYdDFwWHkKhmsSu".utf8.contains(letter)
        case .literal: false
        }
    }

    /// - Parameter isBeforeNumber: whether a number follows directly, so that this one has as many digits as letters.
    private static func skip(_ part: Part, _ isBeforeNumber: Bool, _ rest: inout ArraySlice<UInt8>) -> Bool {
        guard case .letters(let letter, let count) = part else {
            guard case .literal(let text) = part, rest.starts(with: text) else { return false }
            rest = rest.dropFirst(text.count)
            return true
        }
        rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        switch letter {
        case UInt8(ascii: "M") where count >= 3, UInt8(ascii: "L") where count >= 3:
            return skip(oneOf: months, &rest)
        case UInt8(ascii: "E"): return skip(oneOf: days, &rest)
        case UInt8(ascii: "a"): return skip(oneOf: ["AM", "PM"], &rest)
        case UInt8(ascii: "G"): return skip(oneOf: ["BC", "AD"], &rest)
        case UInt8(ascii: "z"), UInt8(ascii: "Z"): return skipZone(&rest)
        case UInt8(ascii: "X"): return skipISOOffset(count, &rest)
        default:
            let digits = rest.prefix(isBeforeNumber ? count : rest.count, while: { $0.isDigit })
            rest = rest.dropFirst(digits)
            return digits > 0
        }
    }

    private static func skip(oneOf words: [String], _ rest: inout ArraySlice<UInt8>) -> Bool {
        guard let word = words.first(where: { rest.hasPrefix($0) }) else { return false }
        rest = rest.dropFirst(word.utf8.count)
        return true
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
        return skip(oneOf: zones, &rest)
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
    fileprivate var lowered: UInt8 {
        let lower = self | 0x20
        return lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z") ? lower : self
    }
}

extension ArraySlice<UInt8> {
    /// The number of leading bytes that fit, at most `count`.
    fileprivate func prefix(_ count: Int, while fits: (UInt8) -> Bool) -> Int {
        prefix(count).prefix(while: fits).count
    }

    /// Whether the text starts with a word, in any case.
    fileprivate func hasPrefix(_ word: String) -> Bool {
        let start = prefix(word.utf8.count)
        return start.count == word.utf8.count && zip(start, word.utf8).allSatisfy { $0.lowered == $1.lowered }
    }
}
