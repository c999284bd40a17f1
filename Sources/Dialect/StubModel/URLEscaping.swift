/// Percent-encoding for parts of a URL (RFC 3986, section 2.1).
package enum URLEscaping {
    /// A text within a path segment or a query: all characters except unreserved ones (section 2.3) as %XX.
    package static func component(_ text: String) -> String { escaping(text) { !isUnreserved($0) } }

    /// The text with the bytes that satisfy the condition as %XX.
    package static func escaping(_ text: String, where mustEscape: (UInt8) -> Bool) -> String {
        guard text.utf8.contains(where: mustEscape) else { return text }
        var escaped = ""
        for byte in text.utf8 {
            if mustEscape(byte) {
                escaped += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            } else {
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            }
        }
        return escaped
    }

    /// A path with as few escapes as possible: only for characters that a path cannot contain or that would change its
    /// meaning. Paths that decode to the same text have the same result.
    package static func plainPath(_ path: some Sequence<UInt8>) -> [UInt8] {
        let bytes = Array(path)
        var plain: [UInt8] = []
        plain.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            var byte = bytes[index]
            var isEscaped = false
            if byte == UInt8(ascii: "%"), index + 2 < bytes.count, let high = hexValue(bytes[index + 1]),
                let low = hexValue(bytes[index + 2])
            {
                byte = high << 4 | low
                isEscaped = true
                index += 2
            }
            index += 1
            if byte <= 0x20 || byte >= 0x7F || isEscaped && "/%?#{}".utf8.contains(byte) {
                plain += [UInt8(ascii: "%"), hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]]
            } else {
                plain.append(byte)
            }
        }
        return plain
    }

    private static let hexDigits = Array("0123456789ABCDEF".utf8)

    private static func hexValue(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
