import SDJSON

/// Helpers for numbers, and those that draw random ones.
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

    /// A word for numbers with a remainder of 2 that is wanted; nothing for other numbers and other values.
    private static func parity(_ word: String, isWanted: @escaping @Sendable (Int32) -> Bool) -> Helper {
        { call throws(RenderError) in
            guard let number = call.subject.javaInt, isWanted(number % 2) else { return .text("") }
            return call.parameters.count > 1 ? call.parameter(1) : .text(word)
        }
    }

    private static let randomInt: Helper = { call throws(RenderError) in
        let lower = call.option("lower")?.integer ?? Int(Int32.min)
        let upper = call.option("upper")?.integer ?? Int(Int32.max)
        guard lower < upper else { throw RenderError("bound must be greater than origin") }
        let random = call.renderer.environment.system.random()
        // The distance may be more than an integer holds.
        let distance = UInt64(bitPattern: Int64(upper &- lower))
        return .int(lower &+ Int(truncatingIfNeeded: random % distance))
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
        let type = call.text("type") ?? "ALPHANUMERIC"
        if type == "UUID" {
            let uuid = uuid(system)
            return .text(call.isSet("uppercase") ? uuid.uppercased() : uuid)
        }
        let length = call.option("length")?.integer ?? 36
        guard (0...1 << 20).contains(length) else { throw RenderError("a random value of \(length) characters") }
        try call.renderer.afford(30 * length)
        let alphabet: [UInt8] =
            switch type {
            case "ALPHANUMERIC": digits + letters
            case "ALPHABETIC": letters
            case "NUMERIC": digits
            case "HEXADECIMAL": Array("0123456789abcdef".utf8)
            case "ALPHANUMERIC_AND_SYMBOLS": Array(33...125)
            default: Array(32...126)
            }
        let bytes = (0..<length).map { _ in alphabet[Int(system.random() % UInt64(alphabet.count))] }
        return .text(cased(String(decoding: bytes, as: UTF8.self), call))
    }

    private static let digits = Array("0123456789".utf8)
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

    private static func cased(_ text: String, _ call: HelperCall) -> String {
        call.isSet("uppercase") ? text.uppercased() : text.lowercased()
    }

    /// A random UUID of version 4.
    static func uuid(_ system: any RenderSystem) -> String {
        // Byte 6 has the version, byte 8 the variant; a word's lowest byte comes first.
        let first = system.random() & ~(0xF0 << 48) | 0x40 << 48
        let second = system.random() & ~0xC0 | 0x80
        func digit(_ value: UInt64) -> UInt8 {
            UInt8(truncatingIfNeeded: value < 10 ? 0x30 + value : 0x61 + value - 10)
        }
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for index in 0..<16 {
            if index == 4 || index == 6 || index == 8 || index == 10 { text.append(UInt8(ascii: "-")) }
            let byte = (index < 8 ? first : second) >> UInt64(index % 8 * 8) & 0xFF
            text.append(digit(byte >> 4))
            text.append(digit(byte & 15))
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension TemplateValue {
    /// The number; also of a text that is one.
    var decimal: Double? {
        if case .text(let text) = self { Double(text) } else { number }
    }

    /// The number, rounded towards zero; also of a text that is a number.
    var integer: Int? {
        switch self {
        case .int(let value): value
        case .text(let text): Int(text)
        default: number.flatMap { Int(exactly: $0.rounded(.towardZero)) }
        }
    }

    /// Java's `Number.intValue`: a double is cut to 32 bits at their ends, an integer loses its high bits. Nil for
    /// values that are no numbers.
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
