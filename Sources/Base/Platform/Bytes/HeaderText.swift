/// Decodes header values. Java, Python and browsers send ISO-8859-1; other clients send UTF-8.
public enum HeaderText {
    /// The value as UTF-8. Invalid UTF-8 is decoded as ISO-8859-1.
    public static func utf8(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        if value.isASCII || String(validating: value, as: UTF8.self) != nil { return value }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: value.lazy.map { Unicode.Scalar($0) })
        return Array(String(text).utf8)[...]
    }

    public static func string(_ value: ArraySlice<UInt8>) -> String {
        String(decoding: utf8(value), as: UTF8.self)
    }

    /// Decodes each byte as the character of the same number. Encoded back, the text gives the same bytes, so that
    /// forwarded values stay unchanged.
    public static func verbatim(_ value: some Sequence<UInt8>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: value.lazy.map { Unicode.Scalar($0) })
        return String(text)
    }
}
