import SDJSON

/// Values in Java's form, which WireMock's sub-matchers see.
enum JavaText {
    /// A number: whole numbers unchanged, others like `Double.toString`, or like `BigDecimal` if a double would lose
    /// digits.
    static func of(_ number: JSONNumber) -> String {
        let text = number.text
        if !text.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }) {
            return text == "-0" ? "0" : text
        }
        return text.utf8.count > 18 ? text : of(number.doubleValue)
    }

    /// A double like `Double.toString`: plain from 0.001 up to 10,000,000, otherwise `d.dddE±n`.
    static func of(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
        let magnitude = value.magnitude
        guard let plain = JSONNumber(value)?.text, magnitude != 0, magnitude < 1e-3 || magnitude >= 1e7 else {
            return JSONNumber(value)?.text ?? "0.0"
        }
        let digits = plain.utf8.filter { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "-") }
        let leadingZeros = digits.prefix { $0 == UInt8(ascii: "0") }.count
        let wholeDigits = plain.utf8.drop { $0 == UInt8(ascii: "-") }.prefix { $0 != UInt8(ascii: ".") }.count
        var significant = digits.dropFirst(leadingZeros)
        while significant.count > 1, significant.last == UInt8(ascii: "0") { significant.removeLast() }
        let first = String(decoding: significant.prefix(1), as: UTF8.self)
        let rest = significant.count == 1 ? "0" : String(decoding: significant.dropFirst(), as: UTF8.self)
        return "\(value < 0 ? "-" : "")\(first).\(rest)E\(wholeDigits - 1 - leadingZeros)"
    }

    /// An element of a list; nil for null. Objects are printed like Java's maps (`{k=v}`), lists as JSON.
    static func of(element value: JSONValue) -> String? {
        value.isNull ? nil : mapText(value)
    }

    private static func mapText(_ value: JSONValue) -> String {
        switch value {
        case .null: return "null"
        case .bool(let value): return value ? "true" : "false"
        case .number(let number): return of(number)
        case .string(let text): return text
        case .array: return String(decoding: jsonSmart(value), as: UTF8.self)
        case .object(let object):
            return "{" + object.members.map { "\($0.key)=\(mapText($0.value))" }.joined(separator: ", ") + "}"
        }
    }

    /// Compact JSON as the json-smart library writes it, which also escapes `/` and some invisible characters.
    private static func jsonSmart(_ value: JSONValue) -> [UInt8] {
        var bytes: [UInt8] = []
        write(value, to: &bytes)
        return bytes
    }

    private static func write(_ value: JSONValue, to bytes: inout [UInt8]) {
        switch value {
        case .null, .bool: bytes.append(contentsOf: value.compactBytes)
        case .number(let number): bytes.append(contentsOf: of(number).utf8)
        case .string(let text): write(text, to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (place, element) in elements.enumerated() {
                if place > 0 { bytes.append(UInt8(ascii: ",")) }
                write(element, to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object):
            bytes.append(UInt8(ascii: "{"))
            for (place, member) in object.members.enumerated() {
                if place > 0 { bytes.append(UInt8(ascii: ",")) }
                write(member.key, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                write(member.value, to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x22: bytes.append(contentsOf: "\\\"".utf8)
            case 0x5C: bytes.append(contentsOf: "\\\\".utf8)
            case 0x2F: bytes.append(contentsOf: "\\/".utf8)
            case 0x08: bytes.append(contentsOf: "\\b".utf8)
            case 0x09: bytes.append(contentsOf: "\\t".utf8)
            case 0x0A: bytes.append(contentsOf: "\\n".utf8)
            case 0x0C: bytes.append(contentsOf: "\\f".utf8)
            case 0x0D: bytes.append(contentsOf: "\\r".utf8)
            case 0..<0x20, 0x7F...0x9F, 0x2000...0x20FF:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                bytes.append(contentsOf: "\\u".utf8)
                for _ in digits.utf8.count..<4 { bytes.append(UInt8(ascii: "0")) }
                bytes.append(contentsOf: digits.utf8)
            default: bytes.append(contentsOf: String(scalar).utf8)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
