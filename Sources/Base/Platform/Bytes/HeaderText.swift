/// Decodes header values. Java, Python and browsers send ISO-8859-1; other clients send UTF-8.
public enum HeaderText {
    /// The value as UTF-8. Bytes that are not valid UTF-8 are taken as ISO-8859-1.
    public static func utf8(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        if value.isASCII || String(validating: value, as: UTF8.self) != nil { return value }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: value.lazy.map { Unicode.Scalar($0) })
        return Array(String(text).utf8)[...]
    }

    public static func string(_ value: ArraySlice<UInt8>) -> String {
        String(decoding: utf8(value), as: UTF8.self)
    }

    /// The bytes of a value, each as the character of its number, so that the text is written as the same bytes again:
    /// what is passed on is not decoded.
    public static func verbatim(_ value: some Sequence<UInt8>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: value.lazy.map { Unicode.Scalar($0) })
        return String(text)
    }
}
