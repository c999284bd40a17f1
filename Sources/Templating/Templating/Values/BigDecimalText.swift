import SDJSON

/// A decimal number like Java's `BigDecimal`: digits, and how many are after the point.
struct BigDecimalText {
    let isNegative: Bool
    /// The digits from 0 to 9, without leading zeros; a single 0 for zero.
    let digits: [UInt8]
    /// The number of digits after the point; negative for a number with an exponent.
    let scale: Int

    /// Parses the syntax of Java's `BigDecimal`: `1`, `+1.50`, `.5`, `5.`, `1e3`. Nil for anything else.
    init?(_ text: String) {
        var bytes = Array(text.utf8)[...]
        let zero = UInt8(ascii: "0")
        isNegative = bytes.first == UInt8(ascii: "-")
        if isNegative || bytes.first == UInt8(ascii: "+") { bytes = bytes.dropFirst() }
        func takeDigits() -> ArraySlice<UInt8> {
            let digits = bytes.prefix { $0 &- zero < 10 }
            bytes = bytes.dropFirst(digits.count)
            return digits
        }
        var read = takeDigits()
        var fraction = 0
        if bytes.first == UInt8(ascii: ".") {
            bytes = bytes.dropFirst()
            let behind = takeDigits()
            fraction = behind.count
            read += behind
        }
        guard !read.isEmpty else { return nil }
        var exponent = 0
        if let mark = bytes.first {
            guard mark | 0x20 == UInt8(ascii: "e"),
                let value = Int32(String(decoding: bytes.dropFirst(), as: UTF8.self))
            else { return nil }
            exponent = Int(value)
        }
        let significant = read.drop { $0 == zero }.map { $0 - zero }
        digits = significant.isEmpty ? [0] : significant
        scale = fraction - exponent
    }

    private var digitText: String { String(decoding: digits.map { $0 + UInt8(ascii: "0") }, as: UTF8.self) }
    private var sign: String { isNegative && digits != [0] ? "-" : "" }

    /// `BigDecimal.toString`: `1.70`, `1E+21`, `1E-7`.
    var text: String {
        let exponent = digits.count - 1 - scale
        if scale >= 0, exponent >= -6 { return plainText }
        let digits = digitText
        let mantissa = digits.prefix(1) + (digits.utf8.count > 1 ? "." + digits.dropFirst() : "")
        return sign + mantissa + (exponent < 0 ? "E-" : "E+") + String(exponent.magnitude)
    }

    /// The maximum number of zeros written in place of an exponent: a short text must not become a long one.
    private static let maxZeros = 400

    /// `BigDecimal.toPlainString`, without an exponent unless it is large.
    var plainText: String {
        let digits = digitText
        guard abs(scale) <= digits.utf8.count + Self.maxZeros else { return text }
        if scale <= 0 { return digits == "0" ? "0" : sign + digits + String(repeating: "0", count: -scale) }
        let padded = String(repeating: "0", count: max(scale + 1 - digits.utf8.count, 0)) + digits
        return sign + padded.dropLast(scale) + "." + padded.suffix(scale)
    }
}

extension JSONNumber {
    /// The number as Java's `BigDecimal` prints it.
    var bigDecimalText: String { BigDecimalText(text)?.text ?? text }

    /// The number in the notation of Java's `BigDecimal`.
    var bigDecimal: JSONNumber { JSONNumber(validText: bigDecimalText) }

    /// The number as Jackson writes a `BigDecimal`: unchanged, but without an exponent.
    var plain: JSONNumber {
        BigDecimalText(text).map { JSONNumber(validText: $0.plainText) } ?? self
    }

    /// The number as json-smart parses it and Java prints it: a double if it has a fraction or exponent, unless it is
    /// long.
    var smart: JSONNumber {
        if case .double(let value) = TemplateValue(self) {
            JSONNumber(validText: TemplateValue.javaText(value))
        } else {
            self
        }
    }
}

extension JSONValue {
    /// The document with numbers converted, optionally without null members.
    func rewritten(leavingOutNulls: Bool, _ number: (JSONNumber) -> JSONNumber) -> JSONValue {
        switch self {
        case .number(let value): return .number(number(value))
        case .array(let elements):
            return .array(elements.map { $0.rewritten(leavingOutNulls: leavingOutNulls, number) })
        case .object(let object):
            let kept = leavingOutNulls ? object.members.filter { !$0.value.isNull } : object.members
            return .object(
                JSONObject(kept.map { ($0.key, $0.value.rewritten(leavingOutNulls: leavingOutNulls, number)) }))
        default: return self
        }
    }

    /// The document in the notation of WireMock's helpers.
    func jackson(leavingOutNulls: Bool = false) -> JSONValue {
        rewritten(leavingOutNulls: leavingOutNulls) { $0.plain }
    }
}
