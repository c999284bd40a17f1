import SDBasics

/// The field `Content-Range` of a partial answer: `bytes 0-499/1234` (RFC 9110, 14.4).
struct ArchivedRange {
    let first: Int
    let last: Int
    /// The size of the whole; nil for one that is not said.
    let size: Int?

    /// Nil for a text that says no range of bytes.
    init?(_ text: String) {
        let words = text.split { " \t/=-".contains($0) }
        guard words.count == 4, words[0].lowercased() == "bytes", let first = Int(words[1]), let last = Int(words[2]),
            0 <= first, first <= last
        else { return nil }
        self.first = first
        self.last = last
        size = Int(words[3])
    }

    /// Whether the part is all there is.
    var isWhole: Bool { first == 0 && size == last + 1 }
}
