/// WireMock's helper `math`.
enum MathHelper {
    static let helper: Helper = { call throws(RenderError) in
        guard call.parameters.count == 3 else {
            return call.error(
                "All maths functions require two operands and an operator as parameters e.g. 3 '+' 2")
        }
        let operation = call.parameter(1).text
        let (left, right) = (ScaledNumber(call.parameter(0)), ScaledNumber(call.parameter(2)))
        switch operation {
        case "+": return left.combined(right, scale: max(left.scale, right.scale)) { $0.addingReportingOverflow($1) }
        case "-":
            return left.combined(right, scale: max(left.scale, right.scale)) { $0.subtractingReportingOverflow($1) }
        case "*", "x": return left.multiplied(by: right)
        case "/": return try left.divided(by: right)
        case "%": return try left.remainder(by: right)
        default: return call.error("\(operation) is not a valid mathematical operator")
        }
    }
}

/// A decimal number like Java's `BigDecimal`: an integer, and the number of its digits after the point.
struct ScaledNumber {
    let unscaled: Int128
    let scale: Int

    init(unscaled: Int128, scale: Int) {
        self.unscaled = unscaled
        self.scale = scale
    }

    /// The number that a value prints as; 0 for a value that is not a number.
    init(_ value: TemplateValue) {
        guard let decimal = BigDecimalText(value.text), abs(decimal.scale) <= 400 else {
            self.init(unscaled: 0, scale: 0)
            return
        }
        // The digits that fit.
        let kept = decimal.digits.prefix(37)
        let digits = kept.reduce(Int128(0)) { $0 * 10 + Int128($1) }
        self.init(
            unscaled: decimal.isNegative ? -digits : digits, scale: decimal.scale - (decimal.digits.count - kept.count))
    }

    private static func power(_ exponent: Int) -> Int128? {
        guard (0...37).contains(exponent) else { return nil }
        return (0..<exponent).reduce(Int128(1)) { power, _ in power * 10 }
    }

    /// The same number with another scale; nil on overflow.
    private func rescaled(_ scale: Int) -> Int128? {
        guard let power = Self.power(scale - self.scale) else { return nil }
        let (product, isTooMuch) = unscaled.multipliedReportingOverflow(by: power)
        return isTooMuch ? nil : product
    }

    var double: Double { Double("\(unscaled)e\(-scale)") ?? .nan }

    /// A 64-bit integer, which may lose high bits, if there is no fraction; otherwise a double.
    private static func value(_ unscaled: Int128, _ scale: Int) -> TemplateValue {
        if scale == 0 { return .int(Int(truncatingIfNeeded: unscaled)) }
        return .double(ScaledNumber(unscaled: unscaled, scale: scale).double)
    }

    func combined(
        _ other: ScaledNumber, scale: Int, _ operation: (Int128, Int128) -> (partialValue: Int128, overflow: Bool)
    ) -> TemplateValue {
        if let left = rescaled(scale), let right = other.rescaled(scale) {
            let (result, isTooMuch) = operation(left, right)
            if !isTooMuch { return Self.value(result, scale) }
        }
        return .double(double + other.double)
    }

    func multiplied(by other: ScaledNumber) -> TemplateValue {
        let (product, isTooMuch) = unscaled.multipliedReportingOverflow(by: other.unscaled)
        return isTooMuch ? .double(double * other.double) : Self.value(product, scale + other.scale)
    }

    /// The quotient at the scale of the dividend, rounding half up.
    /// - Throws: `RenderError` for a division by zero.
    func divided(by other: ScaledNumber) throws(RenderError) -> TemplateValue {
        guard other.unscaled != 0 else { throw RenderError("/ by zero") }
        // One more digit for rounding.
        guard let dividend = rescaled(scale + max(other.scale, 0) + 1) else {
            return .double(double / other.double)
        }
        let quotient = dividend / other.unscaled
        let shift = max(-other.scale, 0)
        guard let power = Self.power(shift) else { return .double(double / other.double) }
        let (whole, last) = (quotient / power).quotientAndRemainder(dividingBy: 10)
        let rounded = abs(Int(last)) >= 5 ? whole + (quotient < 0 ? -1 : 1) : whole
        return Self.value(rounded, scale)
    }

    func remainder(by other: ScaledNumber) throws(RenderError) -> TemplateValue {
        guard other.unscaled != 0 else { throw RenderError("Division by zero") }
        let common = max(scale, other.scale)
        guard let left = rescaled(common), let right = other.rescaled(common) else {
            return .double(double.truncatingRemainder(dividingBy: other.double))
        }
        // Java subtracts the divisor times the integer quotient, which has as few digits as its scale allows.
        let preferred = scale - other.scale
        var (quotient, quotientScale) = (left / right, max(preferred, 0))
        if quotient == 0 { quotientScale = preferred }
        while quotientScale > preferred, quotient % 10 == 0 {
            quotient /= 10
            quotientScale -= 1
        }
        let resultScale = max(scale, quotientScale + other.scale)
        guard resultScale < common, let power = Self.power(common - resultScale) else {
            return Self.value(left % right, common)
        }
        return Self.value(left % right / power, resultScale)
    }
}
