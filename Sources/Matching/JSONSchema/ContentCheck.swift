import SDJSON

/// `contentEncoding` and `contentMediaType` of draft 7.
struct ContentCheck: Sendable {
    var isBase64 = false
    var isJSON = false

    func accepts(_ text: String) -> Bool {
        var bytes = Array(text.utf8)
        if isBase64 {
            guard let decoded = Self.decoded(bytes) else { return false }
            bytes = decoded
        }
        guard isJSON, !bytes.isEmpty else { return true }
        return (try? JSONValue(parsing: bytes)) != nil
    }

    /// Decodes base64 (RFC 4648, section 4). The padding may be omitted, but not partially.
    private static func decoded(_ text: [UInt8]) -> [UInt8]? {
        var content = text[...]
        if content.last == UInt8(ascii: "="), !text.count.isMultiple(of: 4) { return nil }
        for _ in 0..<2 where content.last == UInt8(ascii: "=") { content.removeLast() }
        guard content.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        var gathered: UInt32 = 0
        var bits = 0
        for byte in content {
            guard let digit = digit(byte) else { return nil }
            gathered = (gathered << 6 | digit) & 0xFFFF
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: gathered >> UInt32(bits)))
            }
        }
        return bytes
    }

    private static func digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a") + 26)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0") + 52)
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
