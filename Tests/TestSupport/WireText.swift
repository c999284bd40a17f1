/// The bytes of a text in which each character is the byte of its value: `\u{ff}` is the byte 0xff.
/// - Precondition: no character beyond U+00FF.
public func wire(_ text: String) -> [UInt8] {
    text.unicodeScalars.map { UInt8(clamping: $0.value) }
}

/// Bytes in a readable form: one line of text per line on the wire, with invisible characters escaped.
public func readable(_ bytes: some Sequence<UInt8>) -> String {
    var text = ""
    for byte in bytes {
        switch byte {
        case 0x0a: text += "\\n\n"
        case 0x0d: text += "\\r"
        case 0x09: text += "\\t"
        case 0x5c: text += "\\\\"
        case 0x20..<0x7f: text.unicodeScalars.append(Unicode.Scalar(byte))
        default: text += "\\x" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
        }
    }
    return text
}
