/// JSON text in an open form: strings are not escaped, and a byte that no text contains replaces their quotes. Text can
/// be inserted into strings without care until the form is closed.
public enum OpenJSON {
    /// The byte in place of a quote; it never occurs in UTF-8.
    public static let quote: UInt8 = 0xFF

    /// A value in compact, open form.
    public static func open(_ value: JSONValue) -> [UInt8] {
        var writer = JSONWriter(isPretty: false, isOpen: true)
        writer.write(value)
        return writer.bytes
    }

    /// Converts open form to JSON: restores quotes and escapes the strings. Text outside of strings is not examined.
    public static func close(_ bytes: [UInt8]) -> [UInt8] {
        var closed: [UInt8] = []
        closed.reserveCapacity(bytes.count + bytes.count / 16)
        var isInString = false
        for byte in bytes {
            if byte == quote {
                isInString.toggle()
                closed.append(UInt8(ascii: "\""))
            } else if isInString, JSONWriter.needsEscape(byte) {
                JSONWriter.escape(byte, into: &closed)
            } else {
                closed.append(byte)
            }
        }
        return closed
    }
}
