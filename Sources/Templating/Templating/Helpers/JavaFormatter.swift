import SDJSON

/// Java's `String.format` in the English locale: `%s %d %x %o %c %b %f %e %g %n %%` with flags, width, precision and
/// argument index.
enum JavaFormatter {
    /// - Throws: Java's message about a format that does not fit its arguments, or `RenderError.outOfTime`.
    static func text(
        _ format: String, _ arguments: [TemplateValue], _ renderer: Renderer
    ) throws(RenderError) -> String {
        var result = ""
        var rest = format[...]
        var next = 0
        // The index of the previous argument, for `%<s`.
        var last = -1
        while let percent = rest.firstIndex(of: "%") {
            result += rest[..<percent]
            rest = rest[rest.index(after: percent)...]
            guard let specifier = Specifier(&rest) else { throw RenderError("Conversion = '%'") }
            switch specifier.conversion {
            case "%":
                result += specifier.padded("%")
                continue
            case "n":
                result += "\n"
                continue
            default: break
            }
            let place: Int
            if specifier.flags.contains("<") {
                place = last
            } else if let index = specifier.index {
                place = index - 1
            } else {
                place = next
                next += 1
            }
            last = place
            guard arguments.indices.contains(place) else {
                throw RenderError("Format specifier '\(specifier.text)'")
            }
            // An argument may be used any number of times.
            guard renderer.environment.tryReserveText(of: arguments[place]) else { throw .outOfTime }
            try renderer.afford(10 * (specifier.width + (specifier.precision ?? 0)))
            result += try specifier.format(arguments[place])
            guard result.utf8.count < 1 << 24 else { throw RenderError("the formatted text is too long") }
        }
        return result + rest
    }

    private struct Specifier {
        var index: Int?
        var flags: Set<Character> = []
        var width = 0
        var precision: Int?
        var conversion: Character = "s"
        var text = "%"

        /// Parses a specifier after a percent sign; nil if it is invalid.
        init?(_ rest: inout Substring) {
            let start = rest
            func digits() -> Int? {
                let digits = rest.prefix { $0.isASCII && $0.isNumber }
                guard !digits.isEmpty, let value = Int(digits), value < 1 << 20 else { return nil }
                rest = rest.dropFirst(digits.count)
                return value
            }
            let begin = rest
            if rest.first != "0", let index = digits(), rest.first == "$" {
                self.index = index
                rest = rest.dropFirst()
            } else {
                rest = begin
            }
            while let flag = rest.first, "-#+ 0,(<".contains(flag) {
                flags.insert(flag)
                rest = rest.dropFirst()
            }
            width = digits() ?? 0
            if rest.first == "." {
                rest = rest.dropFirst()
                guard let digits = digits() else { return nil }
                precision = digits
            }
            guard let letter = rest.first else { return nil }
            conversion = letter
            rest = rest.dropFirst()
            text += start[..<rest.startIndex]
        }

        func padded(_ text: String) -> String {
            let missing = width - text.utf16.count
            guard missing > 0 else { return text }
            let space = String(repeating: " ", count: missing)
            return flags.contains("-") ? text + space : space + text
        }

        func format(_ value: TemplateValue) throws(RenderError) -> String {
            let isUpper = conversion.isUppercase
            let body: String
            switch conversion.lowercased() {
            case "s":
                let text = value.isNull ? "null" : value.text
                body = padded(precision.map { TextHelpers.text(text.utf16.prefix($0)) } ?? text)
            case "b":
                let truth: Bool = if case .bool(let bool) = value { bool } else { !value.isNull }
                body = padded(truth ? "true" : "false")
            case "c":
                if value.isNull {
                    body = padded("null")
                } else {
                    guard case .int(let code) = value, let scalar = UInt32(exactly: code).flatMap(Unicode.Scalar.init)
                    else { throw mismatch(value) }
                    body = padded(String(scalar))
                }
            case "d": body = try integer(value)
            case "x": body = try radix(value, 16)
            case "o": body = try radix(value, 8)
            case "a":
                guard let double = value.number, double.isFinite else { throw mismatch(value) }
                body = padded(Self.hexadecimal(double))
            case "f", "e", "g": body = try decimal(value)
            case "h": body = padded(String(UInt32(bitPattern: javaHash(value)), radix: 16))
            default: throw RenderError("Conversion = '\(conversion)'")
            }
            return isUpper ? body.uppercased() : body
        }

        /// Java's `hashCode`.
        private func javaHash(_ value: TemplateValue) -> Int32 {
            switch value {
            case .bool(let bool): return bool ? 1231 : 1237
            case .int(let int):
                return Int32(exactly: int)
                    ?? Int32(truncatingIfNeeded: int ^ Int(bitPattern: UInt(bitPattern: int) >> 32))
            case .double(let double):
                return Int32(truncatingIfNeeded: double.bitPattern ^ double.bitPattern >> 32)
            default: return value.text.javaHashCode
            }
        }

        private func mismatch(_ value: TemplateValue) -> RenderError {
            let kind =
                switch value {
                case .text: "a text"
                case .int: "a whole number"
                case .double, .decimal: "a number with a fraction"
                case .bool: "a boolean"
                default: "a value of another kind"
                }
            return RenderError("stringFormat: `%\(conversion)` does not print \(kind), found '\(value.text)'")
        }

