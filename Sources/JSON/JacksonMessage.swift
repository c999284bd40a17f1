/// What Jackson, WireMock's reader of JSON, says of a text that it cannot read: clients and their tests look for its words.
///
/// Reads the text anew, so it is for errors only.
public struct JacksonMessage: Sendable, Hashable {
    /// The sentence, such as "Unexpected character ('b' (code 98)): was expecting double-quote to start field name".
    public let sentence: String
    /// Where Jackson stood: from 1, columns in UTF-16 units. Often one beyond the mistake.
    public let line: Int
    public let column: Int
    /// The beginning of the text as Jackson shows it; nil for a text without any value, of which it shows nothing.
    public let source: String?

    /// Nil where Jackson finds nothing wrong: it does not look behind the first value.
    public init?(_ bytes: some Sequence<UInt8>) {
        var reader = JacksonReader(String(decoding: Array(bytes), as: UTF8.self))
        do throws(JacksonReader.Failure) {
            try reader.document()
            return nil
        } catch {
            sentence = error.sentence
            (line, column) = reader.place(error.offset)
            source = error.showsSource ? reader.source : nil
        }
    }
}

extension JacksonMessage: CustomStringConvertible {
    /// The sentence with source and place, as exceptions of Jackson have it.
    public var description: String {
        source.map { "\(sentence)\n at [\($0); line: \(line), column: \(column)]" } ?? sentence
    }
}

/// Walks through a text in the order of Jackson's parser, and keeps nothing but where containers began.
private struct JacksonReader {
    struct Failure: Error {
        let sentence: String
        /// In UTF-16 units, from 0.
        let offset: Int
        var showsSource = true
    }

    private struct Container {
        let isObject: Bool
        let offset: Int
    }

    private let text: [UInt16]
    private var index = 0
    private var open: [Container] = []

    private static let tokens = "JSON String, Number, Array, Object or token 'null', 'true' or 'false'"
    /// Jackson's limit on nesting; deeper texts are another error, in words of ours.
    private static let deepest = 1_000
    private static let longestToken = 256
    private static let longestSource = 500

    init(_ text: String) {
        self.text = Array(text.utf16)
    }

    // MARK: - Places

    func place(_ offset: Int) -> (line: Int, column: Int) {
        var line = 1
        var start = 0
        // A line end within a string does not begin a line: no string with one in it is read to its end.
        for place in 0..<min(offset, text.count) {
            if text[place] == 0x0A || (text[place] == 0x0D && text.dropFirst(place + 1).first != 0x0A) {
                line += 1
                start = place + 1
            }
        }
        return (line, offset - start + 1)
    }

