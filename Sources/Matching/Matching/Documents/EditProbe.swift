/// A short ASCII text, prepared to be compared with many others by the number of edits.
///
/// Myers' algorithm in Hyyrö's form (2003): the bits of two words hold the steps up and down in a column of the
/// distance table.
struct EditProbe: Sendable {
    static let longest = 64

    /// The positions of each unit in the text, one bit for each position.
    private let places: [UInt64]
    let count: Int

    /// Makes a probe; nil for an empty text, one of more than `longest` units, and one that is not ASCII.
    init?<Unit: FixedWidthInteger & UnsignedInteger>(_ text: ArraySlice<Unit>) {
        guard !text.isEmpty, text.count <= Self.longest else { return nil }
        var places = [UInt64](repeating: 0, count: 128)
        let span = text.span
        for index in span.indices {
            let unit = Int(span[index])
            guard unit < 128 else { return nil }
            places[unit] |= 1 << UInt64(index)
        }
        self.places = places
        count = span.count
    }

    /// The minimum number of edits that turn one text into the other.
    @inline(__always)
    func edits<Unit: FixedWidthInteger & UnsignedInteger>(to text: Span<Unit>) -> Int {
        let places = places.span
        let last: UInt64 = 1 << UInt64(count &- 1)
        var (up, down, edits) = (UInt64.max, UInt64(0), count)
        for index in text.indices {
            let unit = Int(truncatingIfNeeded: text[index])
            let equal = (unit < places.count ? places[unit] : 0) | down
            let diagonal = (((equal & up) &+ up) ^ up) | equal
            let rises = down | ~(up | diagonal)
            let falls = up & diagonal
            if rises & last != 0 { edits &+= 1 }
            if falls & last != 0 { edits &-= 1 }
            let shifted = rises << 1 | 1
            up = falls << 1 | ~(shifted | diagonal)
            down = shifted & diagonal
        }
        return edits
    }
}
