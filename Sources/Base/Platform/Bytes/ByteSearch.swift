/// Searches for a non-empty text in a stream of bytes, in linear time (Knuth, Morris, Pratt).
public struct ByteSearch {
    private let needle: [UInt8]
    /// For each byte, the length of the longest proper prefix that also ends there.
    private let borders: [Int]
    private var matched = 0

    /// - Precondition: the text is not empty.
    public init(for text: some Sequence<UInt8>) {
        let needle = Array(text)
        precondition(!needle.isEmpty, "a search for nothing")
        var borders = [Int](repeating: 0, count: needle.count)
        var matched = 0
        for place in needle.indices.dropFirst() {
            while matched > 0, needle[place] != needle[matched] { matched = borders[matched - 1] }
            if needle[place] == needle[matched] { matched += 1 }
            borders[place] = matched
        }
        self.needle = needle
        self.borders = borders
    }

    /// Whether an occurrence ends with `byte`, the next byte of the stream. Occurrences do not overlap.
    public mutating func ends(with byte: UInt8) -> Bool {
        while matched > 0, byte != needle[matched] { matched = borders[matched - 1] }
        if byte == needle[matched] { matched += 1 }
        guard matched == needle.count else { return false }
        matched = 0
        return true
    }
}
