extension JSONValue {
    /// The accepted syntax.
    public enum Dialect: Sendable, Hashable {
        /// Strict RFC 8259.
        case rfc8259
        /// WireMock's syntax for stub files and admin bodies: also allows `/* */` and `//` comments and single-quoted
        /// strings.
        case lenient
    }

    /// The maximum nesting depth, so that no text can exhaust the stack.
    public static let maximumDepth = 512

    /// Parses a JSON text in UTF-8. A byte order mark is skipped; for duplicate keys the last value wins. An escaped
    /// lone surrogate (`"\ud800"`), which no Unicode string can contain, becomes U+FFFD.
    /// - Throws: the first error and its position. Nesting beyond `maximumDepth` is an error.
    public init(parsing bytes: some Sequence<UInt8>, dialect: Dialect = .rfc8259) throws(JSONSyntaxError) {
        try self.init(parsing: Array(bytes), dialect: dialect)
    }

    /// Parses a JSON text without copying its bytes.
    /// - Throws: the first error and its position.
    public init(parsing bytes: [UInt8], dialect: Dialect = .rfc8259) throws(JSONSyntaxError) {
        var parser = JSONParser(bytes: bytes, dialect: dialect)
        do throws(JSONParser.Failure) {
            self = try parser.document()
        } catch {
            throw parser.syntaxError(error)
        }
    }

    /// Parses a JSON text.
    /// - Throws: the first error and its position.
    public init(parsing text: String, dialect: Dialect = .rfc8259) throws(JSONSyntaxError) {
        try self.init(parsing: text.utf8, dialect: dialect)
    }
}

/// A recursive descent parser over bytes. Strings are in `JSONParser+Strings.swift`.
struct JSONParser {
    struct Failure: Error {
        var offset: Int
        var expected: String
        var found: String?
    }

    /// An earlier key of the same object.
    struct Repeat {
        var path: [String]
        var firstOffset: Int
        var offset: Int
    }

    let bytes: [UInt8]
    let isLenient: Bool
    /// The duplicate keys and their positions; nil if only `hasRepeatedKeys` is wanted.
    var repeats: [Repeat]?
    private(set) var hasRepeatedKeys = false
    var index = 0
    /// The members of all unfinished objects, so that each finished object gets an exact capacity.
    private var members: [JSONObject.Member] = []
    /// Shares the storage of equal texts in a large document.
    var texts: SharedTexts?
    /// The byte offsets at which the outer values start, for a `DocumentOutline`; nil if not wanted.
    var outerOffsets: [Int]?
    private var path: [String] = []
    var depth = 0

    init(bytes: [UInt8], dialect: JSONValue.Dialect) {
        self.bytes = bytes
        self.isLenient = dialect == .lenient
        texts = SharedTexts(forTextOf: bytes.count)
    }

    private var isRecording: Bool { repeats != nil }

    /// The byte at the current position; nil at the end. NUL is an ordinary byte.
    var current: UInt8? {
        index < bytes.count ? bytes[index] : nil
    }

    mutating func document() throws(Failure) -> JSONValue {
        skipMark()
        try skipBlanks()
        let value = try value(keyOffset: nil)
        try skipBlanks()
        guard index == bytes.count else { throw Failure(offset: index, expected: "the end of the text") }
        return value
    }

    /// Skips a byte order mark.
    mutating func skipMark() {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    private mutating func value(keyOffset: Int?) throws(Failure) -> JSONValue {
        if depth <= DocumentOutline.depth { outerOffsets?.append(keyOffset ?? index) }
        switch current {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""): return .string(try string(quote: UInt8(ascii: "\"")))
        case UInt8(ascii: "'") where isLenient: return .string(try string(quote: UInt8(ascii: "'")))
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        case .some(let byte) where byte == UInt8(ascii: "-") || JSONNumber.isDigit(byte): return .number(try number())
        default: throw Failure(offset: index, expected: "a value")
        }
    }

    private mutating func object() throws(Failure) -> JSONValue {
        try descend()
        try skipBlanks()
        if consume(UInt8(ascii: "}")) {
            depth -= 1
            return .object(JSONObject())
        }
        let start = members.count
        var known = JSONObject.Places(from: start)
        var keyOffsets: [ExactKey: Int] = [:]
        while true {
            let keyOffset = index
            let key = try memberName(isFirst: members.count == start)
            try skipBlanks()
            guard consume(UInt8(ascii: ":")) else { throw Failure(offset: index, expected: "\":\"") }
            try skipBlanks()
            if isRecording { path.append(key) }
            if repeats != nil { recordKey(key, at: keyOffset, &keyOffsets) }
            let value = try value(keyOffset: keyOffset)
            if let former = known.index(of: key, in: members) {
                members[former].value = value
                hasRepeatedKeys = true
            } else {
                members.append(JSONObject.Member(key: key, value: value))
                known.noteLast(of: members)
            }
            if isRecording { path.removeLast() }
            try skipBlanks()
            if consume(UInt8(ascii: "}")) { break }
            guard consume(UInt8(ascii: ",")) else { throw Failure(offset: index, expected: "\",\" or \"}\"") }
            try skipBlanks()
        }
        depth -= 1
        return .object(JSONObject(taking: &members, known))
    }

