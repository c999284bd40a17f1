/// The error message that Jackson, WireMock's JSON parser, has for an invalid text. Clients and tests know these
/// sentences.
package struct JacksonComplaint: Error, Sendable, Hashable {
    /// The sentence without the place, such as `Unrecognized token 'x': was expecting (JSON String, …)`.
    package let sentence: String
    /// The keys and indices of the open objects and arrays, the outermost first. In a text that breaks off or has a bad
    /// escape, the key of the current value is included.
    package let path: [String]
    /// The text and place that Jackson appends; nil for an empty text, which has none.
    package let place: String?

    package var message: String { sentence + (place.map { "\n at " + $0 } ?? "") }

    /// Finds the first error in a text. Nil if Jackson finds none, which includes errors after the first value.
    /// - Parameter isDocument: whether the text is read into WireMock's classes rather than as plain JSON; then one
    ///   sentence is shorter.
    package init?(_ bytes: [UInt8], isDocument: Bool = false) {
        var scan = JacksonScan(String(decoding: bytes, as: UTF8.self), isDocument: isDocument)
        do throws(JacksonComplaint) {
            try scan.document()
            return nil
        } catch {
            self = error
        }
    }

    init(sentence: String, path: [String] = [], place: String? = nil) {
        self.sentence = sentence
        self.path = path
        self.place = place
    }
}

/// Reads a text in Jackson's order, only to find its first error.
struct JacksonScan {
    private let text: [Unicode.Scalar]
    private var index = 0
    private var open: [Container] = []
    private let isDocument: Bool

    /// An object or array that has begun.
    private struct Container {
        let isObject: Bool
        let start: Int
        /// The key or index of the value being read.
        var token = ""
        var count = 0

        var name: String { isObject ? "Object" : "Array" }
    }

    private static let deepest = 1_000
    /// The most characters of a word that Jackson repeats.
    private static let longestWord = 256
    private static let values = "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')"

    init(_ text: String, isDocument: Bool) {
        self.text = Array(text.unicodeScalars)
        self.isDocument = isDocument
    }

    private var current: Unicode.Scalar? { index < text.count ? text[index] : nil }

    mutating func document() throws(JacksonComplaint) {
        try skipBlanks()
        guard current != nil else { throw JacksonComplaint(sentence: "No content to map due to end-of-input") }
        try value()
        while let container = open.last {
            // Jackson's limit on nesting, for which it has another message.
            if open.count > Self.deepest { return }
            try skipBlanks()
            if container.isObject { try member(container) } else { try element(container) }
        }
    }

    // MARK: Containers

    /// Reads a member, or the end of the object.
    /// - Throws: Jackson's complaint about either.
    private mutating func member(_ container: Container) throws(JacksonComplaint) {
        if try closes(container, UInt32(UInt8(ascii: "}")), other: UInt32(UInt8(ascii: "]"))) { return }
        if container.count > 0 {
            guard current == "," else { throw unexpected("was expecting comma to separate Object entries") }
            index += 1
            try skipBlanks()
            if current == nil { throw ended(" within/between Object entries") }
        }
        guard current == "\"" || current == "'" else {
            throw unexpected("was expecting double-quote to start field name")
        }
        let name = try string(isName: true)
        open[open.count - 1].token = name
        open[open.count - 1].count += 1
        try skipBlanks()
        guard current != nil else { throw ended(" within/between Object entries") }
        guard current == ":" else { throw unexpected("was expecting a colon to separate field name and value") }
        index += 1
        try skipBlanks()
        guard current != nil else { throw ended(" within/between Object entries") }
        try value()
    }

    /// Reads an element, or the end of the array.
    /// - Throws: Jackson's complaint about either.
    private mutating func element(_ container: Container) throws(JacksonComplaint) {
        if try closes(container, UInt32(UInt8(ascii: "]")), other: UInt32(UInt8(ascii: "}"))) { return }
        if container.count > 0 {
            guard current == "," else { throw unexpected("was expecting comma to separate Array entries") }
            index += 1
            try skipBlanks()
            if current == nil { throw ended(" within/between Array entries") }
        }
        open[open.count - 1].token = String(container.count)
        open[open.count - 1].count += 1
        try value()
    }

