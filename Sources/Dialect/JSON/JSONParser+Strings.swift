extension JSONParser {
    /// Parses a string, starting at its opening quote (RFC 8259, section 7).
    /// - Throws: where a string ends early, contains a control character or invalid UTF-8, or has a bad escape.
    mutating func string(quote: UInt8) throws(Failure) -> String {
        let start = index
        let contentStart = start + 1
        var end = contentStart
        var allBits: UInt8 = 0
        while end < bytes.count {
            let byte = bytes[end]
            if byte == quote {
                index = end + 1
                return try text(contentStart..<end, isASCII: allBits < 0x80)
            }
            if byte == UInt8(ascii: "\\") {
                index = end
                return try escapedString(quote: quote, start: start, allBits)
            }
            guard byte >= 0x20 else { throw unescapedControl(end) }
            allBits |= byte
            end += 1
        }
        throw unterminated(start)
    }

    /// Parses the rest of a string from its first escape, collecting plain text and escapes as bytes.
    /// - Throws: like `string(quote:)`.
    private mutating func escapedString(quote: UInt8, start: Int, _ bitsSoFar: UInt8) throws(Failure) -> String {
        var gathered: [UInt8] = []
        gathered.reserveCapacity(2 * (index - start) + 64)
        gathered.append(contentsOf: bytes[start + 1..<index])
        var allBits = bitsSoFar
        while index < bytes.count {
            let byte = bytes[index]
            if byte == quote {
                // Escapes are ASCII, so they do not change the meaning of the bytes around them.
                if allBits >= 0x80, let bad = Self.firstInvalidOffset(in: bytes, start + 1..<index) {
                    throw invalidUTF8(bad)
                }
                index += 1
                let text = String(decoding: gathered, as: UTF8.self)
                return texts?.shared(text) ?? text
            }
            if byte == UInt8(ascii: "\\") {
                try escape(into: &gathered)
                continue
            }
            guard byte >= 0x20 else { throw unescapedControl(index) }
            allBits |= byte
            gathered.append(byte)
            index += 1
        }
        throw unterminated(start)
    }

    private mutating func escape(into gathered: inout [UInt8]) throws(Failure) {
        let start = index
        index += 1
        guard let letter = current else { throw Failure(offset: index, expected: "an escaped character") }
        index += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): gathered.append(letter)
        case UInt8(ascii: "'") where isLenient: gathered.append(letter)
        case UInt8(ascii: "b"): gathered.append(0x08)
        case UInt8(ascii: "f"): gathered.append(0x0C)
        case UInt8(ascii: "n"): gathered.append(0x0A)
        case UInt8(ascii: "r"): gathered.append(0x0D)
        case UInt8(ascii: "t"): gathered.append(0x09)
        case UInt8(ascii: "u"): gathered.append(contentsOf: String(try unicodeEscape(start)).utf8)
        default:
            throw Failure(offset: start, expected: "one of the escapes \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX")
        }
    }

    /// Parses one `\u` escape, or two that form a surrogate pair. A lone surrogate becomes U+FFFD.
    /// - Throws: where four hexadecimal digits are missing.
    private mutating func unicodeEscape(_ start: Int) throws(Failure) -> Character {
        let first = try fourHexDigits(start)
        if let scalar = Unicode.Scalar(first) { return Character(scalar) }
        guard first < 0xDC00, index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
            bytes[index + 1] == UInt8(ascii: "u")
        else { return "\u{FFFD}" }
        let secondStart = index
        index += 2
        let second = try fourHexDigits(secondStart)
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else {
            // The second escape is a separate character.
            index = secondStart
            return "\u{FFFD}"
        }
        return Character(scalar)
    }

    private mutating func fourHexDigits(_ start: Int) throws(Failure) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            let digit: UInt8
            switch current {
            case .some(let byte) where JSONNumber.isDigit(byte): digit = byte - UInt8(ascii: "0")
            case .some(let byte) where (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20):
                digit = (byte | 0x20) - UInt8(ascii: "a") + 10
            default: throw Failure(offset: start, expected: "four hexadecimal digits after \\u")
            }
            value = value << 4 | UInt32(digit)
            index += 1
        }
        return value
    }

    private mutating func text(_ range: Range<Int>, isASCII: Bool) throws(Failure) -> String {
        if !isASCII, let bad = Self.firstInvalidOffset(in: bytes, range) { throw invalidUTF8(bad) }
        let text = String(decoding: bytes[range], as: UTF8.self)
        return texts?.shared(text) ?? text
    }

    private func invalidUTF8(_ offset: Int) -> Failure {
        Failure(offset: offset, expected: "UTF-8")
    }

    private func unescapedControl(_ offset: Int) -> Failure {
        Failure(offset: offset, expected: "a character or the closing quote")
    }

    private func unterminated(_ start: Int) -> Failure {
        Failure(offset: start, expected: "a string that ends with a quote", found: "one without end")
    }

    static func firstInvalidOffset(in bytes: [UInt8], _ range: Range<Int>) -> Int? {
        var offset = range.lowerBound
        while offset < range.upperBound {
            if bytes[offset] < 0x80 {
                offset += 1
                continue
            }
            guard let length = TextPosition.characterLength(at: offset, in: bytes),
                offset + length <= range.upperBound
            else { return offset }
            offset += length
        }
        return nil
    }
}
