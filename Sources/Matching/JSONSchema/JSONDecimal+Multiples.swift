import SDJSON

/// Tests of numbers for `multipleOf` and the keywords with counts. The cost is limited by the length of the number's
/// text, whatever its exponent.
extension JSONDecimal {
    var isZero: Bool { digits.isEmpty }

    /// The power of ten with the point after the last digit: 1 for `70`, -1 for `0.5`.
    private var scale: Int { exponent &- digits.count }

    /// The value as a count, `Int.max` if it is larger. Nil for a fraction or a negative number.
    var count: Int? {
        guard isInteger, !isNegative else { return nil }
        return intValue ?? Int.max
    }

    /// Whether the value is an integer times `divisor`, which must not be zero.
    func isMultiple(of divisor: JSONDecimal) -> Bool {
        if isZero { return true }
        let (difference, isBeyond) = scale.subtractingReportingOverflow(divisor.scale)
        let shift = isBeyond ? (scale > divisor.scale ? Int.max : Int.min) : difference
        // The last digit is not zero, so no power of ten divides the digits.
        guard shift >= 0 else { return false }
        // Once all factors 2 and 5 of the divisor are cancelled, further zeros change nothing.
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

    /// Divides digit by digit. Numbers of more than a thousand digits count as not divisible.
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
