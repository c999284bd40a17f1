/// Shares the storage of equal texts in a document: large documents repeat the same ones thousands of times. Remembers
/// a fixed number of recent texts.
package struct SharedTexts: Sendable {
    private static let room = 2_048
    /// The maximum length in bytes of a text that is stored inline.
    private static let inline = 15

    private var known: [String]

    /// A cache for a text of some length; nil if it is too short to be worth it.
    package init?(forTextOf length: Int) {
        guard length > 256 << 10 else { return nil }
        known = Array(repeating: "", count: Self.room)
    }

    /// The same text, with the storage of an earlier equal one if known.
    package mutating func shared(_ text: String) -> String {
        let length = text.utf8.count
        guard length > Self.inline else { return text }
        var mixed = UInt(truncatingIfNeeded: length)
        // Names of one family have equal prefixes.
        for byte in text.utf8.suffix(12) { mixed = (mixed ^ UInt(byte)) &* 0x0100_0000_01B3 }
        let place = Int((mixed ^ mixed >> 32) % UInt(Self.room))
        if known[place].hasSameCodePoints(as: text) { return known[place] }
        known[place] = text
        return text
    }
}
