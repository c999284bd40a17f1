import SDPlatform

/// A request's values for reports: cut, because laying out a long text takes seconds.
public enum TextPreview {
    /// The maximum number of bytes shown of a value.
    public static let longest = 64 * 1024
    /// The maximum number of values shown of one header or field.
    package static let maxValues = 1_000

    /// The start of a text in UTF-8, with a note if it is cut.
    package static func text(_ bytes: ArraySlice<UInt8>) -> String {
        guard bytes.count > longest else { return String(decoding: bytes, as: UTF8.self) }
        var end = bytes.startIndex + longest
        while end > bytes.startIndex, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return String(decoding: bytes[..<end], as: UTF8.self) + lengthNote(bytes.count)
    }

    package static func text(_ text: String) -> String {
        text.utf8.count > longest ? Self.text(Array(text.utf8)[...]) : text
    }

    /// The note after the start of a value of `count` bytes.
    static func lengthNote(_ count: Int) -> String {
        "… (the first \(longest) of \(count) bytes)"
    }
}
