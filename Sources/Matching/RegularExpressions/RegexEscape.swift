/// The meaning of a backslash and the characters after it.
enum RegexEscape {
    case literal(Unicode.Scalar)
    /// A set of characters, as in a PCRE2 class.
    case set(String)
    /// An atom that consumes characters, not allowed in a class.
    case atom(String)
    /// An assertion, which consumes nothing, not allowed in a class.
    case assertion(String)
    /// `\Q…\E`, with the range of the scalars between.
    case quoted(Range<Int>)
    /// `\1`, with its first digit.
    case backreference(Int)
    /// `\k<`, before its name.
    case namedReference
}

extension RegexScanner {
    /// Reads an escape after the backslash at `start`.
    /// - Throws: where Java rejects it, and for unsupported escapes.
    mutating func readEscape(from start: Int, inClass: Bool) throws(RegexProblem) -> RegexEscape {
        guard let scalar = peek() else {
            throw problem(
                "A lone backslash; write `\\\\` for one", at: start,
                java: .init(inClass ? "Unclosed character class" : "Unexpected internal error", near: position))
        }
        position += 1
        switch scalar {
        case "t": return .literal("\t")
        case "n": return .literal("\n")
        case "r": return .literal("\r")
        case "f": return .literal("\u{C}")
        case "a": return .literal("\u{7}")
        case "e": return .literal("\u{1B}")
        case "0": return .literal(try readOctal(from: start))
        case "x": return .literal(try readHexadecimal(from: start))
        case "u": return .literal(try readUTF16(from: start))
        case "c":
            guard let control = peek(), let value = Unicode.Scalar(control.value ^ 64) else {
                throw problem(
                    "A control character is `\\c` and one character", at: start,
                    java: .init("Illegal control escape sequence", near: position - 1))
            }
            position += 1
            return .literal(value)
        case "d", "D", "h", "H", "s", "S", "v", "V", "w", "W": return .set("\\" + String(scalar))
        case "p", "P": return .set(try readProperty(negated: scalar == "P", from: start))
        case "Q": return .quoted(readQuotation())
        case "R" where !inClass, "X" where !inClass: return .atom("\\" + String(scalar))
        case "b", "B", "A", "G", "z", "Z":
            guard !inClass else { break }
            if scalar == "b", peek() == "{" { throw problem("`\\b{…}` is not supported", at: start) }
            return .assertion("\\" + String(scalar))
        case "1"..."9" where !inClass: return .backreference(Int(scalar.value - 48))
        case "k" where !inClass:
            if accept("<") { return .namedReference }
            throw problem(
                "Illegal or unsupported escape sequence `\\k`; it must be followed by a name in `<>`", at: start,
                java: .init("\\k is not followed by '<' for named capturing group", near: position))
        case "N": throw problem("Illegal or unsupported escape sequence `\\N`", at: start)
        case _ where !scalar.isASCIIAlphanumeric: return .literal(scalar)
        default: break
        }
        throw problem(
            "Illegal or unsupported escape sequence `\\\(scalar)`", at: start,
            java: .init("Illegal/unsupported escape sequence", near: position - 1))
    }

    private mutating func readQuotation() -> Range<Int> {
        let start = position
        while position < scalars.count {
            if peek() == "\\", peek(1) == "E" {
                position += 2
                return start..<(position - 2)
            }
            position += 1
        }
        return start..<position
    }

    /// Reads `\0n`, `\0nn` or `\0mnn`, with m at most 3.
    /// - Throws: without an octal digit.
    private mutating func readOctal(from start: Int) throws(RegexProblem) -> Unicode.Scalar {
        var value: UInt32 = 0
        var digits = 0
        while digits < 3, let digit = peek(), ("0"..."7").contains(digit) {
            let longer = value * 8 + (digit.value - 48)
            guard longer <= 0o377 else { break }
            value = longer
            digits += 1
            position += 1
        }
        guard digits > 0, let scalar = Unicode.Scalar(value) else {
            throw problem(
                "Illegal octal escape sequence; `\\0` requires octal digits", at: start,
                java: .init("Illegal octal escape sequence", near: position))
        }
        return scalar
    }

    /// Reads `\xhh` or `\x{h…h}`.
    /// - Throws: for a missing digit or brace, or a value beyond Unicode.
    private mutating func readHexadecimal(from start: Int) throws(RegexProblem) -> Unicode.Scalar {
        let illegal = "Illegal hexadecimal escape sequence"
        let reason = illegal + "; `\\x` requires two digits or `{…}`"
        let value: UInt32?
        if accept("{") {
            // Java stops at the largest code point; one more digit is an error.
            let digits = position
            value = readHexadecimal(digits: 1...6)
            if value == nil { throw problem(reason, at: start, java: .init(illegal, near: digits - 1)) }
            if let value, value > 0x10ffff || peek().map({ Character($0).isHexDigit }) == true {
                let near = value > 0x10ffff ? position - 1 : position
                throw problem(reason, at: start, java: .init("Hexadecimal codepoint is too big", near: near))
            }
            guard accept("}") else {
                throw problem(
                    "Unclosed hexadecimal escape sequence", at: start,
                    java: .init("Unclosed hexadecimal escape sequence", near: position))
            }
        } else {
            value = readHexadecimal(digits: 2...2)
            if value == nil { throw problem(reason, at: start, java: .init(illegal, near: position)) }
        }
        guard let value, let scalar = Unicode.Scalar(value) else { throw problem(reason, at: start) }
        return scalar
    }

    /// Reads `\uhhhh`, or two of them that form a surrogate pair.
    /// - Throws: for a missing digit.
    private mutating func readUTF16(from start: Int) throws(RegexProblem) -> Unicode.Scalar {
        guard let first = readHexadecimal(digits: 4...4) else {
            throw problem(
                "Illegal Unicode escape sequence; `\\u` requires four digits", at: start,
                java: .init("Illegal Unicode escape sequence", near: position))
        }
        if let scalar = Unicode.Scalar(first) { return scalar }
        if (0xD800..<0xDC00).contains(first), accept("\\"), accept("u"), let second = readHexadecimal(digits: 4...4),
            (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
        {
            return scalar
        }
        throw problem("Half of a surrogate pair", at: start)
    }

    private mutating func readHexadecimal(digits: ClosedRange<Int>) -> UInt32? {
        var value: UInt32 = 0
        var count = 0
        while count < digits.upperBound, let scalar = peek(), let digit = Character(scalar).hexDigitValue {
            value = (value << 4) | UInt32(digit)
            count += 1
            position += 1
        }
        return count < digits.lowerBound ? nil : value
    }
}
