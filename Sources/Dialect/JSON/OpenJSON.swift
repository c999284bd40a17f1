/// A JSON text in an open form: nothing in its strings is escaped, and in place of their quotes stands a byte that
/// occurs in no text. What is put into a string needs no care until the text is closed.
public enum OpenJSON {
    /// The byte in place of a quote, which is part of no UTF-8.
    public static let quote: UInt8 = 0xFF

    /// A value in compact form, open.
    public static func open(_ value: JSONValue) -> [UInt8] {
        var writer = JSONWriter(isPretty: false, isOpen: true)
        writer.write(value)
        return writer.bytes
    }

    /// The JSON text: with quotes, between which everything is escaped that has to be. What stands outside of strings is
    /// not looked at.
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
