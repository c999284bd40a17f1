import SDBasics

/// Parses the content of a tag.
struct TagReader {
    let bytes: [UInt8]
    var index: Int
    /// The end of the tag's content.
    let end: Int
    /// The nesting depth: blocks around the tag, and sub-expressions.
    var depth = 0
    /// Whether an error about another language's operator suggests a corrected tag.
    var advises = true

    typealias Failure = TemplateError

    func problem(_ message: String, at offset: Int? = nil) -> TemplateError {
        TemplateError(message, at: offset ?? index, in: bytes)
    }

    var isAtEnd: Bool { index >= end }

    var current: UInt8? { index < end ? bytes[index] : nil }

    mutating func skipSpace() {
        while let byte = current, Self.isSpace(byte) { index += 1 }
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    mutating func consume(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        index += 1
        return true
    }

    /// The text at this position, for a message.
    private var found: String {
        guard let byte = current else { return "the end of the tag" }
        let rest = String(decoding: bytes[index..<end], as: UTF8.self)
        return byte == 0x7C ? "`|`" : "`\(rest.prefix { !$0.isWhitespace }.prefix(20))`"
    }

    // MARK: - Expressions

    /// Parses a name or literal with its parameters, up to the end of the tag or a closing parenthesis.
    /// - Parameter isCall: whether a name with parameters must be a helper.
    /// - Throws: `TemplateError` with its position, if there is no expression or no such helper.
    mutating func expression(isCall: Bool = true) throws(TemplateError) -> TemplateExpression {
        skipSpace()
        let offset = index
        guard !isAtEnd, current != UInt8(ascii: ")") else { throw problem("expected a name, found \(found)") }
        let subject = try operand()
        var parameters: [TemplateOperand] = []
        var hash: [(name: String, value: TemplateOperand)] = []
        try readParameters(&parameters, &hash)
        let expression = TemplateExpression(subject: subject, parameters: parameters, hash: hash, offset: offset)
        if isCall, !expression.isBare, expression.helper == nil, case .path(let path) = subject {
            let meant =
                MeantExpression(path.text, parameters.map(\.written), hash.map { ($0.name, $0.value.written) })?.text
                ?? nearestName(to: path.text, among: NamedHelper.names)
            throw problem("there is no helper `\(path.text)`\(didYouMean(meant, in: "`"))", at: offset)
        }
        return expression
    }

    mutating func readParameters(
        _ parameters: inout [TemplateOperand], _ hash: inout [(name: String, value: TemplateOperand)]
    ) throws(TemplateError) {
        while true {
            skipSpace()
            guard let byte = current, byte != UInt8(ascii: ")"), !isAtBlockParameters else { return }
            if let name = hashName() {
                hash.append((name, try operand()))
            } else {
                guard hash.isEmpty else { throw problem("expected `name=value` after other ones, found \(found)") }
                parameters.append(try operand())
            }
        }
    }

    /// Parses `name=` if present. The name may be a path, which is then taken literally.
    private mutating func hashName() -> String? {
        let start = self
        // Skips bytes that cannot start a name, because making an error scans the whole template for its line.
        guard let byte = current, !"('\"".utf8.contains(byte), let path = try? path() else {
            self = start
            return nil
        }
        skipSpace()
        guard consume(UInt8(ascii: "=")) else {
            self = start
            return nil
        }
        skipSpace()
        return path.text
    }

    /// Whether `as |` comes next.
    private var isAtBlockParameters: Bool {
        guard end - index > 3, bytes[index] == UInt8(ascii: "a"), bytes[index + 1] == UInt8(ascii: "s") else {
            return false
        }
        var place = index + 2
        while place < end, Self.isSpace(bytes[place]) { place += 1 }
        return place > index + 2 && place < end && bytes[place] == UInt8(ascii: "|")
    }

    /// Parses `as |a b|` if present.
    /// - Throws: `TemplateError` if the list of names is unterminated, or contains anything else.
    mutating func blockParameters() throws(TemplateError) -> [String] {
        skipSpace()
        guard isAtBlockParameters else { return [] }
        index += 2
        skipSpace()
        index += 1
        var names: [String] = []
        while true {
            skipSpace()
            if consume(UInt8(ascii: "|")) { break }
            let start = index
            while let byte = current, Self.isNamePart(byte) { index += 1 }
            guard index > start else { throw problem("expected a name or `|`, found \(found)") }
            names.append(String(decoding: bytes[start..<index], as: UTF8.self))
        }
        return names
    }

    // MARK: - Operands

    mutating func operand() throws(TemplateError) -> TemplateOperand {
        guard let byte = current else { throw problem("expected a value, found \(found)") }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return .literal(.text(try quoted(byte)))
        case UInt8(ascii: "("):
            guard depth < TemplateParser.deepest else { throw problem(TemplateParser.tooDeep) }
            index += 1
            depth += 1
            let expression = try expression()
            depth -= 1
            skipSpace()
            guard consume(UInt8(ascii: ")")) else { throw problem("expected `)`, found \(found)") }
            return .call(expression)
        default: break
        }
        if let number = number() { return .literal(number) }
        let path = try path()
        switch path.text {
        case "true": return .literal(.bool(true))
        case "false": return .literal(.bool(false))
        default: return .path(path)
        }
    }

    /// The text between quotes. A backslash escapes the same quote, provided that another quote follows and ends the
    /// text; before any other character it is literal.
    /// - Throws: `TemplateError` if the text is unterminated.
    private mutating func quoted(_ quote: UInt8) throws(TemplateError) -> String {
        guard let close = Self.closingQuote(of: bytes, at: index, end: end) else {
            throw problem("expected the end of a text, `\(Character(Unicode.Scalar(quote)))`")
        }
        var text: [UInt8] = []
        // The first and last character are dropped after unescaping, whatever that produced.
        for byte in bytes[index...close] {
            if byte == quote, text.last == UInt8(ascii: "\\") { text.removeLast() }
            text.append(byte)
        }
        index = close + 1
        return text.count < 2 ? "" : String(decoding: text[1..<(text.count - 1)], as: UTF8.self)
    }

    /// The position of the closing quote; nil if there is none.
    static func closingQuote(of bytes: [UInt8], at start: Int, end: Int) -> Int? {
        let quote = bytes[start]
        var place = start + 1
        var last: Int?
        while place < end {
            if bytes[place] == quote {
                if bytes[place - 1] != UInt8(ascii: "\\") || place - 1 == start { return place }
                last = last ?? place
            }
            place += 1
        }
        // No unescaped quote is left: the first escaped one ends the text.
        return last
    }

    private mutating func number() -> TemplateValue? {
        var place = index
        if bytes[place] == UInt8(ascii: "-") { place += 1 }
        let digits = place
        while place < end, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[place]) { place += 1 }
        let hasWhole = place > digits
        guard hasWhole || (place < end && bytes[place] == UInt8(ascii: ".")) else { return nil }
        var isWhole = true
        if place + 1 < end, bytes[place] == UInt8(ascii: "."),
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[place + 1])
        {
            isWhole = false
            place += 1
            while place < end, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[place]) { place += 1 }
        }
        guard hasWhole || !isWhole else { return nil }
        // `10th` and `1.x` are names.
        if place < end, Self.isNamePart(bytes[place]) || bytes[place] == UInt8(ascii: ".") { return nil }
        let text = String(decoding: bytes[index..<place], as: UTF8.self)
        // A number that exceeds Java's int is a double.
        let int = isWhole ? Int32(text).map { TemplateValue.int(Int($0)) } : nil
        let value =
            int ?? Double(text.hasPrefix("-.") ? "-0" + text.dropFirst() : "0" + text).map { .double($0) }
            ?? Double(text).map { .double($0) }
        guard let value else { return nil }
        index = place
        return value
    }

    // MARK: - Paths

    static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "-"),
            UInt8(ascii: "+"), UInt8(ascii: "*"), UInt8(ascii: "%"), UInt8(ascii: "<"), UInt8(ascii: ">"),
            UInt8(ascii: "?"), UInt8(ascii: ":"), 0x80...0xFF:
            true
        default: false
        }
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ".") || byte == UInt8(ascii: "/")
    }

    mutating func path() throws(TemplateError) -> TemplatePath {
        let offset = index
        var isData = consume(UInt8(ascii: "@"))
        var isLocal = false
        var parents = 0
        while current == UInt8(ascii: ".") {
            if index + 1 < end, bytes[index + 1] == UInt8(ascii: ".") {
                index += 2
                parents += 1
            } else {
                index += 1
                isLocal = true
            }
            guard consume(UInt8(ascii: "/")) else { break }
        }
        if consume(UInt8(ascii: "@")) { isData = true }
        var segments: [String] = []
        while let byte = current {
            if consume(UInt8(ascii: "[")) {
                let open = index
                while let byte = current, byte != UInt8(ascii: "]") { index += 1 }
                segments.append(String(decoding: bytes[open..<index], as: UTF8.self))
                guard consume(UInt8(ascii: "]")) else { throw problem("expected `]`", at: open - 1) }
            } else if Self.isNamePart(byte) {
                let begin = index
                while let byte = current, Self.isNamePart(byte) { index += 1 }
                let name = String(decoding: bytes[begin..<index], as: UTF8.self)
                if name == "this", segments.isEmpty, !isData { isLocal = true } else { segments.append(name) }
            } else {
                break
            }
            guard let separator = current, Self.isSeparator(separator) else { break }
            // Repeated separators, and an `@` after them, are ignored.
            while let byte = current, Self.isSeparator(byte) || byte == UInt8(ascii: "@") { index += 1 }
        }
        guard index > offset else {
            throw problem(operatorAdvice ?? "expected a name or value, found \(found)")
        }
        let start: TemplatePath.Start =
            isData ? .data(parents) : parents > 0 ? .parent(parents) : isLocal ? .this : .name
        return TemplatePath(
            start: start, segments: segments, text: String(decoding: bytes[offset..<index], as: UTF8.self))
    }
}
