import SDBasics
import SDJSON
import SDJavaTime

extension TemplateValue {
    /// The value as Java's `toString` prints it; empty for null.
    public var text: String {
        switch self {
        case .null: ""
        case .bool(let value): value ? "true" : "false"
        case .int(let value): String(value)
        case .double(let value): Self.javaText(value)
        case .decimal(let number): number.bigDecimalText
        case .text(let text): text
        case .list(let elements): "[" + elements.map(\.textInside).joined(separator: ", ") + "]"
        case .map(let map):
            "{" + map.members.map { "\($0.key)=\($0.value.textInside)" }.joined(separator: ", ") + "}"
        case .values(let values): values.first?.text ?? ""
        case .json(let json):
            if case .object = json {
                json.rewritten(leavingOutNulls: true) { $0.smart }.prettyText
            } else {
                json.rewritten(leavingOutNulls: false) { $0.smart }.compactText
            }
        case .date(let date): date.text
        case .object(let object): object.text
        }
    }

    /// The simple name of WireMock's Java class for the value.
    var javaType: String {
        switch self {
        case .null: "null"
        case .bool: "Boolean"
        case .int(let value): Int32(exactly: value) == nil ? "Long" : "Integer"
        case .double: "Double"
        case .decimal(let number): number.text.contains(".") ? "BigDecimal" : "BigInteger"
        case .text: "String"
        case .list, .values: "ArrayList"
        case .map: "LinkedHashMap"
        case .json: "JsonData"
        case .date: "RenderableDate"
        case .object: "HashMap"
        }
    }

    /// The text inside a list or map.
    private var textInside: String {
        if case .null = self { "null" } else { text }
    }

    /// Java's `Double.toString`: always with a fraction, and with an exponent from ten million and below a thousandth.
    static func javaText(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
        let sign = value.sign == .minus ? "-" : ""
        let magnitude = abs(value)
        if magnitude == 0 { return sign + "0.0" }
        // The shortest digits that parse back to the value, and the exponent of the first digit.
        let (digits, exponent) = shortestDigits(magnitude)
        if magnitude >= 1e-3, magnitude < 1e7 {
            if exponent < 0 { return sign + "0." + String(repeating: "0", count: -exponent - 1) + digits }
            let whole = digits.prefix(exponent + 1)
            let padded = whole + String(repeating: "0", count: exponent + 1 - whole.count)
            let fraction = digits.dropFirst(exponent + 1)
            return sign + padded + "." + (fraction.isEmpty ? "0" : fraction)
        }
        let fraction = digits.dropFirst()
        return "\(sign)\(digits.prefix(1)).\(fraction.isEmpty ? "0" : fraction)E\(exponent)"
    }

    static func shortestDigits(_ value: Double) -> (digits: String, exponent: Int) {
        let text = value.description
        let mark = text.firstIndex(of: "e")
        let mantissa = text[..<(mark ?? text.endIndex)]
        var exponent = mark.flatMap { Int(text[text.index(after: $0)...]) } ?? 0
        let whole = mantissa.prefix { $0 != "." }
        let fraction = mantissa.dropFirst(whole.count + 1)
        var digits = String(whole + fraction)
        exponent += whole.count - 1
        while digits.hasPrefix("0"), digits.count > 1 {
            digits.removeFirst()
            exponent -= 1
        }
        while digits.hasSuffix("0"), digits.count > 1 { digits.removeLast() }
        return (digits, exponent)
    }

    /// The value as JSON, complete.
    var json: JSONValue {
        switch self {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .int(let value): return .number(JSONNumber(value))
        case .double(let value):
            return value.isFinite ? .number(JSONNumber(validText: Self.javaText(value))) : .string(Self.javaText(value))
        case .decimal(let number): return .number(number)
        case .text(let text): return .string(text)
        case .list(let elements): return .array(elements.map(\.json))
        case .map(let map): return .object(JSONObject(map.members.map { ($0.key, $0.value.json) }))
        case .values(let values): return values.count == 1 ? values[0].json : .array(values.map(\.json))
        case .json(let json): return json
        case .date(let date): return .string(date.text)
        case .object(let object):
            if let members = object.members { return .object(JSONObject(members.map { ($0.key, $0.value.json) })) }
            return object.elements.map { .array($0.map(\.json)) } ?? .string(object.text)
        }
    }

    /// The value as Jackson writes it: decimals without exponents, and no null members.
    var written: JSONValue {
        func object(_ members: [(key: String, value: TemplateValue)]) -> JSONValue {
            .object(JSONObject(members.filter { !$0.value.isNull }.map { ($0.key, $0.value.written) }))
        }
        switch self {
        case .decimal(let number): return .number(number.plain)
        case .list(let elements): return .array(elements.map(\.written))
        case .values(let values): return values.count == 1 ? values[0].written : .array(values.map(\.written))
        case .map(let map): return object(map.members)
        case .json(let json): return json.rewritten(leavingOutNulls: true) { $0.smart }
        case .object(let value): return value.members.map(object) ?? json
        default: return json
        }
    }
}

extension TemplateDate {
    /// The text that it prints as.
    var text: String {
        if let rendered { return rendered }
        var text: [UInt8] = []
        write(to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}

extension String {
    /// Java's `String.hashCode`.
    var javaHashCode: Int32 { utf16.reduce(Int32(0)) { $0 &* 31 &+ Int32($1) } }
}
