/// Makes untrusted text safe to print in terminals and CI logs. The only place that knows which characters are
/// invisible, and which start a command for the reader of a job's log.
public enum Printable {
    /// How a character must be treated.
    public enum Meaning: Sendable {
        case plain
        /// It controls the terminal, the text direction or line breaks, or is invisible.
        case hidden
        /// It would start a CI command.
        case command
    }

    /// The text on one line, with unsafe characters as their codes: `\u{3a}:error::`.
    public static func line(_ text: some StringProtocol) -> String { escaped(text, keeping: []) }

    /// The text with its line breaks and tabs, and each line escaped like `line`.
    public static func lines(_ text: String) -> String { escaped(text, keeping: ["\n", "\t"]) }

    /// A JSON document with unsafe characters in its strings escaped.
    public static func json(_ document: String) -> String {
        guard mayNeedCare(document) else { return document }
        var result = ""
        read(document) { scalar, meaning in
            // Outside of strings, JSON has no other ones.
            let isSpace = scalar.value < 0x20
            if meaning == .plain || isSpace { result.unicodeScalars.append(scalar) } else { result += jsonCode(scalar) }
        }
        return result
    }

    /// Calls `body` with each character of a text and its meaning.
    public static func read(_ text: some StringProtocol, _ body: (Unicode.Scalar, Meaning) -> Void) {
        let scalars = text.unicodeScalars
        var last: Unicode.Scalar?
        // GitHub accepts commands after leading white space.
        var beginsLine = true
        var place = scalars.startIndex
        while place < scalars.endIndex {
            let scalar = scalars[place]
            scalars.formIndex(after: &place)
            let rest = scalars[place...]
            let isCommand =
                switch scalar {
                case ":": beginsLine && rest.first == ":"
                case "#": last == "#"
                case "_": last == "n" && isSection(scalars[..<place], rest)
                default: false
                }
            body(scalar, isCommand ? .command : isHidden(scalar) ? .hidden : .plain)
            if isLineEnd(scalar) {
                beginsLine = true
            } else if !scalar.properties.isWhitespace {
                beginsLine = false
            }
            last = scalar
        }
    }

    /// The escape of a character in JSON.
    public static func jsonCode(_ scalar: Unicode.Scalar) -> String {
        String(scalar).utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }

    /// Whether a character is invisible: controls, format characters (direction, joiners, tags), other
    /// default-ignorable characters, and line separators. Emoji variation selectors, as in ❤️, are kept.
    public static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x7f else { return scalar.value < 0x20 }
        if (0xfe00...0xfe0f).contains(scalar.value) { return false }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    private static func escaped(_ text: some StringProtocol, keeping kept: [Unicode.Scalar]) -> String {
        guard mayNeedCare(text) else { return String(text) }
        var result = ""
        read(text) { scalar, meaning in
            switch scalar {
            case _ where meaning == .plain || kept.contains(scalar): result.unicodeScalars.append(scalar)
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default: result += "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return result
    }

    /// A fast check whether any character may be unsafe.
    private static func mayNeedCare(_ text: some StringProtocol) -> Bool {
        text.utf8.contains { $0 < 0x20 || $0 >= 0x7f || $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: "_") }
            || text.utf8.drop { $0 == 0x20 }.first == UInt8(ascii: ":")
    }

    private static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool {
        (0x0a...0x0d).contains(scalar.value) || [0x85, 0x2028, 0x2029].contains(scalar.value)
    }

    /// Whether this is `section_start:` or `section_end:`, GitLab's folding commands.
    private static func isSection<Scalars: BidirectionalCollection<Unicode.Scalar>>(
        _ head: Scalars, _ rest: Scalars
    ) -> Bool {
        head.suffix(8).elementsEqual("section_".unicodeScalars)
            && (rest.starts(with: "start:".unicodeScalars) || rest.starts(with: "end:".unicodeScalars))
    }
}
