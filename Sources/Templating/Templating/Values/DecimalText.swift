/// Decimal texts of doubles, rounded like Java's `Formatter` and `DecimalFormat`: from the shortest digits that parse
/// back to the number.
enum DecimalText {
    /// The rounding of halves.
    enum Rounding: String {
        case up = "UP"
        case down = "DOWN"
        case ceiling = "CEILING"
        case floor = "FLOOR"
        case halfUp = "HALF_UP"
        case halfDown = "HALF_DOWN"
        case halfEven = "HALF_EVEN"
    }

    /// A non-negative number with this many digits after the point.
    ///
    /// - Parameters:
    ///   - point: the number of digits before the point; may be negative. Together with the fraction it determines the
    ///     number of zeros, which the caller must limit.
    ///   - excess: the sign of the difference between the number and its digits, which decides about a half.
    static func rounded(
        _ digits: [UInt8], point: Int, fraction: Int, _ rounding: Rounding, _ isNegative: Bool, excess: Int = 0
    ) -> String {
        let zero = UInt8(ascii: "0")
        let wanted = point + fraction
        var kept: [UInt8]
        var goesUp = false
        if wanted >= digits.count {
            kept = digits + Array(repeating: zero, count: wanted - digits.count)
        } else {
            kept = wanted > 0 ? Array(digits[..<wanted]) : []
            let rest = wanted > 0 ? digits[wanted...] : digits[...]
            let isNothing = rest.allSatisfy { $0 == zero }
            // After further zeros, the rest is less than a half.
            let isBelowPlace = wanted < 0
            let first = isBelowPlace ? zero : (rest.first ?? zero)
            let half = UInt8(ascii: "5")
            let isHalf = first == half && rest.dropFirst().allSatisfy { $0 == zero }
            switch rounding {
            case .up: goesUp = !isNothing
            case .down: goesUp = false
            case .ceiling: goesUp = !isNothing && !isNegative
            case .floor: goesUp = !isNothing && isNegative
            case .halfUp: goesUp = first >= half && !(isHalf && excess < 0)
            case .halfDown: goesUp = first >= half && !(isHalf && excess <= 0)
            case .halfEven:
                let isEven = ((kept.last ?? zero) - zero) % 2 == 0
                goesUp = first >= half && !(isHalf && (excess < 0 || excess == 0 && isEven))
            }
        }
        if goesUp {
            var place = kept.count - 1
            while place >= 0, kept[place] == UInt8(ascii: "9") {
                kept[place] = zero
                place -= 1
            }
            if place >= 0 { kept[place] += 1 } else { kept.insert(UInt8(ascii: "1"), at: 0) }
        }
        // Leading zeros, so that there is a digit before the point.
        if kept.count <= fraction { kept = Array(repeating: zero, count: fraction + 1 - kept.count) + kept }
        let whole = kept.dropLast(fraction).drop { $0 == zero }
        let text = whole.isEmpty ? "0" : String(decoding: whole, as: UTF8.self)
        return fraction == 0 ? text : text + "." + String(decoding: kept.suffix(fraction), as: UTF8.self)
    }

    /// The sign of the difference between a non-negative number and its shortest decimal text.
    static func excess(of value: Double) -> Int {
        guard value.isFinite, value > 0 else { return 0 }
        let (text, exponent) = TemplateValue.shortestDigits(value)
        let power = exponent - text.utf8.count + 1
        guard let digits = UInt64(text) else { return 0 }
        let isNormal = value.exponentBitPattern > 0
        let significand = value.significandBitPattern | (isNormal ? 1 << 52 : 0)
        let binary = max(Int(value.exponentBitPattern), 1) - 1075
        // Both as integers: each multiplied by the other's divisor.
        let exact = product(significand, twos: max(binary, 0), tens: max(-power, 0))
        let shown = product(digits, twos: max(-binary, 0), tens: max(power, 0))
        if exact.count != shown.count { return exact.count < shown.count ? -1 : 1 }
        for (left, right) in zip(exact, shown).reversed() where left != right { return left < right ? -1 : 1 }
        return 0
    }

    /// A product as 32-bit words, lowest first, without leading zero words.
    private static func product(_ value: UInt64, twos: Int, tens: Int) -> [UInt32] {
        var words = [UInt32(truncatingIfNeeded: value), UInt32(value >> 32)]
        func multiply(_ factor: UInt64) {
            var carry: UInt64 = 0
            for index in words.indices {
                let sum = UInt64(words[index]) * factor + carry
                words[index] = UInt32(truncatingIfNeeded: sum)
                carry = sum >> 32
            }
            if carry > 0 { words.append(UInt32(carry)) }
        }
        for _ in 0..<(twos / 16) { multiply(1 << 16) }
        multiply(1 << UInt64(twos % 16))
        for _ in 0..<(tens / 9) { multiply(1_000_000_000) }
        for _ in 0..<(tens % 9) { multiply(10) }
        while words.last == 0 { words.removeLast() }
        return words
    }
}
