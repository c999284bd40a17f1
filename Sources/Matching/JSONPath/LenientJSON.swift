public import SDJSON

/// JSON as WireMock parses bodies for `matchesJsonPath`: single quotes, unquoted names and texts, extra commas, leading
/// zeros, and anything after the first value are allowed.
public enum LenientJSON {
    /// The maximum nesting of a text that is not RFC 8259 JSON, as in WireMock. Valid JSON may be as deep as
    /// `JSONValue.maximumDepth`.
    public static let maximumDepth = 400

    /// Parses a body; nil if there is no value even by these rules. Invalid UTF-8 counts as U+FFFD.
    public static func parse(_ bytes: ArraySlice<UInt8>) -> JSONValue? {
        if let value = try? JSONValue(parsing: bytes) { return value }
        var reader = LenientReader(bytes: Array(bytes))
        return try? reader.document()
    }

    /// Why a body has no value, in the words of json-smart, which WireMock's warnings quote; nil if it has one.
    public static func problem(in bytes: ArraySlice<UInt8>) -> String? {
        if bytes.isEmpty { return "json string can not be null or empty" }
        var reader = LenientReader(bytes: Array(bytes))
        guard (try? reader.document()) == nil else { return nil }
        return "wiremock.net.minidev.json.parser.ParseException: " + reader.problem
    }
}

/// Parses by rules found by experiment with WireMock: a value ends at a delimiter of its context.
private struct LenientReader {
    struct Unreadable: Error {}

    /// The context that determines where a bare word ends.
    enum Place {
        case top, element, member, key

