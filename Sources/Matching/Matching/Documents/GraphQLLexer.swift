import SDJSON

/// The reason why a text is not an executable GraphQL document, and the position.
struct GraphQLSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
    let position: TextPosition
    /// A description of what is valid there.
    let expected: String
    /// A description of what was found there.
    let found: String

    var description: String {
        "line \(position.line), column \(position.column): expected \(expected), found \(found)"
    }
}

/// A lexical token of GraphQL (specification of September 2025, section 2.1).
struct GraphQLToken: Sendable {
    enum Kind: Sendable, Hashable {
        /// `{`, `...` and the like.
        case punctuator(String)
        case name(String)
        /// A number as written.
        case int(String)
        case float(String)
        /// The value of a string, with escapes and the indentation of block strings resolved.
        case string(String)
        case end
    }

    var kind: Kind
    /// The offset in bytes.
    var offset: Int

    /// The token as text, for error messages.
    var description: String {
        switch kind {
        case .punctuator(let text), .name(let text), .int(let text), .float(let text): "\"\(text)\""
        case .string: "a string"
        case .end: "the end of the text"
        }
    }
}

/// Splits a GraphQL document into tokens. White space, commas, comments and byte order marks between them are skipped.
struct GraphQLLexer {
    let bytes: [UInt8]
    private var index = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    func error(at offset: Int, expected: String, found: String) -> GraphQLSyntaxError {
        GraphQLSyntaxError(position: TextPosition(offset: offset, in: bytes), expected: expected, found: found)
    }

    mutating func next() throws(GraphQLSyntaxError) -> GraphQLToken {
        skipIgnored()
        let start = index
        guard let byte = peek() else { return GraphQLToken(kind: .end, offset: start) }
        switch byte {
        case UInt8(ascii: "\""): return GraphQLToken(kind: .string(try string()), offset: start)
        case _ where Self.isNameStart(byte):
            let name = text(while: { Self.isNameStart($0) || Self.isDigit($0) })
            return GraphQLToken(kind: .name(name), offset: start)
        case _ where Self.isDigit(byte) || byte == UInt8(ascii: "-"):
            return GraphQLToken(kind: try number(), offset: start)
        case UInt8(ascii: "."):
            guard peek(1) == byte, peek(2) == byte else { break }
            index += 3
            return GraphQLToken(kind: .punctuator("..."), offset: start)
        case _ where "!$&():=@[]{|}".utf8.contains(byte):
            index += 1
            return GraphQLToken(kind: .punctuator(String(Unicode.Scalar(byte))), offset: start)
        default: break
        }
        throw error(at: start, expected: "a name, a value or a punctuator", found: describe(start))
    }

    private func peek(_ distance: Int = 0) -> UInt8? {
        index + distance < bytes.count ? bytes[index + distance] : nil
    }

    private mutating func skipIgnored() {
        while let byte = peek() {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: ","):
                index += 1
            case UInt8(ascii: "#"): _ = text(while: { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") })
            case 0xEF where peek(1) == 0xBB && peek(2) == 0xBF: index += 3
            default: return
            }
        }
    }

