/// Numbers parsed as the JVM does.
public enum JavaDouble {
    /// The result of `Double.parseDouble`; nil where it throws.
    ///
    /// Spaces and control characters are trimmed at both ends. Valid are `NaN` and `Infinity` in these letters; decimal
    /// digits with a point and an exponent; hexadecimal digits with a mandatory binary exponent (`0x1.8p3`); each with
    /// a leading sign, and numbers with one of `f F d D` at the end. Too large numbers are infinite, too small ones
    /// zero.
    public static func parse(_ text: String) -> Double? {
        var rest = text.utf8[...]
        while let first = rest.first, first <= UInt8(ascii: " ") { rest.removeFirst() }
        while let last = rest.last, last <= UInt8(ascii: " ") { rest.removeLast() }
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
        guard let magnitude = magnitude(rest) else { return nil }
        return isNegative && !magnitude.isNaN ? -magnitude : magnitude
    }

    private static func magnitude(_ text: Substring.UTF8View) -> Double? {
        if text.elementsEqual("NaN".utf8) { return .nan }
        if text.elementsEqual("Infinity".utf8) { return .infinity }
        var rest = text
        let isHexadecimal =
            rest.count > 2 && rest.first == UInt8(ascii: "0") && rest.dropFirst().first.map(lower) == UInt8(ascii: "x")
        if isHexadecimal { rest = rest.dropFirst(2) }
        let isDigit = isHexadecimal ? isHexadecimalDigit : isDecimalDigit
        let whole = digits(&rest, isDigit)
        var fraction = rest.prefix(0)
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            fraction = digits(&rest, isDigit)
        }
        guard !whole.isEmpty || !fraction.isEmpty else { return nil }
        var exponent = 0
        if let letter = rest.first.map(lower), letter == UInt8(ascii: isHexadecimal ? "p" : "e") {
            rest.removeFirst()
            guard let written = readExponent(&rest) else { return nil }
            exponent = written
        } else if isHexadecimal {
            return nil
        }
        if let suffix = rest.first.map(lower), suffix == UInt8(ascii: "f") || suffix == UInt8(ascii: "d") {
            rest.removeFirst()
        }
        guard rest.isEmpty else { return nil }
        // Swift requires a digit on both sides of the point.
        let mantissa = "0\(Substring(whole)).\(Substring(fraction))0"
        return Double(isHexadecimal ? "0x\(mantissa)p\(exponent)" : "\(mantissa)e\(exponent)")
    }

    /// Reads an exponent, and stops far beyond the maximum.
    private static func readExponent(_ rest: inout Substring.UTF8View) -> Int? {
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
        let written = digits(&rest, isDecimalDigit)
        guard !written.isEmpty else { return nil }
        let size = written.reduce(0) { min($0 * 10 + Int($1 - UInt8(ascii: "0")), 1_000_000_000) }
        return isNegative ? -size : size
    }

    private static func digits(
        _ rest: inout Substring.UTF8View, _ isDigit: (UInt8) -> Bool
    ) -> Substring.UTF8View {
        let digits = rest.prefix(while: isDigit)
        rest = rest.dropFirst(digits.count)
        return digits
    }

    private static func lower(_ byte: UInt8) -> UInt8 { byte | 0x20 }

    private static func isDecimalDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isHexadecimalDigit(_ byte: UInt8) -> Bool {
        isDecimalDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(lower(byte))
    }
}
