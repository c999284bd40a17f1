import SDJSON

/// Number helpers, including those for random numbers.
enum NumberHelpers {
    static let table: [String: Helper] = [
        "isEven": parity("even", isWanted: { $0 == 0 }), "isOdd": parity("odd", isWanted: { $0 != 0 }),
        "stripes": { call throws(RenderError) in
            guard let number = call.subject.javaInt else { return .text("") }
            let text = call.parameter(number % 2 == 0 ? 1 : 2)
            return text.isNull ? .text(number % 2 == 0 ? "even" : "odd") : text
        },
        "numberFormat": NumberFormatHelper.helper, "math": MathHelper.helper,
        "randomInt": randomInt, "randomDecimal": randomDecimal, "randomValue": randomValue,
    ]

    /// A helper that prints a word for integers with the wanted remainder modulo 2, and nothing for other values.
    private static func parity(_ word: String, isWanted: @escaping @Sendable (Int32) -> Bool) -> Helper {
        { call throws(RenderError) in
            guard let number = call.subject.javaInt, isWanted(number % 2) else { return .text("") }
            return call.parameters.count > 1 ? call.parameter(1) : .text(word)
        }
    }

    private static let randomInt: Helper = { call throws(RenderError) in
        .int(try RandomInteger(call.options).sample(call.renderer.environment.system))
    }

    private static let randomDecimal: Helper = { call throws(RenderError) in
        let lower = call.option("lower")?.decimal ?? Double.leastNonzeroMagnitude
        let upper = call.option("upper")?.decimal ?? Double.greatestFiniteMagnitude
        guard lower < upper else { throw RenderError("bound must be greater than origin") }
        let random = Double(call.renderer.environment.system.random() >> 11) / Double(1 << 53)
        return .double(min(lower + random * (upper - lower), upper.nextDown))
    }

    private static let randomValue: Helper = { call throws(RenderError) in
        let system = call.renderer.environment.system
        if call.text("type") == "UUID" {
            return .text(RandomUUID.text(system, uppercase: call.isSet("uppercase")))
        }
        let text = try RandomText(call.options)
        try call.renderer.afford(text.cost)
        return .text(text.text(system))
    }
}

extension TemplateValue {
    /// The number, also of a numeric text.
    var decimal: Double? {
        if case .text(let text) = self { Double(text) } else { number }
    }

    /// The number rounded towards zero, also of a numeric text.
    var integer: Int? {
        switch self {
        case .int(let value): value
        case .text(let text): Int(text)
        default: number.flatMap { Int(exactly: $0.rounded(.towardZero)) }
        }
    }

    /// Java's `Number.intValue`: a double is clamped to 32 bits, an integer loses its high bits. Nil for values that
    /// are not numbers.
    var javaInt: Int32? {
        switch self {
        case .int(let value): return Int32(truncatingIfNeeded: value)
        case .double(let value):
            if value.isNaN { return 0 }
            return Int32(max(Double(Int32.min), min(Double(Int32.max), value.rounded(.towardZero))))
        case .decimal(let number):
            guard let decimal = BigDecimalText(number.text) else { return nil }
            let whole = decimal.plainText.prefix { $0 != "." }
            let low = whole.utf8.reduce(Int32(0)) { sum, byte in
                byte == UInt8(ascii: "-") ? sum : sum &* 10 &+ Int32(byte - UInt8(ascii: "0"))
            }
            return decimal.isNegative ? 0 &- low : low
        default: return nil
        }
    }
}