    /// Steps over the end of the innermost container, and returns whether it was there.
    /// - Throws: where the other kind of bracket stands.
    private mutating func closes(
        _ container: Container, _ end: UInt32, other: UInt32
    ) throws(JacksonComplaint) -> Bool {
        let start = source(container.start)
        guard let current else {
            throw ended(": expected close marker for \(container.name) (start marker at \(start))")
        }
        if current.value == other {
            let sentence = "Unexpected close marker '\(current)': expected '\(Unicode.Scalar(end) ?? "}")' "
            throw complaint(sentence + "(for \(container.name) starting at \(start))", at: index)
        }
        guard current.value == end else { return false }
        index += 1
        open.removeLast()
        return true
    }

    private mutating func begin(isObject: Bool) {
        open.append(Container(isObject: isObject, start: index))
        index += 1
    }

    // MARK: Values

    private mutating func value() throws(JacksonComplaint) {
        guard let scalar = current else { return }
        switch scalar {
        case "{": begin(isObject: true)
        case "[": begin(isObject: false)
        case "\"", "'": _ = try string(isName: false)
        case "0"..."9", "-": try number()
        case "+":
            index += 1
            throw unexpected(
                "JSON spec does not allow numbers to have plus signs: enable "
                    + "`JsonReadFeature.ALLOW_LEADING_PLUS_SIGN_FOR_NUMBERS` to allow", in: " in numeric value",
                about: scalar)
        case "}" where isDocument && open.last?.isObject == true: throw unexpected("expected a value")
        case "}" where open.isEmpty, "]" where open.isEmpty:
            let name = scalar == "}" ? "Object" : "Array"
            throw complaint("Unexpected close marker '\(scalar)': no open \(name) to close", at: index)
        case _ where Self.isWord(scalar): try word()
        default: throw unexpected("expected a valid value \(Self.values)")
        }
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType == .decimal || scalar == "_" || scalar == "$"
    }

    private mutating func word() throws(JacksonComplaint) {
        let start = index
        while index - start <= Self.longestWord, let scalar = current, Self.isWord(scalar) { index += 1 }
        var word = text[start..<index].prefix(Self.longestWord).reduce(into: "") { $0.unicodeScalars.append($1) }
        if index - start > Self.longestWord {
            word += "..."
            index = start + Self.longestWord
        }
        switch word {
        case "true", "false", "null": return
        case "NaN", "Infinity": throw nonStandard(word)
        default: throw complaint("Unrecognized token '\(word)': was expecting \(Self.values)", at: index)
        }
    }

    private func nonStandard(_ word: String) -> JacksonComplaint {
        complaint(
            "Non-standard token '\(word)': enable `JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS` to allow", at: index)
    }

    private mutating func number() throws(JacksonComplaint) {
        let isNegative = current == "-"
        if isNegative {
            index += 1
            guard let scalar = current else { throw ended("No digit following sign") }
            if scalar == "I" {
                let word = text[index...].prefix(8).reduce(into: "-") { $0.unicodeScalars.append($1) }
                if word == "-Infinity" {
                    index += 8
                    throw nonStandard(word)
                }
            }
            guard Self.isDigit(scalar) else {
                throw unexpected(
                    "expected digit (0-9) to follow minus sign, for valid numeric value", in: " in numeric value")
            }
        }
        let isZero = current == "0"
        index += 1
        if isZero, let next = current, Self.isDigit(next) {
            throw complaint("Invalid numeric value: Leading zeroes not allowed", at: index)
        }
        skipDigits()
        if current == "." {
            index += 1
            guard let next = current, Self.isDigit(next) else {
                let found = current ?? "."
                index -= 1
                throw unexpected("Decimal point not followed by a digit", in: " in numeric value", about: found)
            }
            skipDigits()
        }
        if current == "e" || current == "E" {
            index += 1
            if current == "+" || current == "-" { index += 1 }
            guard let next = current else { throw ended("expected a digit for number exponent") }
            guard Self.isDigit(next) else {
                index -= 1
                throw unexpected("Exponent indicator not followed by a digit", in: " in numeric value", about: next)
            }
            skipDigits()
        }
        if open.isEmpty, let next = current, next.value > 0x20 {
            throw unexpected("Expected space separating root-level values")
        }
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
        ("0"..."9").contains(scalar)
    }

    private mutating func skipDigits() {
        while let scalar = current, Self.isDigit(scalar) { index += 1 }
    }

    // MARK: Strings

    private mutating func string(isName: Bool) throws(JacksonComplaint) -> String {
        let quote = text[index]
        index += 1
        var content = ""
        while let scalar = current {
            if scalar == quote {
                index += 1
                return content
            }
            if scalar == "\\" {
                try escape(isName)
                continue
            }
            if scalar.value < 0x20 {
                let code = "(CTRL-CHAR, code \(scalar.value))"
                let kind = isName ? "name" : "string value"
                throw complaint(
                    "Illegal unquoted character (\(code)): has to be escaped using backslash to be included in \(kind)",
                    at: index, withinText: !isName)
            }
            content.unicodeScalars.append(scalar)
            index += 1
        }
        throw ended(
            isName ? " in field name" : ": was expecting closing quote for a string value", withinText: !isName)
    }

    private mutating func escape(_ isName: Bool) throws(JacksonComplaint) {
        index += 1
        guard let letter = current else { throw ended(" in character escape sequence", withinText: !isName) }
        switch letter {
        case "\"", "\\", "/", "'", "b", "f", "n", "r", "t": index += 1
        case "u":
            index += 1
            for _ in 0..<4 {
                guard let digit = current else { throw ended(" in character escape sequence", withinText: !isName) }
                guard digit.properties.isASCIIHexDigit else {
                    throw unexpected(
                        "expected a hex-digit for character escape sequence", withinText: !isName)
                }
                index += 1
            }
        default:
            let code = Self.code(of: letter)
            throw complaint("Unrecognized character escape \(code)", at: index, withinText: !isName)
        }
    }

    // MARK: Blanks

    private mutating func skipBlanks() throws(JacksonComplaint) {
        while let scalar = current {
            switch scalar {
            case " ", "\t", "\n", "\r": index += 1
            case "/": try comment()
            case _ where scalar.value < 0x20:
                index += 1
                throw complaint(
                    "Illegal character ((CTRL-CHAR, code \(scalar.value))): only regular white space (\\r, \\n, \\t) is "
                        + "allowed between tokens", at: index)
            default: return
            }
        }
    }

    private mutating func comment() throws(JacksonComplaint) {
        index += 1
        switch current {
        case "/": while let scalar = current, scalar != "\n", scalar != "\r" { index += 1 }
        case "*":
            index += 1
            while let scalar = current {
                index += 1
                if scalar == "*", current == "/" {
                    index += 1
                    return
                }
            }
            throw ended(" in a comment")
        case nil: throw ended(" in a comment")
        default: throw unexpected("was expecting either '*' or '/' for a comment")
        }
    }

    // MARK: Words

    /// Makes a complaint about the text at `place`.
    /// - Parameter withinText: whether the value itself is being read, so that its key belongs to the path.
    private func complaint(_ sentence: String, at place: Int, withinText: Bool = false) -> JacksonComplaint {
        let containers = withinText ? open[...] : open.dropLast()
        return JacksonComplaint(sentence: sentence, path: containers.map(\.token), place: source(place))
    }

    private func ended(_ words: String, withinText: Bool = false) -> JacksonComplaint {
        complaint("Unexpected end-of-input" + words, at: text.count, withinText: withinText)
    }

    private func unexpected(
        _ words: String, in part: String = "", about scalar: Unicode.Scalar? = nil, withinText: Bool = false
    ) -> JacksonComplaint {
        guard let found = scalar ?? current else { return ended(": " + words, withinText: withinText) }
        return complaint(
            "Unexpected character (\(Self.code(of: found)))\(part): \(words)", at: index, withinText: withinText)
    }

    /// A character in Jackson's words: `'b' (code 98)`. Java sees one half of a surrogate pair.
    private static func code(of scalar: Unicode.Scalar) -> String {
        if scalar.properties.generalCategory == .control { return "(CTRL-CHAR, code \(scalar.value))" }
        let unit = String(Character(scalar)).utf16.first.map(UInt32.init) ?? scalar.value
        let shown = unit == scalar.value ? String(Character(scalar)) : "?"
        return "'\(shown)' (code \(unit)" + (unit > 255 ? " / 0x" + String(unit, radix: 16) : "") + ")"
    }

    /// The position in Jackson's words. Columns count Java's characters (UTF-16).
    private func source(_ place: Int) -> String {
        var line = 1
        var column = 1
        var previous: Unicode.Scalar = " "
        for scalar in text.prefix(place) {
            if scalar == "\n", previous == "\r" {
                previous = scalar
                continue
            }
            if scalar == "\n" || scalar == "\r" {
                line += 1
                column = 1
            } else {
                column += scalar.value > 0xffff ? 2 : 1
            }
            previous = scalar
        }
        return "[Source: (String)\(quotedText); line: \(line), column: \(column)]"
    }

    /// The most characters of the text that Jackson repeats.
    private static let mostShown = 500

    private var quotedText: String {
        var shown = ""
        for scalar in text.prefix(Self.mostShown) {
            let isControl = scalar.properties.generalCategory == .control && scalar != "\n" && scalar != "\r"
            if isControl {
                let hex = String(scalar.value, radix: 16, uppercase: true)
                shown += "\\u" + String(repeating: "0", count: 4 - hex.utf8.count) + hex
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
        let rest = text.count - Self.mostShown
        return "\"\(shown)\"" + (rest > 0 ? "[truncated \(rest) chars]" : "")
    }
}