        private func signed(_ digits: String, isNegative: Bool) -> String {
            let sign: String
            var tail = ""
            if isNegative {
                sign = flags.contains("(") ? "(" : "-"
                if flags.contains("(") { tail = ")" }
            } else {
                sign = flags.contains("+") ? "+" : flags.contains(" ") ? " " : ""
            }
            var digits = digits
            if flags.contains("0") {
                let missing = width - digits.count - sign.count - tail.count
                if missing > 0 { digits = String(repeating: "0", count: missing) + digits }
            }
            return padded(sign + digits + tail)
        }

        private static func grouped(_ digits: String) -> String {
            let parts = digits.split(separator: ".", maxSplits: 1)
            var whole = ""
            let count = parts.first?.utf8.count ?? 0
            for (place, digit) in (parts.first ?? "").enumerated() {
                if place > 0, (count - place) % 3 == 0 { whole += "," }
                whole.append(digit)
            }
            return parts.count > 1 ? whole + "." + parts[1] : whole
        }

        private func integer(_ value: TemplateValue) throws(RenderError) -> String {
            let text: String
            switch value {
            case .null: return padded("null")
            case .int(let int): text = String(int.magnitude)
            case .decimal(let number) where BigDecimalText(number.text)?.scale == 0:
                text = number.text.filter { $0 != "-" }
            default: throw mismatch(value)
            }
            return signed(flags.contains(",") ? Self.grouped(text) : text, isNegative: (value.number ?? 0) < 0)
        }

        private func radix(_ value: TemplateValue, _ radix: Int) throws(RenderError) -> String {
            if value.isNull { return padded("null") }
            guard case .int(let int) = value else { throw mismatch(value) }
            let bits =
                Int32(exactly: int).map { String(UInt32(bitPattern: $0), radix: radix) }
                ?? String(UInt64(bitPattern: Int64(int)), radix: radix)
            var text = flags.contains("#") ? (radix == 16 ? "0x" : "0") + bits : bits
            if flags.contains("0"), text.count < width {
                text = String(repeating: "0", count: width - text.count) + text
            }
            return padded(text)
        }

        /// The digits of a decimal number without sign, and how many are before the point.
        private struct Digits {
            let digits: [UInt8]
            let point: Int

            var isZero: Bool { digits.allSatisfy { $0 == UInt8(ascii: "0") } }

            func rounded(shiftedBy shift: Int = 0, fraction: Int) -> String {
                DecimalText.rounded(digits, point: point + shift, fraction: fraction, .halfUp, false)
            }
        }

        private func decimal(_ value: TemplateValue) throws(RenderError) -> String {
            let number: Digits
            let isNegative: Bool
            switch value {
            case .null: return padded("null")
            case .double(let double):
                if !double.isFinite { return padded(TemplateValue.javaText(double)) }
                let (text, exponent) = double == 0 ? ("0", 0) : TemplateValue.shortestDigits(abs(double))
                number = Digits(digits: Array(text.utf8), point: exponent + 1)
                isNegative = double.sign == .minus
            case .decimal(let decimal):
                guard let decimal = BigDecimalText(decimal.text), abs(decimal.scale) < 10_000 else {
                    throw mismatch(value)
                }
                number = Digits(
                    digits: decimal.digits.map { $0 + UInt8(ascii: "0") }, point: decimal.digits.count - decimal.scale)
                isNegative = decimal.isNegative
            default: throw mismatch(value)
            }
            let digits = precision ?? 6
            var text: String
            switch conversion.lowercased() {
            case "e": text = Self.scientific(number, digits)
            case "g":
                let significant = max(digits, 1)
                if number.isZero || (number.point > -4 && number.point <= significant) {
                    let whole = number.isZero ? 1 : number.point
                    text = number.rounded(fraction: max(significant - whole, 0))
                } else {
                    text = Self.scientific(number, significant - 1)
                }
            default: text = number.rounded(fraction: digits)
            }
            if flags.contains(",") { text = Self.grouped(text) }
            return signed(text, isNegative: isNegative)
        }

        /// Java's `Double.toHexString`, without a precision.
        private static func hexadecimal(_ value: Double) -> String {
            let sign = value.sign == .minus ? "-0x" : "0x"
            if value == 0 { return sign + "0.0p0" }
            var fraction = String(value.significandBitPattern, radix: 16)
            fraction = String(repeating: "0", count: 13 - fraction.count) + fraction
            while fraction.count > 1, fraction.hasSuffix("0") { fraction.removeLast() }
            return value.isNormal
                ? "\(sign)1.\(fraction)p\(Int(value.exponentBitPattern) - 1023)" : "\(sign)0.\(fraction)p-1022"
        }

        private static func scientific(_ number: Digits, _ digits: Int) -> String {
            guard !number.isZero else { return number.rounded(fraction: digits) + "e+00" }
            var exponent = number.point - 1
            var mantissa = number.rounded(shiftedBy: -exponent, fraction: digits)
            if mantissa.hasPrefix("10") {
                exponent += 1
                mantissa = number.rounded(shiftedBy: -exponent, fraction: digits)
            }
            let sign = exponent < 0 ? "-" : "+"
            return "\(mantissa)e\(sign)\(abs(exponent) < 10 ? "0" : "")\(abs(exponent))"
        }
    }
}
