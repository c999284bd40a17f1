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

    /// A column of the distance table: between the probe and the beginning of another text.
    struct Column: Sendable {
        fileprivate var up = UInt64.max
        fileprivate var down: UInt64 = 0
        /// The least number of edits.
        fileprivate(set) var edits: Int
    }

    /// The column of an empty text.
    var firstColumn: Column { Column(edits: count) }

    /// The column after one more unit.
    @inline(__always)
    private static func column(
        after column: Column, _ unit: Int, _ places: Span<UInt64>, last: UInt64
    ) -> Column {
        var next = column
        let equal = (unit < 128 ? places[unit] : 0) | column.down
        let diagonal = (((equal & column.up) &+ column.up) ^ column.up) | equal
        let rises = column.down | ~(column.up | diagonal)
        let falls = column.up & diagonal
        if rises & last != 0 { next.edits &+= 1 }
        if falls & last != 0 { next.edits &-= 1 }
        let shifted = rises << 1 | 1
        next.up = falls << 1 | ~(shifted | diagonal)
        next.down = shifted & diagonal
        return next
    }

    /// The least number of edits that make one text the other.
    @inline(__always)
    func edits<Unit: FixedWidthInteger & UnsignedInteger>(to text: Span<Unit>) -> Int {
        let places = places.span
        let last: UInt64 = 1 << UInt64(count &- 1)
        var column = firstColumn
        for index in text.indices {
            column = Self.column(after: column, Int(truncatingIfNeeded: text[index]), places, last: last)
        }
        return column.edits
    }
}

extension EditProbe {
    /// The columns for the text that a probe was last compared with. Texts that are compared one after the other often
    /// begin alike, as the paths of one API do: for the next one, the columns of the common beginning are known.
    struct Trail {
        private let probe: EditProbe
        /// The columns after the first, of which `known` are those of the last text.
        private var columns = [Column](repeating: Column(edits: 0), count: longest)
        private var known = 0

        /// The longest beginning that is kept.
        private static let longest = 128

        init(of probe: EditProbe) {
            self.probe = probe
        }

        /// The least number of edits that make the probe the text at `range`; where that is certain to be more than
        /// `most`, any number above it.
        /// - Parameter common: the number of units with which the text of the last call begins too.
        mutating func edits(
            to range: Range<Int>, in texts: Span<UInt8>, common: Int, atMost most: Int = .max
        ) -> Int {
            var index = min(known, common)
            defer { known = min(index, Self.longest) }
            return Self.edits(&index, of: probe, to: range, in: texts, &columns, atMost: most)
        }

        /// - Parameter index: the number of columns that are known, before and after.
        @inline(__always)
        private static func edits(
            _ index: inout Int, of probe: EditProbe, to range: Range<Int>, in texts: Span<UInt8>,
            _ columns: inout [Column], atMost most: Int
        ) -> Int {
            var columns = columns.mutableSpan
            let places = probe.places.span
            let last: UInt64 = 1 << UInt64(probe.count &- 1)
            var column = index == 0 ? probe.firstColumn : columns[index &- 1]
            while index < range.count {
                let unit = Int(texts[range.lowerBound &+ index])
                column = EditProbe.column(after: column, unit, places, last: last)
                if index < longest { columns[index] = column }
                index &+= 1
                // Each unit that is left can take back one edit.
                let least = column.edits &- (range.count &- index)
                if least > most { return least }
            }
            return column.edits
        }
    }
}
