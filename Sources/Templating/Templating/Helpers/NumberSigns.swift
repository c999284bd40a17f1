import SDJavaTime

/// The signs of numbers in a locale (Java's `DecimalFormatSymbols`).
struct NumberSigns {
    var decimal: Character = "."
    var grouping: Character = ","
    var minus: Character = "-"
    var percent: Character = "%"
    var perMille: Character = "‰"
    /// The separators of amounts of money.
    var moneyDecimal: Character = "."
    var moneyGrouping: Character = ","
    /// What stands before an exponent.
    var exponent = "E"
    /// The currency's symbol and its code, such as `€` and `EUR`.
    var symbol = "$"
    var code = "USD"

    static let english = NumberSigns()

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
        var format = JavaDecimalFormat(pattern: String(locale["number"]), NumberSigns(locale))
        (format.minimumFraction, format.maximumFraction) = (0, 0)
        return format
    }

    static func percent(_ locale: JavaLocale) -> JavaDecimalFormat {
        JavaDecimalFormat(pattern: String(locale["percent"]), NumberSigns(locale))
    }

    static func currency(_ locale: JavaLocale) -> JavaDecimalFormat {
        var format = JavaDecimalFormat(pattern: String(locale["currency"]), NumberSigns(locale))
        let decimals = Int(locale["decimals"]) ?? 2
        (format.minimumFraction, format.maximumFraction) = (decimals, decimals)
        return format
    }
}
