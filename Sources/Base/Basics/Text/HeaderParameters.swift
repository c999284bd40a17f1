/// Parameters in a header value, such as the `boundary` of a Content-Type (RFC 9110, section 5.6.6).
public enum HeaderParameters {
    /// The value of the parameter `name`, unquoted and unescaped; nil if it is missing. Names compare
    /// case-insensitively.
    public static func value(_ name: String, in text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        for parameter in parts(of: text).dropFirst() {
            guard let equals = parameter.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let key = String(decoding: trimmed(parameter[..<equals]), as: UTF8.self)
            if key.lowercased() == name { return unquoted(trimmed(parameter[(equals + 1)...])) }
        }
        return nil
    }

    /// Splits the text at semicolons outside of quotes.
    private static func parts(of text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var start = text.startIndex
        var isQuoted = false
        var isEscaped = false
        for index in text.indices {
            if isEscaped {
                isEscaped = false
                continue
            }
            switch text[index] {
            case UInt8(ascii: "\\"): isEscaped = isQuoted
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ";") where !isQuoted:
                parts.append(text[start..<index])
                start = index + 1
            default: break
            }
        }
        parts.append(text[start...])
        return parts
    }

    private static func unquoted(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard value.count > 1, value.first == UInt8(ascii: "\""), value.last == UInt8(ascii: "\"") else { return value }
        let inner = value.dropFirst().dropLast()
        guard inner.contains(UInt8(ascii: "\\")) else { return inner }
        var plain: [UInt8] = []
        var isEscaped = false
        for byte in inner {
            if byte == UInt8(ascii: "\\"), !isEscaped {
                isEscaped = true
            } else {
                plain.append(byte)
                isEscaped = false
            }
        }
        return plain[...]
    }

    /// The text without surrounding spaces and tabs.
    public static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var text = text.drop { $0 == 0x20 || $0 == 0x09 }
        while text.last == 0x20 || text.last == 0x09 { text = text.dropLast() }
        return text
    }
}
