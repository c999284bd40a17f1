/// Java's `DecimalFormat`.
struct JavaDecimalFormat {
    var prefix = ""
    var suffix = ""
    /// The prefix and suffix of negative numbers; nil for a minus sign before the positive prefix.
    var negative: (prefix: String, suffix: String)?
    var minimumInteger = 1
    var maximumInteger = Int.max
    var minimumFraction = 0
    var maximumFraction = 3
    /// The size of digit groups; 0 for none.
    var grouping = 3
    var isGrouped = true
    /// The power of ten by which numbers are multiplied: 2 for percent.
    var shift = 0
    /// The minimum number of exponent digits; nil for no exponent.
    var exponentDigits: Int?
    var rounding = DecimalText.Rounding.halfEven
    var signs = NumberSymbols.english
    /// Whether the number is a currency amount, which has its own separators.
    private var isCurrency = false

    static let number = JavaDecimalFormat()
    static let integer = JavaDecimalFormat(maximumFraction: 0)
    static let percent = JavaDecimalFormat(suffix: "%", maximumFraction: 0, shift: 2)
    static let currency = JavaDecimalFormat(prefix: "$", minimumFraction: 2, maximumFraction: 2)

    init(prefix: String = "", suffix: String = "", minimumFraction: Int = 0, maximumFraction: Int = 3, shift: Int = 0) {
        self.prefix = prefix
        self.suffix = suffix
        self.minimumFraction = minimumFraction
        self.maximumFraction = maximumFraction
        self.shift = shift
    }

    /// Parses a pattern such as `#,##0.00;(#)`.
    init(pattern: String, _ signs: NumberSymbols = .english) {
        self.signs = signs
        guard !pattern.isEmpty else {
            (minimumInteger, maximumFraction) = (0, 340)
            return
        }
        var parts: [String] = [""]
        var isQuoted = false
        for character in pattern {
            if character == "'" { isQuoted.toggle() }
            if character == ";", !isQuoted { parts.append("") } else { parts[parts.count - 1].append(character) }
        }
        read(parts[0])
        if parts.count > 1 {
            var other = JavaDecimalFormat()
            other.signs = signs
            other.read(parts[1])
            if (other.prefix, other.suffix) != (prefix, suffix) { negative = (other.prefix, other.suffix) }
        }
    }

    private mutating func read(_ pattern: String) {
        (prefix, suffix, minimumInteger, minimumFraction, maximumFraction, grouping) = ("", "", 0, 0, 0, 0)
        var isQuoted = false
        /// 0 before the number, 1 in its integer part, 2 in its fraction, 3 in the exponent, 4 after it.
        var phase = 0
        var sinceComma: Int?
        var wholeMarks = 0
        var hasPoint = false
        var currencySigns = 0
        for character in pattern {
            if character == "¤", !isQuoted {
                currencySigns += 1
                isCurrency = true
                if phase > 0 { phase = 4 }
                continue
            }
            writeCurrency(&currencySigns, isPrefix: phase == 0)
            if character == "'" {
                isQuoted.toggle()
                if phase > 0 { phase = 4 }
                continue
            }
            if !isQuoted, phase < 4 {
                switch character {
                case "#", "0":
                    if phase == 0 { phase = 1 }
                    if phase == 1 {
                        wholeMarks += 1
                        if character == "0" { minimumInteger += 1 }
                        sinceComma? += 1
                    } else if phase == 2 {
                        maximumFraction += 1
                        if character == "0" { minimumFraction += 1 }
                    } else if character == "0" {
                        exponentDigits? += 1
                    }
                    continue
                case "," where phase <= 1:
                    phase = 1
                    sinceComma = 0
                    continue
                case "." where phase <= 1:
                    phase = 2
                    hasPoint = true
                    continue
                case "E" where phase == 1 || phase == 2:
                    phase = 3
                    exponentDigits = 0
                    continue
                default: if phase > 0 { phase = 4 }
                }
            }
            var shown = character
            if !isQuoted {
                switch character {
                case "%": (shown, shift) = (signs.percent, 2)
                case "‰": (shown, shift) = (signs.perMille, 3)
                case "-": shown = signs.minus
                default: break
                }
            }
            if phase == 0 { prefix.append(shown) } else { suffix.append(shown) }
        }
        writeCurrency(&currencySigns, isPrefix: phase == 0)
        grouping = sinceComma ?? 0
        if exponentDigits != nil { maximumInteger = max(wholeMarks, 1) }
        // In a pattern with a point but no 0, the last # before the point counts as 0, or else the first one after it.
        if hasPoint, minimumInteger == 0, minimumFraction == 0 {
            if wholeMarks > 0 { minimumInteger = 1 } else { minimumFraction = min(1, maximumFraction) }
        }
    }

