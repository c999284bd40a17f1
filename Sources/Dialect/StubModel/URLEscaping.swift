/// Writes texts as parts of a URL, with %XX for what cannot stand there (RFC 3986, section 2.1).
package enum URLEscaping {
    /// A text within a segment of a path, or within a query: all but the unreserved characters (section 2.3) as %XX.
    package static func component(_ text: String) -> String { escaping(text) { !isUnreserved($0) } }

    /// The text with some of its bytes in UTF-8 as %XX.
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
