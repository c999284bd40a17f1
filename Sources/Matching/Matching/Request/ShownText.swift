import SDPlatform

/// Values of a request as a report shows them: their beginnings, because laying out a long text takes seconds.
public enum ShownText {
    /// The most bytes that are shown of a value.
    public static let longest = 64 * 1024
    /// The most values that are shown of one header or field.
    package static let maxValues = 1_000

    /// The beginning of a text in UTF-8, and what it was cut from.
    package static func text(_ bytes: ArraySlice<UInt8>) -> String {
        guard bytes.count > longest else { return String(decoding: bytes, as: UTF8.self) }
        var end = bytes.startIndex + longest
        while end > bytes.startIndex, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return String(decoding: bytes[..<end], as: UTF8.self) + remark(bytes.count)
    }

    package static func text(_ text: String) -> String {
        text.utf8.count > longest ? Self.text(Array(text.utf8)[...]) : text
    }

    /// The remark after the beginning of a value of `count` bytes.
    static func remark(_ count: Int) -> String {
        "… (the first \(longest) of \(count) bytes)"
    }
}
