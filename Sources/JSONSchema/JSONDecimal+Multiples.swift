import JSON

/// A JSON number without rounding: `±digits · 10^exponent`, the digits without zeros at either end. Two equal numbers
/// have one form, whatever their spelling.
///
/// No operation costs more than the number's text is long, whatever its exponent says.
struct ExactDecimal: Hashable, Sendable {
    private let isNegative: Bool
    /// Empty for zero.
    private let digits: [UInt8]
    private let exponent: Int

    /// Beyond this an exponent is held to be this one: such numbers differ from all that can be told from them.
    private static let exponentLimit = 1 << 40

    init(_ number: JSONNumber) {
        var rest = number.text.utf8[...]
        let minus = rest.first == UInt8(ascii: "-")
        if minus { rest = rest.dropFirst() }
        var digits: [UInt8] = []
        var scale = 0
        var afterPoint = false
        var stated = 0
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: ".") {
                afterPoint = true
            } else if byte &- UInt8(ascii: "0") < 10 {
                digits.append(byte &- UInt8(ascii: "0"))
                if afterPoint { scale += 1 }
            } else {
                stated = Self.exponent(rest)
                break
            }
        }
        let end = digits.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
        let dropped = digits.count - end
        let start = digits.firstIndex { $0 != 0 } ?? end
        self.digits = Array(digits[min(start, end)..<end])
        isNegative = minus && !self.digits.isEmpty
        exponent = self.digits.isEmpty ? 0 : stated - scale + dropped
    }

    private static func exponent(_ text: Substring.UTF8View) -> Int {
        var value = 0
        for byte in text where byte &- UInt8(ascii: "0") < 10 {
            value = min(value * 10 + Int(byte &- UInt8(ascii: "0")), exponentLimit)
        }
        return text.first == UInt8(ascii: "-") ? -value : value
    }

    var isZero: Bool { digits.isEmpty }

    var isInteger: Bool { exponent >= 0 }

    var isBelowZero: Bool { isNegative }

    /// A count; `Int.max` if it is beyond. Nil for a fraction or a negative number.
    var count: Int? {
        guard isInteger, !isNegative else { return nil }
        guard digits.count + exponent < 19 else { return Int.max }
        let mantissa = digits.reduce(0) { $0 * 10 + Int($1) }
        return (0..<exponent).reduce(mantissa) { value, _ in value * 10 }
    }

    /// Whether this is an integer times `divisor`, which is not zero.
    func isMultiple(of divisor: ExactDecimal) -> Bool {
        if isZero { return true }
        let shift = exponent - divisor.exponent
        // The last digit is no zero, so no power of ten divides the digits.
        guard shift >= 0 else { return false }
        // Once all twos and fives of the divisor are cancelled, further zeros change nothing.
        let zeros = min(shift, divisor.digits.count * 4)
        if divisor.digits.count <= 18 {
            let modulus = divisor.digits.reduce(0) { $0 * 10 + UInt64($1) }
            var remainder: UInt64 = 0
            for place in 0..<(digits.count + zeros) {
                let digit = place < digits.count ? UInt64(digits[place]) : 0
                let (high, low) = remainder.multipliedFullWidth(by: 10)
                let (sum, carry) = low.addingReportingOverflow(digit)
                remainder = modulus.dividingFullWidth((high + (carry ? 1 : 0), sum)).remainder
            }
            return remainder == 0
        }
        return remainderIsZero(digits + Array(repeating: 0, count: zeros), by: divisor.digits)
    }

    /// Long division on digits. Numbers longer than a thousand digits are not multiples of one another.
    private func remainderIsZero(_ dividend: [UInt8], by divisor: [UInt8]) -> Bool {
        guard divisor.count <= 1_000, dividend.count <= 8_000 else { return dividend == divisor }
        let divisor = Array(divisor.reversed())
        // Little endian, one digit longer than the divisor.
        var remainder = Array(repeating: UInt8(0), count: divisor.count + 1)
        for digit in dividend {
            remainder.removeLast()
            remainder.insert(digit, at: 0)
            while Self.reaches(remainder, divisor) {
                var borrow: UInt8 = 0
                for place in remainder.indices {
                    let taken = (place < divisor.count ? divisor[place] : 0) + borrow
                    borrow = remainder[place] < taken ? 1 : 0
                    remainder[place] = remainder[place] + borrow * 10 - taken
                }
            }
        }
        return remainder.allSatisfy { $0 == 0 }
    }

    private static func reaches(_ number: [UInt8], _ bound: [UInt8]) -> Bool {
        if let top = number.last, top != 0 { return true }
        for place in bound.indices.reversed() where number[place] != bound[place] {
            return number[place] > bound[place]
        }
        return true
    }
}

extension ExactDecimal: Comparable {
    static func < (left: ExactDecimal, right: ExactDecimal) -> Bool {
        if left.isNegative != right.isNegative { return left.isNegative }
        return left.isNegative ? right.isCloserToZero(than: left) : left.isCloserToZero(than: right)
    }

    private func isCloserToZero(than other: ExactDecimal) -> Bool {
        if isZero || other.isZero { return isZero && !other.isZero }
        let magnitude = exponent + digits.count
        let otherMagnitude = other.exponent + other.digits.count
        if magnitude != otherMagnitude { return magnitude < otherMagnitude }
        return digits.lexicographicallyPrecedes(other.digits)
    }
}
