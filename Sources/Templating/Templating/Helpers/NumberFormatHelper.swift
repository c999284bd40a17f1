import SDJSON

/// Handlebars' helper `numberFormat`.
enum NumberFormatHelper {
    /// The maximum number of digits before or after the point of a number with an exponent.
    private static let maxDigits = 1 << 20

    static let helper: Helper = { call throws(RenderError) in
        let value = call.parameter(0)
        guard let (digits, point, isNegative) = value.decimalDigits else { return call.parameter(1) }
        guard abs(point) <= maxDigits else { throw RenderError("a number of more than \(maxDigits) digits") }
        try call.renderer.afford(20 * (digits.count + abs(point)))
        let locale = try call.locale(LocaleUse.numberFormat)
        var format = JavaDecimalFormat.number
        if call.parameters.count > 1 {
            guard case .text(let style) = call.parameter(1) else {
                throw RenderError(
                    "java.lang.IllegalArgumentException: found '\(call.parameter(1).text)', expected 'string'")
            }
            switch style.lowercased() {
            case "integer": format = locale.map(JavaDecimalFormat.integer) ?? .integer
            case "percent": format = locale.map(JavaDecimalFormat.percent) ?? .percent
            case "currency": format = locale.map(JavaDecimalFormat.currency) ?? .currency
            default: format = JavaDecimalFormat(pattern: style, locale.map(NumberSymbols.init) ?? .english)
            }
        }
        if let isGrouped = call.option("groupingUsed") { format.isGrouped = isGrouped.isTrue }
        if case .int(let count)? = call.option("maximumFractionDigits") {
            format.maximumFraction = max(count, 0)
            format.minimumFraction = min(format.minimumFraction, format.maximumFraction)
        }
        if case .int(let count)? = call.option("minimumFractionDigits") {
            format.minimumFraction = min(max(count, 0), 340)
            format.maximumFraction = max(format.maximumFraction, format.minimumFraction)
        }
        if case .int(let count)? = call.option("maximumIntegerDigits") {
            format.maximumInteger = max(count, 0)
            format.minimumInteger = min(format.minimumInteger, format.maximumInteger)
        }
        if case .int(let count)? = call.option("minimumIntegerDigits") {
            format.minimumInteger = min(max(count, 0), 309)
            format.maximumInteger = max(format.maximumInteger, format.minimumInteger)
        }
        if let name = call.text("roundingMode") {
            guard let rounding = DecimalText.Rounding(rawValue: name.uppercased()) else {
                throw RenderError(
                    "java.lang.IllegalArgumentException: No enum constant java.math.RoundingMode.\(name.uppercased())")
            }
            format.rounding = rounding
        }
        // For a double, Java rounds a half by the digits that its shortest text omits.
        var excess = if case .double(let double) = value { DecimalText.excess(of: double.magnitude) } else { 0 }
        // Java writes 0.0005 as 5.0E-4, and the zero in it hides the rest.
        if format.rounding == .halfEven, digits.count == 1, point < -2, excess > 0 { excess = -1 }
        return .text(format.text(digits, point: point, isNegative: isNegative, excess: excess))
    }
}

extension TemplateValue {
    /// The digits of a number without sign and point, and how many are before the point; nil for other values.
    fileprivate var decimalDigits: (digits: [UInt8], point: Int, isNegative: Bool)? {
        switch self {
        case .int(let value):
            let digits = Array(String(value.magnitude).utf8)
            return (digits, digits.count, value < 0)
        case .double(let value):
            guard value.isFinite else { return nil }
            let (digits, exponent) = value == 0 ? ("0", 0) : Self.shortestDigits(abs(value))
            return (Array(digits.utf8), exponent + 1, value.sign == .minus)
        case .decimal(let number):
            guard let decimal = BigDecimalText(number.text) else { return nil }
            let digits = decimal.digits.map { $0 + UInt8(ascii: "0") }
            return (digits, digits.count - decimal.scale, decimal.isNegative)
        default: return nil
        }
    }
}
