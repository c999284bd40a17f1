/// A JSON number as written. `1`, `1.0` and `1e0` are different texts of one value; `==` compares texts.
public struct JSONNumber: Sendable, Hashable {
    /// The number's text, valid by RFC 8259, section 6.
    public let text: String

    /// Makes a number from a text that is known to be valid.
    public init(validText text: String) {
        self.text = text
    }

    /// Makes a number from an integer.
    public init(_ value: Int) {
        text = String(value)
    }

    /// Makes a number from the shortest decimal text that parses back to `value`, without scientific notation, as
    /// WireMock writes numbers. Nil for infinities and NaN, which JSON cannot express.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        text = Self.plainText(value.description)
    }

    /// Parses a number; nil if it is invalid by RFC 8259, section 6.
    public init?(text: String) {
        guard Self.isValid(text) else { return nil }
        self.text = text
    }

    /// The nearest double; infinite if the number is too large.
    public var doubleValue: Double {
        Double(text) ?? .nan
    }

    /// The value as an integer in any notation: `3`, `3.0` and `30e-1` are 3. Nil if it has a fraction or overflows.
    public var intValue: Int? {
        Int(text) ?? JSONDecimal(self).intValue
    }

    static func isValid(_ text: String) -> Bool {
        var parser = JSONParser(bytes: Array(text.utf8), dialect: .rfc8259)
        guard let first = text.utf8.first, first == UInt8(ascii: "-") || isDigit(first) else { return false }
        do throws(JSONParser.Failure) {
            _ = try parser.number()
            return parser.index == parser.bytes.count
        } catch {
            return false
        }
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10
    }

    /// Rewrites a text such as `1.5e-07` without its exponent.
    private static func plainText(_ text: String) -> String {
        guard let mark = text.firstIndex(of: "e"), let exponent = Int(text[text.index(after: mark)...]) else {
            return text
        }
        let isNegative = text.hasPrefix("-")
        let mantissa = text[..<mark].drop { $0 == "-" }
        let whole = mantissa.prefix { $0 != "." }
        let fraction = mantissa.dropFirst(whole.count + 1)
        let digits = String(whole) + (fraction == "0" ? "" : String(fraction))
        let point = whole.count + exponent
        let plain: String
        if point <= 0 {
            plain = "0." + String(repeating: "0", count: -point) + digits
        } else if point >= digits.count {
            plain = digits + String(repeating: "0", count: point - digits.count) + ".0"
        } else {
            plain = String(digits.prefix(point)) + "." + String(digits.dropFirst(point))
        }
        return (isNegative ? "-" : "") + plain
    }
}