    private mutating func text(while belongs: (UInt8) -> Bool) -> String {
        let start = index
        while let byte = peek(), belongs(byte) { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    /// Reads a number (sections 2.9.1 and 2.9.2).
    /// - Throws: if it is malformed.
    private mutating func number() throws(GraphQLSyntaxError) -> GraphQLToken.Kind {
        let start = index
        if peek() == UInt8(ascii: "-") { index += 1 }
        let first = peek()
        try digits()
        if first == UInt8(ascii: "0"), bytes[index - 1] != first || index - start > 2 {
            throw error(at: start, expected: "a number without leading zeros", found: written(from: start))
        }
        var isFloat = false
        if peek() == UInt8(ascii: ".") {
            isFloat = true
            index += 1
            try digits()
        }
        if let byte = peek(), byte | 0x20 == UInt8(ascii: "e") {
            isFloat = true
            index += 1
            if peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") { index += 1 }
            try digits()
        }
        if let byte = peek(), Self.isNameStart(byte) || byte == UInt8(ascii: ".") {
            throw error(at: index, expected: "the end of the number", found: describe(index))
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        return isFloat ? .float(text) : .int(text)
    }

    private func written(from start: Int) -> String {
        "\"" + String(decoding: bytes[start..<index], as: UTF8.self) + "\""
    }

    private mutating func digits() throws(GraphQLSyntaxError) {
        guard let byte = peek(), Self.isDigit(byte) else {
            throw error(at: index, expected: "a digit", found: describe(index))
        }
        while let byte = peek(), Self.isDigit(byte) { index += 1 }
    }

    private mutating func string() throws(GraphQLSyntaxError) -> String {
        let start = index
        let quote = UInt8(ascii: "\"")
        if peek(1) == quote, peek(2) == quote { return try blockString() }
        index += 1
        var value: [UInt8] = []
        while true {
            guard let byte = peek(), byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") else {
                throw error(at: start, expected: "a string that ends with a quote", found: "one that does not")
            }
            if byte == UInt8(ascii: "\\") {
                value.append(contentsOf: String(try escape()).utf8)
                continue
            }
            index += 1
            if byte == quote { return String(decoding: value, as: UTF8.self) }
            value.append(byte)
        }
    }

    private mutating func escape() throws(GraphQLSyntaxError) -> Character {
        let start = index
        index += 1
        let byte = peek()
        index += 1
        switch byte {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): if let scalar = unicodeEscape() { return Character(scalar) }
        default: break
        }
        throw error(
            at: start, expected: "an escape: \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX or \\u{X}",
            found: describe(start + 1))
    }

    /// Reads `\uXXXX`, a surrogate pair of two of these, or `\u{X…}`, after the `u`. Nil if it denotes no character.
    private mutating func unicodeEscape() -> Unicode.Scalar? {
        if peek() == UInt8(ascii: "{") {
            index += 1
            let digits = text(while: { $0 != UInt8(ascii: "}") && $0 != UInt8(ascii: "\"") })
            guard peek() == UInt8(ascii: "}"), let value = Self.hexadecimal(digits) else { return nil }
            index += 1
            return Unicode.Scalar(value)
        }
        guard let first = codeUnit() else { return nil }
        guard first & 0xFC00 == 0xD800 else { return Unicode.Scalar(first) }
        guard peek() == UInt8(ascii: "\\"), peek(1) == UInt8(ascii: "u") else { return nil }
        index += 2
        guard let second = codeUnit(), second & 0xFC00 == 0xDC00 else { return nil }
        return Unicode.Scalar(0x1_0000 + (first & 0x3FF) << 10 + second & 0x3FF)
    }

    private mutating func codeUnit() -> UInt32? {
        guard index + 4 <= bytes.count else { return nil }
        let digits = String(decoding: bytes[index..<index + 4], as: UTF8.self)
        index += 4
        return Self.hexadecimal(digits)
    }

    private static func hexadecimal(_ digits: String) -> UInt32? {
        guard !digits.isEmpty, digits.utf8.first != UInt8(ascii: "+"), digits.utf8.first != UInt8(ascii: "-") else {
            return nil
        }
        return UInt32(digits, radix: 16)
    }

    private mutating func blockString() throws(GraphQLSyntaxError) -> String {
        let start = index
        let quote = UInt8(ascii: "\"")
        index += 3
        var raw: [UInt8] = []
        while let byte = peek() {
            if byte == quote, peek(1) == quote, peek(2) == quote {
                index += 3
                return GraphQLBlockString.value(of: raw)
            }
            if byte == UInt8(ascii: "\\"), peek(1) == quote, peek(2) == quote, peek(3) == quote {
                index += 4
                raw.append(contentsOf: [quote, quote, quote])
            } else {
                index += 1
                raw.append(byte)
            }
        }
        throw error(at: start, expected: "a block string that ends with \"\"\"", found: "one that does not")
    }

    private static func isNameStart(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || (byte | 0x20) &- UInt8(ascii: "a") < 26
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10
    }

    private func describe(_ offset: Int) -> String {
        guard offset < bytes.count else { return "the end of the text" }
        guard let scalar = String(decoding: bytes[offset...].prefix(4), as: UTF8.self).unicodeScalars.first else {
            return "nothing"
        }
        return scalar.properties.isWhitespace || scalar.value < 0x20
            ? "the character U+" + String(scalar.value, radix: 16, uppercase: true) : "\"\(scalar)\""
    }
}
