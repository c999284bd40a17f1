extension TextPosition {
    /// A description of the text at `offset`: the word that starts there, one character, or an invalid byte.
    public static func description(of offset: Int, in bytes: [UInt8]) -> String {
        guard offset < bytes.count else { return bytes.isEmpty ? "an empty text" : "the end of the text" }
        let byte = bytes[offset]
        if byte < 0x20 || byte == 0x7F {
            return switch byte {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): "the end of the line"
            case UInt8(ascii: "\t"): "a tab"
            default: "the control character \(hex(byte))"
            }
        }
        let word = bytes[offset...].prefix { byte in
            switch byte | 0x20 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            }
        }
        if !word.isEmpty { return "\"" + String(decoding: word.prefix(40), as: UTF8.self) + "\"" }
        guard let character = character(at: offset, in: bytes) else {
            return "the byte \(hex(byte)), which is not UTF-8"
        }
        return "\"\(character)\""
    }

    /// The character at `offset`; nil at the end, and where the bytes are not UTF-8.
    public static func character(at offset: Int, in bytes: [UInt8]) -> Unicode.Scalar? {
        guard offset < bytes.count, let length = characterLength(at: offset, in: bytes) else { return nil }
        return String(decoding: bytes[offset..<offset + length], as: UTF8.self).unicodeScalars.first
    }

    /// The length in bytes of the UTF-8 character at `offset`; nil if there is none.
    static func characterLength(at offset: Int, in bytes: [UInt8]) -> Int? {
        var iterator = bytes[offset...].prefix(4).makeIterator()
        var parser = Unicode.UTF8.ForwardParser()
        guard case .valid(let encoded) = parser.parseScalar(from: &iterator) else { return nil }
        return encoded.count
    }

    /// The byte in hexadecimal: `0xE4`.
    public static func hex(_ byte: UInt8) -> String {
        "0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
}