    var source: String {
        var shown = ""
        for unit in String(decoding: text.prefix(Self.longestSource), as: UTF16.self).unicodeScalars {
            let isControl = unit.value < 0x20 || (0x7F...0x9F).contains(unit.value)
            if isControl, unit != "\n", unit != "\r" {
                let digits = String(unit.value, radix: 16, uppercase: true)
                shown += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else {
                shown.unicodeScalars.append(unit)
            }
        }
        let rest = text.count - Self.longestSource
        return "Source: (String)\"\(shown)\"" + (rest > 0 ? "[truncated \(rest) chars]" : "")
    }

    private func shownPlace(_ offset: Int) -> String {
        let (line, column) = place(offset)
        return "[\(source); line: \(line), column: \(column)]"
    }

    // MARK: - Failures

    private func unexpected(_ expectation: String, at offset: Int, shift: Int = 0) -> Failure {
        Failure(
            sentence: "Unexpected character (\(described(text[offset]))): \(expectation)", offset: offset + shift)
    }

    private func inNumber(_ expectation: String, at offset: Int, shift: Int = 0) -> Failure {
        Failure(
            sentence: "Unexpected character (\(described(text[offset]))) in numeric value: \(expectation)",
            offset: offset + shift)
    }

    private func ended(_ where: String) -> Failure {
        Failure(sentence: "Unexpected end-of-input" + `where`, offset: text.count)
    }

    private func described(_ unit: UInt16) -> String {
        if unit < 0x20 || (0x7F...0x9F).contains(unit) { return "(CTRL-CHAR, code \(unit))" }
        // One half of a character: Java looks at characters by halves, and prints such a one as a question mark.
        let shown = UTF16.isSurrogate(unit) ? "?" : String(decoding: [unit], as: UTF16.self)
        let hex = unit > 255 ? " / 0x" + String(unit, radix: 16) : ""
        return "'\(shown)' (code \(unit)\(hex))"
    }

    private var current: UInt16? { index < text.count ? text[index] : nil }

    private func isCurrent(_ character: Unicode.Scalar) -> Bool { current == UInt16(character.value) }

    // MARK: - Reading

    mutating func document() throws(Failure) {
        try skipBlanks()
        guard current != nil else {
            throw Failure(sentence: "No content to map due to end-of-input", offset: text.count, showsSource: false)
        }
        repeat { try step() } while !open.isEmpty
    }

    /// One value or the begin of one, with all containers that end behind it.
    private mutating func step() throws(Failure) {
        try value()
        while let container = open.last {
            try skipBlanks()
            guard let unit = current else {
                let kind = container.isObject ? "Object" : "Array"
                throw ended(": expected close marker for \(kind) (start marker at \(shownPlace(container.offset)))")
            }
            if try closes(unit) { continue }
            guard !isAtStart(container) else {
                if container.isObject { try name() }
                return
            }
            guard unit == UInt16(UInt8(ascii: ",")) else {
                throw unexpected(
                    "was expecting comma to separate \(container.isObject ? "Object" : "Array") entries", at: index)
            }
            index += 1
            try skipBlanks()
            guard current != nil else { throw endedBetween(container) }
            if container.isObject { try name() }
            return
        }
    }

    private func endedBetween(_ container: Container) -> Failure {
        ended(" within/between \(container.isObject ? "Object" : "Array") entries")
    }

    /// Whether nothing but blanks and comments stands behind the opening bracket.
    private func isAtStart(_ container: Container) -> Bool { firstInside == container.offset }
    private var firstInside = -1

    private mutating func closes(_ unit: UInt16) throws(Failure) -> Bool {
        let isBrace = unit == UInt16(UInt8(ascii: "}"))
        guard isBrace || unit == UInt16(UInt8(ascii: "]")) else { return false }
        let mark = isBrace ? "}" : "]"
        guard let container = open.last else {
            throw Failure(
                sentence: "Unexpected close marker '\(mark)': no open \(isBrace ? "Object" : "Array") to close",
                offset: index)
        }
        guard container.isObject == isBrace else {
            let (kind, other) = container.isObject ? ("Object", "}") : ("Array", "]")
            throw Failure(
                sentence: "Unexpected close marker '\(mark)': expected '\(other)' (for \(kind) starting at "
                    + shownPlace(container.offset) + ")",
                offset: index)
        }
        open.removeLast()
        firstInside = -1
        index += 1
        return true
    }

    /// A member's name and the colon behind it.
    private mutating func name() throws(Failure) {
        guard isCurrent("\"") || isCurrent("'") else {
            throw unexpected("was expecting double-quote to start field name", at: index)
        }
        try string(isName: true)
        try skipBlanks()
        guard current != nil else { throw ended(" within/between Object entries") }
        guard isCurrent(":") else {
            throw unexpected("was expecting a colon to separate field name and value", at: index)
        }
        index += 1
        try skipBlanks()
        guard current != nil else { throw ended(" within/between Object entries") }
    }

    private mutating func value() throws(Failure) {
        firstInside = -1
        guard let unit = current else { return }
        switch UInt8(truncatingIfNeeded: unit < 0x80 ? unit : 0) {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard open.count < Self.deepest else { return open.removeAll() }
            open.append(Container(isObject: unit == UInt16(UInt8(ascii: "{")), offset: index))
            firstInside = index
            index += 1
        case UInt8(ascii: "\""), UInt8(ascii: "'"): try string(isName: false)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
        case UInt8(ascii: "+"):
            throw inNumber(
                "JSON spec does not allow numbers to have plus signs: enable "
                    + "`JsonReadFeature.ALLOW_LEADING_PLUS_SIGN_FOR_NUMBERS` to allow", at: index, shift: 1)
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            if open.isEmpty { _ = try closes(unit) }
            throw notAValue()
        default: try word()
        }
    }

    private func notAValue() -> Failure { unexpected("expected a valid value (\(Self.tokens))", at: index) }

    private mutating func word() throws(Failure) {
        let start = index
        while let unit = current, Self.isPartOfWord(unit) { index += 1 }
        let word = String(decoding: text[start..<index], as: UTF16.self)
        if ["true", "false", "null"].contains(word) { return }
        guard let first = word.utf16.first, first > 0x39 || first == 0x24 else {
            index = start
            throw notAValue()
        }
        if ["NaN", "Infinity", "INF"].contains(word) {
            throw Failure(
                sentence: "Non-standard token '\(word)': enable `JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS` to allow",
                offset: index)
        }
        let isLong = index - start > Self.longestToken
        let end = isLong ? start + Self.longestToken : index
        let shown = String(decoding: text[start..<end], as: UTF16.self) + (isLong ? "..." : "")
        throw Failure(sentence: "Unrecognized token '\(shown)': was expecting (\(Self.tokens))", offset: end)
    }

    /// As `Character.isJavaIdentifierPart` has it for the letters that people write.
    private static func isPartOfWord(_ unit: UInt16) -> Bool {
        guard let scalar = Unicode.Scalar(unit) else { return false }
        return scalar == "$" || scalar == "_" || scalar.properties.isAlphabetic
            || (0x30...0x39).contains(unit)
    }

    private mutating func number() throws(Failure) {
        let start = index
        if isCurrent("-") {
            index += 1
            guard let unit = current else { throw ended("No digit following sign") }
            guard Self.isDigit(unit) else {
                throw inNumber("expected digit (0-9) to follow minus sign, for valid numeric value", at: index)
            }
        }
        let digits = index
        skipDigits()
        if text[digits] == 0x30, index > digits + 1 {
            throw Failure(sentence: "Invalid numeric value: Leading zeroes not allowed", offset: digits + 1)
        }
        if isCurrent(".") {
            index += 1
            guard let unit = current else {
                throw inNumber("Decimal point not followed by a digit", at: index - 1)
            }
            guard Self.isDigit(unit) else {
                throw inNumber("Decimal point not followed by a digit", at: index, shift: -1)
            }
            skipDigits()
        }
        if isCurrent("e") || isCurrent("E") {
            index += 1
            if isCurrent("+") || isCurrent("-") { index += 1 }
            guard let unit = current else { throw ended("expected a digit for number exponent") }
            guard Self.isDigit(unit) else {
                throw inNumber("Exponent indicator not followed by a digit", at: index, shift: -1)
            }
            skipDigits()
        }
        guard open.isEmpty, index > start, let unit = current, unit != 0x20, unit != 0x09, unit != 0x0A, unit != 0x0D
        else { return }
        throw unexpected("Expected space separating root-level values", at: index)
    }

    private mutating func skipDigits() {
        while let unit = current, Self.isDigit(unit) { index += 1 }
    }

    private static func isDigit(_ unit: UInt16) -> Bool { (0x30...0x39).contains(unit) }

    private mutating func string(isName: Bool) throws(Failure) {
        let quote = text[index]
        index += 1
        while let unit = current {
            if unit == quote {
                index += 1
                return
            }
            if unit == UInt16(UInt8(ascii: "\\")) {
                try escape()
            } else if unit < 0x20 {
                throw Failure(
                    sentence: "Illegal unquoted character (\(described(unit))): has to be escaped using backslash to "
                        + "be included in \(isName ? "name" : "string value")", offset: index)
            } else {
                index += 1
            }
        }
        throw ended(isName ? " in field name" : ": was expecting closing quote for a string value")
    }

    private mutating func escape() throws(Failure) {
        index += 1
        guard let letter = current else { throw ended(" in character escape sequence") }
        switch Unicode.Scalar(letter) {
        case "\"", "\\", "/", "b", "f", "n", "r", "t", "'": index += 1
        case "u":
            index += 1
            for _ in 0..<4 {
                guard let unit = current else { throw ended(" in character escape sequence") }
                guard unit < 0x80, Character(Unicode.Scalar(UInt8(unit))).isHexDigit else {
                    throw unexpected("expected a hex-digit for character escape sequence", at: index)
                }
                index += 1
            }
        default:
            throw Failure(sentence: "Unrecognized character escape \(described(letter))", offset: index)
        }
    }

    // MARK: - Blanks

    private mutating func skipBlanks() throws(Failure) {
        while let unit = current {
            switch unit {
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            case UInt16(UInt8(ascii: "/")): try skipComment()
            case 0..<0x20:
                throw Failure(
                    sentence: "Illegal character (\(described(unit))): only regular white space (\\r, \\n, \\t) is "
                        + "allowed between tokens", offset: index + 1)
            default: return
            }
        }
    }

    private mutating func skipComment() throws(Failure) {
        index += 1
        guard let unit = current else { throw ended(" in a comment") }
        switch Unicode.Scalar(unit) {
        case "/":
            while let unit = current, unit != 0x0A, unit != 0x0D { index += 1 }
        case "*":
            index += 1
            while true {
                guard let unit = current else { throw ended(" in a comment") }
                index += 1
                if unit == UInt16(UInt8(ascii: "*")), isCurrent("/") {
                    index += 1
                    return
                }
            }
        default: throw unexpected("was expecting either '*' or '/' for a comment", at: index)
        }
    }
}
