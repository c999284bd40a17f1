import SDBasics

/// The field `Content-Range` of a partial answer: `bytes 0-499/1234` (RFC 9110, 14.4).
struct ArchivedRange {
    let first: Int
    let last: Int
    /// The size of the whole body; nil if unknown.
    let size: Int?

    /// Nil unless the text is a range of bytes.
    init?(_ text: String) {
        let words = text.split { " \t/=-".contains($0) }
        guard words.count == 4, words[0].lowercased() == "bytes", let first = Int(words[1]), let last = Int(words[2]),
            0 <= first, first <= last
        else { return nil }
        self.first = first
        self.last = last
        size = Int(words[3])
    }

    /// Whether the range is the whole body.
    var isWhole: Bool { first == 0 && size == last + 1 }
}
