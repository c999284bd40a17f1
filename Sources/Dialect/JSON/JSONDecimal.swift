/// The exact value of a JSON number, `0.digits · 10^exponent`, for comparisons: `1`, `1.0` and `1e0` are the same
/// value, and no digit is rounded away.
///
/// It is computed from the text, so `1e1000000000` costs no more than `1`. Exponents are clamped to ±2⁶².
public struct JSONDecimal: Sendable, Hashable {
    /// Whether the value is below zero.
    public let isNegative: Bool
    /// The decimal digits, 0...9 each, without leading and trailing zeros; empty for zero.
    public let digits: [UInt8]
    /// The power of ten, with the point before the first digit: 1 for `7`, 3 for `120`, 0 for `0.5` and for zero.
    public let exponent: Int

    private static let largestExponent = 1 << 62

    /// Computes the value of a number's text.
    public init(_ number: JSONNumber) {
        var digits: [UInt8] = []
        digits.reserveCapacity(number.text.utf8.count)
        var isNegative = false
        var isAfterPoint = false
        var point = 0
        var rest = number.text.utf8[...]
        scan: while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "-"): isNegative = true
            case UInt8(ascii: "."): isAfterPoint = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"): break scan
            default:
                let digit = byte &- UInt8(ascii: "0")
                if digits.isEmpty, digit == 0 {
                    if isAfterPoint { point -= 1 }
                } else {
                    digits.append(digit)
                    if !isAfterPoint { point += 1 }
                }
            }
        }
        while digits.last == 0 { digits.removeLast() }
        self.digits = digits
        self.isNegative = isNegative && !digits.isEmpty
        exponent = digits.isEmpty ? 0 : Self.exponent(rest, plus: point)
    }

    /// The signed number after the `e`, plus the position of the point.
    private static func exponent(_ text: Substring.UTF8View, plus point: Int) -> Int {
        var magnitude = 0
        var isNegative = false
        for byte in text {
            switch byte {
            case UInt8(ascii: "-"): isNegative = true
            case UInt8(ascii: "+"): break
            default:
                let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
                if overflow || product >= largestExponent { return isNegative ? -largestExponent : largestExponent }
                magnitude = product &+ Int(byte &- UInt8(ascii: "0"))
            }
        }
        return max(-largestExponent, min(largestExponent, (isNegative ? -magnitude : magnitude) &+ point))
    }

    /// Whether the value has no fraction.
    public var isInteger: Bool {
        digits.count <= max(exponent, 0)
    }

    /// The value as an integer; nil if it has a fraction or overflows.
    public var intValue: Int? {
        // An Int has at most nineteen digits.
        guard isInteger, exponent < 20 else { return nil }
        var value = 0
        for place in 0..<exponent {
            let digit = place < digits.count ? Int(digits[place]) : 0
            let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, isStillTooLarge) =
                isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
            guard !isTooLarge, !isStillTooLarge else { return nil }
            value = sum
        }
        return value
    }
}

extension JSONDecimal: Comparable {
    public static func < (left: JSONDecimal, right: JSONDecimal) -> Bool {
        if left.sign != right.sign { return left.sign < right.sign }
        return left.isNegative ? right.isCloserToZero(than: left) : left.isCloserToZero(than: right)
    }

    private var sign: Int {
        digits.isEmpty ? 0 : isNegative ? -1 : 1
    }

    private func isCloserToZero(than other: JSONDecimal) -> Bool {
        if exponent != other.exponent { return exponent < other.exponent }
        return digits.lexicographicallyPrecedes(other.digits)
    }
}

extension JSONDecimal: CustomStringConvertible {
    /// The number in plain notation up to 20 digits, otherwise with an exponent.
    public var description: String {
        let sign = isNegative ? "-" : ""
        let shown = String(decoding: digits.map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
        switch exponent {
        case _ where digits.isEmpty: return "0"
        case max(digits.count, 1)...max(digits.count, 20):
            return sign + shown + String(repeating: "0", count: exponent - digits.count)
        case 1..<digits.count: return sign + shown.prefix(exponent) + "." + shown.dropFirst(exponent)
        case -5...0: return sign + "0." + String(repeating: "0", count: -exponent) + shown
        default:
            let rest = shown.dropFirst()
            return sign + shown.prefix(1) + (rest.isEmpty ? "" : "." + rest) + "e\(exponent - 1)"
        }
    }
}
