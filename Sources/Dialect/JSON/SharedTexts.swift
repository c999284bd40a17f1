/// Gives equal texts of a document one storage: large documents say the same in thousands of places. It remembers as
/// many as it has room for, the last ones.
package struct SharedTexts: Sendable {
    private static let room = 2_048
    /// The length in bytes up to which a text is held where it is used.
    private static let inline = 15

    private var known: [String]

    /// What is used for a text of a number of bytes; nil for one that is too short to be worth it.
    package init?(forTextOf length: Int) {
        guard length > 256 << 10 else { return nil }
        known = Array(repeating: "", count: Self.room)
    }

    /// The same text, if it is known with the storage that it had before.
    package mutating func shared(_ text: String) -> String {
        let length = text.utf8.count
        guard length > Self.inline else { return text }
        var mixed = UInt(truncatingIfNeeded: length)
        // Names of one family begin alike.
        for byte in text.utf8.suffix(12) { mixed = (mixed ^ UInt(byte)) &* 0x0100_0000_01B3 }
        let place = Int((mixed ^ mixed >> 32) % UInt(Self.room))
        if known[place].hasSameCodePoints(as: text) { return known[place] }
        known[place] = text
        return text
    }
}