    /// Adds the text for a run of currency signs: the symbol for a single one, the code for each pair.
    private mutating func writeCurrency(_ count: inout Int, isPrefix: Bool) {
        guard count > 0 else { return }
        let text = String(repeating: signs.code, count: count / 2) + (count % 2 == 1 ? signs.symbol : "")
        if isPrefix { prefix += text } else { suffix += text }
        count = 0
    }

    /// - Parameters:
    ///   - digits: the digits without sign and point.
    ///   - point: the number of digits before the point.
    ///   - excess: the sign of the difference between the number and its digits.
    func text(_ digits: [UInt8], point: Int, isNegative: Bool, excess: Int = 0) -> String {
        // Trailing positions without digits are not generated.
        let known = max(minimumFraction, digits.count + max(-point, 0))
        guard maximumFraction <= known else {
            var format = self
            format.maximumFraction = known
            return format.text(digits, point: point, isNegative: isNegative, excess: excess)
        }
        let body: String
        if exponentDigits != nil {
            body = scientific(digits, point: point, isNegative: isNegative)
        } else {
            body = plain(
                DecimalText.rounded(
                    digits, point: point + shift, fraction: maximumFraction, rounding, isNegative, excess: excess))
        }
        guard isNegative else { return prefix + body + suffix }
        if let negative { return negative.prefix + body + negative.suffix }
        return String(signs.minus) + prefix + body + suffix
    }

    /// The digits in plain notation, with the minimum and maximum on both sides of the point, and groups.
    private func plain(_ rounded: String) -> String {
        let parts = rounded.split(separator: ".", maxSplits: 1)
        var whole = parts[0] == "0" ? "" : String(parts[0])
        var fraction = parts.count > 1 ? String(parts[1]) : ""
        while fraction.utf8.count > minimumFraction, fraction.last == "0" { fraction.removeLast() }
        if whole.utf8.count > maximumInteger { whole = String(whole.suffix(maximumInteger)) }
        whole = String(repeating: "0", count: max(minimumInteger - whole.utf8.count, 0)) + whole
        if whole.isEmpty, fraction.isEmpty { whole = "0" }
        if isGrouped, grouping > 0 {
            var grouped = ""
            let count = whole.utf8.count
            for (place, digit) in whole.enumerated() {
                if place > 0, (count - place) % grouping == 0 {
                    grouped.append(isCurrency ? signs.moneyGrouping : signs.grouping)
                }
                grouped.append(digit)
            }
            whole = grouped
        }
        return fraction.isEmpty ? whole : whole + String(isCurrency ? signs.moneyDecimal : signs.decimal) + fraction
    }

    private func scientific(_ digits: [UInt8], point: Int, isNegative: Bool) -> String {
        if maximumInteger > max(minimumInteger, 1), maximumInteger < 1000 {
            return engineering(digits, point: point, isNegative: isNegative)
        }
        let isZero = digits.allSatisfy { $0 == UInt8(ascii: "0") }
        let wholeDigits = max(minimumInteger, 1)
        var exponent = isZero ? 0 : point - wholeDigits
        var mantissa = DecimalText.rounded(
            digits, point: wholeDigits, fraction: maximumFraction, rounding, isNegative)
        if mantissa.prefix(while: { $0 != "." }).count > wholeDigits {
            exponent += 1
            mantissa = DecimalText.rounded(
                digits, point: wholeDigits - 1, fraction: maximumFraction, rounding, isNegative)
        }
        return plain(mantissa) + power(exponent)
    }

    private func power(_ exponent: Int) -> String {
        let digits = String(abs(exponent))
        let zeros = String(repeating: "0", count: max((exponentDigits ?? 0) - digits.count, 0))
        return signs.exponent + (exponent < 0 ? String(signs.minus) : "") + zeros + digits
    }

    /// The number with an exponent that is a multiple of the maximum number of integer digits, as for `##0.##E0`.
    private func engineering(_ digits: [UInt8], point: Int, isNegative: Bool) -> String {
        let zero = UInt8(ascii: "0")
        guard digits.contains(where: { $0 != zero }) else { return plain("0") + power(0) }
        let significant = maximumInteger + maximumFraction
        var shown = DecimalText.rounded(digits, point: 1, fraction: significant - 1, rounding, isNegative).utf8
            .filter { $0 != UInt8(ascii: ".") }
        let place = point + (shown.count > significant ? 1 : 0)
        while shown.count > 1, shown.last == zero { shown.removeLast() }
        let exponent = (place >= 1 ? place - 1 : place - maximumInteger) / maximumInteger * maximumInteger
        let whole = place - exponent
        while shown.count < max(minimumInteger + minimumFraction, whole) { shown.append(zero) }
        let fraction =
            shown.count > whole ? String(signs.decimal) + String(decoding: shown[whole...], as: UTF8.self) : ""
        return String(decoding: shown[..<whole], as: UTF8.self) + fraction + power(exponent)
    }
}