    /// Records the key at the end of `path` if it is a duplicate.
    private mutating func recordKey(_ key: String, at offset: Int, _ known: inout [ExactKey: Int]) {
        if let first = known[ExactKey(key)] {
            repeats?.append(Repeat(path: path, firstOffset: first, offset: offset))
        } else {
            known[ExactKey(key)] = offset
        }
    }

    mutating func memberName(isFirst: Bool) throws(Failure) -> String {
        switch current {
        case UInt8(ascii: "\""): return try string(quote: UInt8(ascii: "\""))
        case UInt8(ascii: "'") where isLenient: return try string(quote: UInt8(ascii: "'"))
        default:
            throw Failure(
                offset: index, expected: isFirst ? "a member name in quotes or \"}\"" : "a member name in quotes")
        }
    }

    private mutating func array() throws(Failure) -> JSONValue {
        try descend()
        var elements: [JSONValue] = []
        try skipBlanks()
        if consume(UInt8(ascii: "]")) {
            depth -= 1
            return .array(elements)
        }
        while true {
            if isRecording { path.append(String(elements.count)) }
            elements.append(try value(keyOffset: nil))
            if isRecording { path.removeLast() }
            try skipBlanks()
            if consume(UInt8(ascii: "]")) { break }
            guard consume(UInt8(ascii: ",")) else { throw Failure(offset: index, expected: "\",\" or \"]\"") }
            try skipBlanks()
        }
        depth -= 1
        return .array(elements)
    }

    /// Steps over an opening bracket.
    /// - Throws: beyond `maximumDepth`.
    mutating func descend() throws(Failure) {
        guard depth < JSONValue.maximumDepth else {
            throw Failure(
                offset: index, expected: "at most \(JSONValue.maximumDepth) levels of nesting", found: "one more")
        }
        depth += 1
        index += 1
    }

    mutating func consume(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private mutating func literal(_ word: String, _ value: JSONValue) throws(Failure) -> JSONValue {
        let start = index
        for letter in word.utf8 where !consume(letter) {
            throw Failure(offset: start, expected: "a value")
        }
        return value
    }

    /// Reads a number (RFC 8259, section 6).
    /// - Throws: where a digit is missing.
    mutating func number() throws(Failure) -> JSONNumber {
        let start = index
        _ = consume(UInt8(ascii: "-"))
        if consume(UInt8(ascii: "0")) {
            if let byte = current, JSONNumber.isDigit(byte) {
                throw Failure(offset: start, expected: "a number without leading zeros")
            }
        } else {
            try digits()
        }
        if consume(UInt8(ascii: ".")) { try digits() }
        if consume(UInt8(ascii: "e")) || consume(UInt8(ascii: "E")) {
            if !consume(UInt8(ascii: "+")) { _ = consume(UInt8(ascii: "-")) }
            try digits()
        }
        return JSONNumber(validText: String(decoding: bytes[start..<index], as: UTF8.self))
    }

    private mutating func digits() throws(Failure) {
        guard let byte = current, JSONNumber.isDigit(byte) else { throw Failure(offset: index, expected: "a digit") }
        while index < bytes.count, JSONNumber.isDigit(bytes[index]) { index += 1 }
    }

    mutating func skipBlanks() throws(Failure) {
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): index += 1
            case UInt8(ascii: "/") where isLenient: try skipComment()
            default: return
            }
        }
    }

    mutating func skipComment() throws(Failure) {
        let start = index
        index += 1
        switch current {
        case UInt8(ascii: "/"):
            while let byte = current, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") { index += 1 }
        case UInt8(ascii: "*"):
            index += 1
            while true {
                guard let byte = current else {
                    throw Failure(offset: start, expected: "a comment that ends with */", found: "one without end")
                }
                index += 1
                if byte == UInt8(ascii: "*"), consume(UInt8(ascii: "/")) { return }
            }
        default:
            index = start
            throw Failure(offset: start, expected: "a comment (// or /* */) after \"/\"")
        }
    }

    func syntaxError(_ failure: Failure) -> JSONSyntaxError {
        JSONSyntaxError(
            position: TextPosition(offset: failure.offset, in: bytes), expected: failure.expected,
            found: failure.found ?? TextPosition.description(of: failure.offset, in: bytes),
            foundCharacter: TextPosition.character(at: failure.offset, in: bytes))
    }
}
