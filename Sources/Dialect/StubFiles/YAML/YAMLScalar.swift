import SDJSON

/// Plain scalars by the core schema of YAML 1.2 (section 10.3.2). `yes`, `no`, `on` and `off` are strings.
enum YAMLScalar {
    /// The value of a plain scalar. Nil for a number that JSON cannot express: infinities, NaN, and hexadecimal numbers
    /// of 2⁶⁴ and more.
    static func value(ofPlain text: String) -> JSONValue? {
        switch text {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return .bool(true)
        case "false", "False", "FALSE": return .bool(false)
        case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF", ".nan", ".NaN", ".NAN":
            return nil
        default: break
        }
        guard let first = text.utf8.first, isNumberStart(first) else { return .string(text) }
        if let digits = text.dropping("0x"), digits.utf8.allSatisfy(isHexDigit) {
            return UInt64(digits, radix: 16).map { .number(JSONNumber(validText: String($0))) }
        }
        if let digits = text.dropping("0o"), digits.utf8.allSatisfy({ (0x30...0x37).contains($0) }) {
            return UInt64(digits, radix: 8).map { .number(JSONNumber(validText: String($0))) }
        }
        return number(text).map(JSONValue.number) ?? .string(text)
    }

    /// Whether a scalar's spelling differs from its JSON value. An empty scalar has no spelling.
    static func isRespelt(_ text: String, as value: JSONValue) -> Bool {
        switch value {
        case .number(let number): number.text != text
        case .bool(let value): text != (value ? "true" : "false")
        case .null: text == "~"
        case .string, .array, .object: false
        }
    }

    /// The number `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?` in JSON's spelling; nil if `text` does not
    /// match.
    static func number(_ text: String) -> JSONNumber? {
        var rest = text.utf8[...]
        var spelling = ""
        if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") {
            if rest.removeFirst() == UInt8(ascii: "-") { spelling = "-" }
        }
        let whole = rest.prefix(while: isDigit)
        rest = rest[whole.endIndex...]
        var fraction: Substring.UTF8View?
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            let digits = rest.prefix(while: isDigit)
            rest = rest[digits.endIndex...]
            fraction = digits
        }
        guard !whole.isEmpty || fraction?.isEmpty == false else { return nil }
        let significant = whole.drop { $0 == UInt8(ascii: "0") }
        spelling += significant.isEmpty ? "0" : String(Substring(significant))
        if let fraction { spelling += "." + (fraction.isEmpty ? "0" : String(Substring(fraction))) }
        spelling += String(Substring(rest))
        // The rest must be an exponent; otherwise this is not a number.
        return JSONNumber(text: spelling)
    }

    private static func isNumberStart(_ byte: UInt8) -> Bool {
        isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".")
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte)
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x61...0x66).contains(byte | 0x20)
    }
}

extension String {
    /// The text after `prefix`; nil without the prefix, or if nothing follows.
    fileprivate func dropping(_ prefix: String) -> Substring? {
        hasPrefix(prefix) && utf8.count > prefix.utf8.count ? dropFirst(prefix.count) : nil
    }
}
