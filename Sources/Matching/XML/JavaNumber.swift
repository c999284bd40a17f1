/// Numbers as Java's `NumberFormat.getInstance` prints them in an English locale.
enum JavaNumber {
    /// The number grouped by thousands, with at most three decimal places, rounded half to even.
    static func text(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        let sign = value.sign == .minus ? "-" : ""
        if value.isInfinite { return sign + "∞" }
        var (digits, point) = decimal(value.magnitude)
        round(&digits, &point, to: 3)
        var whole = String(decoding: digits.prefix(max(point, 0)), as: UTF8.self)
        whole += String(repeating: "0", count: max(point - digits.count, 0))
        if whole.isEmpty { whole = "0" }
        var fraction = String(repeating: "0", count: max(-point, 0))
        fraction += String(decoding: digits.dropFirst(max(point, 0)), as: UTF8.self)
        while fraction.hasSuffix("0") { fraction.removeLast() }
        return sign + grouped(whole) + (fraction.isEmpty ? "" : "." + fraction)
    }

    /// The shortest digits of the number, and the position of the point.
    private static func decimal(_ value: Double) -> (digits: [UInt8], point: Int) {
        let parts = value.description.split(separator: "e")
        let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        var digits = Array(mantissa[0].utf8) + (mantissa.count > 1 ? Array(mantissa[1].utf8) : [])
        var point = mantissa[0].utf8.count + exponent
        while let first = digits.first, first == UInt8(ascii: "0") {
            digits.removeFirst()
            point -= 1
        }
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        return (digits, digits.isEmpty ? 0 : point)
    }

    private static func round(_ digits: inout [UInt8], _ point: inout Int, to places: Int) {
        let kept = point + places
        guard kept < digits.count else { return }
        guard kept >= 0 else {
            digits = []
            point = 0
            return
        }
        let half = UInt8(ascii: "5")
        let rest = digits[kept...]
        let previousIsOdd = kept > 0 && digits[kept - 1] % 2 == 1
        let up = rest[kept] > half || rest[kept] == half && (rest.count > 1 || previousIsOdd)
        digits = Array(digits.prefix(kept))
        guard up else { return }
        var index = kept
        while index > 0 {
            index -= 1
            if digits[index] != UInt8(ascii: "9") {
                digits[index] += 1
                return
            }
            digits[index] = UInt8(ascii: "0")
        }
        digits.insert(UInt8(ascii: "1"), at: 0)
        point += 1
    }

    private static func grouped(_ digits: String) -> String {
        var result = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.utf8.count - index) % 3 == 0 { result += "," }
            result.append(digit)
        }
        return result
    }
}
