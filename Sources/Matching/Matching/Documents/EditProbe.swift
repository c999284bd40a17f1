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
        let equal = (unit < places.count ? places[unit] : 0) | column.down
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
        /// The number of units after which the last text was certain to be too far, whatever its end: so is any other
        /// that begins with them and is not longer. Nil if it was not, or after units whose columns are not kept.
        private(set) var cut: Int?

        /// The longest beginning that is kept.
        private static let longest = 128

        init(of probe: EditProbe) {
            self.probe = probe
        }

        /// The least number of edits that make the probe the text at `range`; where that is certain to be more than
        /// `most`, any number above it.
        /// - Parameters:
        ///   - common: the number of units with which the text of the last call begins too.
        ///   - kept: the number of columns that the next call may need.
        mutating func edits(
            to range: Range<Int>, in texts: Span<UInt8>, common: Int, keeping kept: Int = .max, atMost most: Int = .max
        ) -> Int {
            var ending: Ending?
            return edits(to: range, in: texts, common: common, keeping: kept, atMost: most, &ending)
        }

        /// - Parameter ending: the text's end.
        mutating func edits(
            to range: Range<Int>, in texts: Span<UInt8>, common: Int, keeping kept: Int, atMost most: Int,
            _ ending: inout Ending?
        ) -> Int {
            let text = texts.extracting(range)
            let begin = min(known, common)
            var turn = text.count
            if let ending, begin <= text.count &- ending.count { turn = text.count &- ending.count }
            cut = nil
            var (index, column) = (begin, firstColumn(begin))
            let isNear = Self.goOn(
                &index, &column, probe, text, upTo: min(kept, turn, Self.longest), &columns, atMost: most)
            known = index
            if !isNear {
                cut = index
                return most &+ 1
            }
            let places = probe.places.span
            let last: UInt64 = 1 << UInt64(probe.count &- 1)
            while index < turn {
                column = EditProbe.column(after: column, Int(text[index]), places, last: last)
                index &+= 1
                if column.edits &- (text.count &- index) > most { return most &+ 1 }
            }
            return turn == text.count ? column.edits : ending?.edits(after: column) ?? 0
        }

        private func firstColumn(_ index: Int) -> Column { index == 0 ? probe.firstColumn : columns[index &- 1] }

        /// Makes and keeps columns.
        /// - Parameters:
        ///   - index: the number of those that are known, before and after.
        ///   - column: the last of them.
        /// - Returns: whether the text may be near enough.
        @inline(__always)
        private static func goOn(
            _ index: inout Int, _ column: inout Column, _ probe: EditProbe, _ text: Span<UInt8>, upTo end: Int,
            _ columns: inout [Column], atMost most: Int
        ) -> Bool {
            var columns = columns.mutableSpan
            let places = probe.places.span
            let last: UInt64 = 1 << UInt64(probe.count &- 1)
            // Each unit that is left can take back one edit.
            var isNear = column.edits &- (text.count &- index) <= most
            while isNear, index < end {
                column = EditProbe.column(after: column, Int(text[index]), places, last: last)
                columns[index] = column
                index &+= 1
                isNear = column.edits &- (text.count &- index) <= most
            }
            return isNear
        }
    }

    /// The numbers of edits between the end of a text and each end of a probe. Many texts end alike, as the paths of one
    /// resource do: the column before that end is enough to tell how far each of them is.
    struct Ending {
        /// The numbers for the ends of the probe, the longest first.
        private let edits: [Int]
        /// The number of units.
        let count: Int
        /// The largest number of edits of interest.
        private(set) var most = Int.max
        /// The first end of the probe that can belong to a text of interest.
        private var first = 0
        /// The largest number of edits between the whole probe and the beginning of a text of interest.
        private var mostBefore = Int.max
        private var last: (column: Column, edits: Int)?

        /// Makes the numbers.
        /// - Parameters:
        ///   - reversed: the probe of the reversed text.
        ///   - range: the place of the end in `texts`.
        init(_ reversed: EditProbe, _ range: Range<Int>, in texts: Span<UInt8>) {
            let places = reversed.places.span
            let last: UInt64 = 1 << UInt64(reversed.count &- 1)
            var column = reversed.firstColumn
            var place = range.upperBound
            while place > range.lowerBound {
                place &-= 1
                column = EditProbe.column(after: column, Int(texts[place]), places, last: last)
            }
            var edits = [Int](repeating: range.count, count: reversed.count + 1)
            for row in 0..<reversed.count {
                edits[reversed.count - 1 - row] = edits[reversed.count - row] + column.step(row)
            }
            self.edits = edits
            count = range.count
        }

        /// Narrows the search to texts of a length that are at most `most` edits away.
        mutating func narrow(length: Int, atMost most: Int) {
            guard most != self.most else { return }
            let before = length - count
            self.most = most
            // No text is farther than the longer of the two is long.
            let most = min(most, length + edits.count)
            first = edits.count
            mostBefore = -1
            last = nil
            for (row, edits) in edits.enumerated().reversed() where abs(row - before) + edits <= most {
                first = row
                // Each unit of the probe that is left takes one edit at most.
                mostBefore = max(mostBefore, most - edits + self.edits.count - 1 - row)
            }
        }

        /// The least number of edits to a whole text; where it is more than `most`, any number above it.
        /// - Parameter column: that of the text up to its end.
        mutating func edits(after column: Column) -> Int {
            if column.edits > mostBefore { return .max }
            if let last, last.column.up == column.up, last.column.down == column.down { return last.edits }
            let least = least(after: column)
            last = (column, least)
            return least
        }

        private func least(after column: Column) -> Int {
            var least = Int.max
            var before = column.edits
            var row = edits.count &- 1
            let edits = edits.span
            while row >= first {
                least = min(least, before &+ edits[row])
                row &-= 1
                if row >= 0 { before &-= column.step(row) }
            }
            return least
        }
    }
}

extension EditProbe.Column {
    /// The difference between the numbers of edits after a row and before it.
    @inline(__always)
    fileprivate func step(_ row: Int) -> Int {
        Int(truncatingIfNeeded: up &>> UInt64(truncatingIfNeeded: row) & 1)
            &- Int(truncatingIfNeeded: down &>> UInt64(truncatingIfNeeded: row) & 1)
    }
}