        func ends(at byte: UInt8) -> Bool {
            switch self {
            case .top: false
            case .element: byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]")
            case .member: byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}")
            case .key: byte == UInt8(ascii: ":")
            }
        }
    }

    let bytes: [UInt8]
    private var index = 0
    /// Whether each enclosing container is an array, outermost first.
    private var isArray: [Bool] = []
    /// Whether the text ends inside quotes, or where a value is missing.
    private var endsInQuotes = false
    private var endsBeforeValue = false
    /// Whether there is other text between a quoted text and what must follow it.
    private var goesOnBehindQuotes = false

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    /// json-smart's message for the position where this parser stopped.
    var problem: String {
        guard current != nil else {
            let lacksValue = endsBeforeValue || isArray.last == true
            return endsInQuotes
                ? "Unexpected End Of File position \(bytes.count): null"
                : "Unexpected End Of File position \(bytes.count - 1): \(lacksValue ? "EOF" : "null")"
        }
        let character = String(decoding: bytes[index...].prefix(4), as: UTF8.self).prefix(1)
        return goesOnBehindQuotes
            ? "Unexpected token \(character) at position \(index - 1)."
            : "Unexpected character (\(character)) at position \(index)."
    }

    /// Parses the first value and ignores everything after it.
    /// - Throws: if there is none.
    mutating func document() throws(Unreadable) -> JSONValue {
        guard !bytes.isEmpty else { throw Unreadable() }
        return try value(.top)
    }

    private mutating func value(_ place: Place) throws(Unreadable) -> JSONValue {
        skipBlanks()
        endsBeforeValue = current == nil
        switch current {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            let text = try quoted()
            guard place != .top else { return .string(text) }
            skipBlanks()
            guard let byte = current, place.ends(at: byte) else {
                goesOnBehindQuotes = true
                throw Unreadable()
            }
            return .string(text)
        case UInt8(ascii: ":"), UInt8(ascii: "}"), UInt8(ascii: "]"): throw Unreadable()
        default: return try bare(place)
        }
    }

    private mutating func object() throws(Unreadable) -> JSONValue {
        try descend(isArray: false)
        var object = JSONObject()
        while true {
            skipBlanks()
            switch current {
            case nil, UInt8(ascii: ":"), UInt8(ascii: "]"), UInt8(ascii: "["), UInt8(ascii: "{"): throw Unreadable()
            case UInt8(ascii: "}"):
                index += 1
                isArray.removeLast()
                return .object(object)
            case UInt8(ascii: ","): index += 1
            default:
                let key = try key()
                object[key] = try value(.member)
                skipBlanks()
                guard current == UInt8(ascii: ",") || current == UInt8(ascii: "}") else { throw Unreadable() }
            }
        }
    }

    private mutating func key() throws(Unreadable) -> String {
        let key: String
        if current == UInt8(ascii: "\"") || current == UInt8(ascii: "'") {
            key = try quoted()
            skipBlanks()
        } else {
            key = try word(.key)
        }
        guard current == UInt8(ascii: ":") else { throw Unreadable() }
        index += 1
        return key
    }

    private mutating func array() throws(Unreadable) -> JSONValue {
        try descend(isArray: true)
        var elements: [JSONValue] = []
        while true {
            skipBlanks()
            switch current {
            case nil, UInt8(ascii: ":"), UInt8(ascii: "}"): throw Unreadable()
            case UInt8(ascii: "]"):
                index += 1
                isArray.removeLast()
                return .array(elements)
            case UInt8(ascii: ","): index += 1
            default:
                elements.append(try value(.element))
                skipBlanks()
                guard current == UInt8(ascii: ",") || current == UInt8(ascii: "]") else { throw Unreadable() }
            }
        }
    }

    private mutating func descend(isArray kind: Bool) throws(Unreadable) {
        guard isArray.count < LenientJSON.maximumDepth else { throw Unreadable() }
        isArray.append(kind)
        index += 1
    }

    private mutating func bare(_ place: Place) throws(Unreadable) -> JSONValue {
        let word = try word(place)
        switch word {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "null": return .null
        default: return Self.number(word).map(JSONValue.number) ?? .string(word)
        }
    }

    /// Parses up to a delimiter, without surrounding spaces.
    /// - Throws: for a word that json-smart rejects.
    private mutating func word(_ place: Place) throws(Unreadable) -> String {
        let start = index
        while let byte = current, !place.ends(at: byte) { index += 1 }
        guard place == .top || index < bytes.count else { throw Unreadable() }
        var word = bytes[start..<index]
        while let last = word.last, last <= 0x20 { word.removeLast() }
        while let first = word.first, first <= 0x20 { word.removeFirst() }
        return String(decoding: word, as: UTF8.self)
    }

    /// The number `-?digits[.digits][e±digits]`, in which digits before or after the point may be missing once there is
    /// a digit or `-`. Nil for anything else, which is a text.
    private static func number(_ word: String) -> JSONNumber? {
        var rest = word.utf8[...]
        var text = ""
        if rest.first == UInt8(ascii: "-") {
            text = "-"
            rest.removeFirst()
        }
        let whole = takeDigits(&rest)
        guard !whole.isEmpty || (rest.isEmpty && text == "-") else { return nil }
        if whole.isEmpty { return JSONNumber(0) }
        let significant = whole.drop { $0 == "0" }
        text += significant.isEmpty ? "0" : String(significant)
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            let fraction = takeDigits(&rest)
            text += "." + (fraction.isEmpty ? "0" : fraction)
        }
        if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
            rest.removeFirst()
            text += "e"
            if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
                text += sign == UInt8(ascii: "-") ? "-" : ""
                rest.removeFirst()
            }
            let exponent = takeDigits(&rest)
            guard !exponent.isEmpty else { return nil }
            text += exponent
        }
        return rest.isEmpty ? JSONNumber(text: text) : nil
    }

    private static func takeDigits(_ rest: inout Substring.UTF8View) -> String {
        let digits = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        rest = rest.dropFirst(digits.count)
        return String(Substring(digits))
    }

    private mutating func quoted() throws(Unreadable) -> String {
        let quote = bytes[index]
        index += 1
        var content: [UInt8] = []
        while let byte = current {
            index += 1
            if byte == quote { return String(decoding: content, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") {
                try escape(into: &content)
            } else {
                content.append(byte)
            }
        }
        endsInQuotes = true
        throw Unreadable()
    }

    /// Parses an escape. Unknown escapes are dropped.
    /// - Throws: if the text ends inside it.
    private mutating func escape(into content: inout [UInt8]) throws(Unreadable) {
        guard let letter = current else { throw Unreadable() }
        index += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(letter)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "x"): append(try hexDigits(2), to: &content)
        case UInt8(ascii: "u"):
            var value = try hexDigits(4)
            if (0xD800...0xDBFF).contains(value), bytes[index...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")])
            {
                let restart = index
                index += 2
                let second = try hexDigits(4)
                if (0xDC00...0xDFFF).contains(second) {
                    value = 0x10000 + (value - 0xD800) << 10 + (second - 0xDC00)
                } else {
                    index = restart
                }
            }
            append(value, to: &content)
        default: break
        }
    }

    private func append(_ value: UInt32, to content: inout [UInt8]) {
        content.append(contentsOf: String(Unicode.Scalar(value) ?? "\u{FFFD}").utf8)
    }

    private mutating func hexDigits(_ count: Int) throws(Unreadable) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<count {
            guard let byte = current, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw Unreadable()
            }
            value = value << 4 | UInt32(digit)
            index += 1
        }
        return value
    }

    private mutating func skipBlanks() {
        while let byte = current, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { index += 1 }
    }
}
