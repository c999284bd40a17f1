import SDJavaTime

/// The number symbols of a locale (Java's `DecimalFormatSymbols`).
struct NumberSymbols {
    var decimal: Character = "."
    var grouping: Character = ","
    var minus: Character = "-"
    var percent: Character = "%"
    var perMille: Character = "‰"
    /// The decimal separator of currency amounts.
    var moneyDecimal: Character = "."
    var moneyGrouping: Character = ","
    /// The exponent sign.
    var exponent = "E"
    /// The currency's symbol and code, such as `€` and `EUR`.
    var symbol = "$"
    var code = "USD"

    static let english = NumberSymbols()

    private init() {}

    init(_ locale: JavaLocale) {
        let signs = Array(locale["signs"])
        if signs.count > 7 {
            (decimal, grouping, minus, percent) = (signs[0], signs[1], signs[2], signs[3])
            (perMille, moneyDecimal, moneyGrouping) = (signs[4], signs[5], signs[6])
            exponent = String(signs[7...])
        }
        (symbol, code) = (String(locale["symbol"]), String(locale["code"]))
    }
}

extension JavaDecimalFormat {
    static func integer(_ locale: JavaLocale) -> JavaDecimalFormat {
        var format = JavaDecimalFormat(pattern: String(locale["number"]), NumberSymbols(locale))
        (format.minimumFraction, format.maximumFraction) = (0, 0)
        return format
    }

    static func percent(_ locale: JavaLocale) -> JavaDecimalFormat {
        JavaDecimalFormat(pattern: String(locale["percent"]), NumberSymbols(locale))
    }

    static func currency(_ locale: JavaLocale) -> JavaDecimalFormat {
        var format = JavaDecimalFormat(pattern: String(locale["currency"]), NumberSymbols(locale))
        let decimals = Int(locale["decimals"]) ?? 2
        (format.minimumFraction, format.maximumFraction) = (decimals, decimals)
        return format
    }
}
