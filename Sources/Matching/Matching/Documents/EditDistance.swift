import SDPlatform

/// The distance between two texts, as WireMock ranks near misses of `equalTo`.
package enum EditDistance {
    /// The length in UTF-16 units, without common starts and ends, up to which texts are compared by the minimum number
    /// of edits. Longer ones are compared unit by unit, which bounds the cost and never understates the distance.
    static let exactLimit = 4_096

    /// The work left for one request, shared by all of its comparisons. Once it is used up, long texts are compared by
    /// the minimum number of edits only up to 64 units, and the rest counts as different. The comparison that exceeds
    /// it is still completed.
    package struct Allowance {
        /// Steps of some nanoseconds each; enough for thousands of paths.
        fileprivate var steps = 200_000

        package init() {}
    }

    /// The Levenshtein distance in UTF-16 units, divided by the length of the longer text: 0 for equal texts, 1 for
    /// texts with nothing in common. A missing text (nil) has distance 1 from any text and 0 from another missing one.
    /// Invalid UTF-8 counts as U+FFFD.
    ///
    /// Two empty texts have distance 0, where WireMock divides by zero.
    package static func normalised(
        _ left: ArraySlice<UInt8>?, _ right: ArraySlice<UInt8>?, _ allowance: inout Allowance
    ) -> Double {
        guard let left, let right else { return left == nil && right == nil ? 0 : 1 }
        if left.equals(right) { return 0 }
        if left.isEmpty || right.isEmpty { return 1 }
        if left.isASCII, right.isASCII {
            return Double(levenshtein(left, right, &allowance)) / Double(max(left.count, right.count))
        }
        let leftUnits = Array(String(decoding: left, as: UTF8.self).utf16)[...]
        let rightUnits = Array(String(decoding: right, as: UTF8.self).utf16)[...]
        return Double(levenshtein(leftUnits, rightUnits, &allowance)) / Double(max(leftUnits.count, rightUnits.count))
    }

    /// The number of edits.
    static func levenshtein<Unit: FixedWidthInteger & UnsignedInteger>(
        _ left: ArraySlice<Unit>, _ right: ArraySlice<Unit>, _ allowance: inout Allowance
    ) -> Int {
        let common = commonEnds(left, right)
        var left = left.dropFirst(common.start).dropLast(common.end)
        var right = right.dropFirst(common.start).dropLast(common.end)
        // The distance is symmetric, and a shorter text needs fewer rows.
        if right.count < left.count { swap(&left, &right) }
        guard !left.isEmpty else { return right.count }
        var limit = exactLimit
        let blocks = (min(left.count, limit) + 63) / 64
        let behind = (right.count - min(right.count, limit)) / 16
        let cost = blocks * min(right.count, limit) + behind
        if allowance.steps <= 0, right.count > 64 { limit = 64 }
        let (leftHead, rightHead) = (left.prefix(limit), right.prefix(limit))
        let head = leftHead.count <= 64 ? inOneWord(leftHead, rightHead) : bitParallel(leftHead, rightHead)
        let (leftTail, rightTail) = (left.dropFirst(limit), right.dropFirst(limit))
        guard limit == exactLimit else { return head + max(leftTail.count, rightTail.count) }
        allowance.steps -= cost
        return head + placeByPlace(leftTail, rightTail)
    }

    /// The lengths of the common prefix and the common suffix.
    private static func commonEnds<Unit: FixedWidthInteger>(
        _ left: ArraySlice<Unit>, _ right: ArraySlice<Unit>
    ) -> (start: Int, end: Int) {
        let leftSpan = left.span
        let rightSpan = right.span
        let common = min(leftSpan.count, rightSpan.count)
        var start = 0
        while start < common, leftSpan[start] == rightSpan[start] { start += 1 }
        var end = 0
        while end < common - start,
            leftSpan[leftSpan.count - 1 - end] == rightSpan[rightSpan.count - 1 - end]
        {
            end += 1
        }
        return (start, end)
    }

    private static func placeByPlace<Unit: FixedWidthInteger>(
        _ left: ArraySlice<Unit>, _ right: ArraySlice<Unit>
    ) -> Int {
        let leftSpan = left.span
        let rightSpan = right.span
        let common = min(leftSpan.count, rightSpan.count)
        var different = max(leftSpan.count, rightSpan.count) - common
        for index in 0..<common where leftSpan[index] != rightSpan[index] { different += 1 }
        return different
    }

    /// The distance to a pattern of up to 64 units.
    private static func inOneWord<Unit: FixedWidthInteger & UnsignedInteger>(
        _ pattern: ArraySlice<Unit>, _ text: ArraySlice<Unit>
    ) -> Int {
        guard let probe = EditProbe(pattern) else { return bitParallel(pattern, text) }
        return probe.edits(to: text.span)
    }

    /// Myers' algorithm (1999) in Hyyrö's form: bits hold the steps up and down in a column of the distance table, 64
    /// rows at a time.
    private static func bitParallel<Unit: FixedWidthInteger & UnsignedInteger>(
        _ pattern: ArraySlice<Unit>, _ text: ArraySlice<Unit>
    ) -> Int {
        let blocks = (pattern.count + 63) / 64
        let lastBit: UInt64 = 1 << UInt64((pattern.count - 1) % 64)
        let places = Occurrences(pattern, blocks: blocks)
        var up = [UInt64](repeating: .max, count: blocks)
        var down = [UInt64](repeating: 0, count: blocks)
        var score = pattern.count
        for unit in text {
            let row = places.row(of: UInt16(truncatingIfNeeded: unit))
            // The distance from an empty pattern grows by one per unit of the text.
            var (stepUp, stepDown): (UInt64, UInt64) = (1, 0)
            for block in 0..<blocks {
                let equal = row.map { places.bits[$0 + block] } ?? 0
                let (above, below) = (up[block], down[block])
                let vertical = equal | below
                let carried = equal | stepDown
                let horizontal = (((carried & above) &+ above) ^ above) | carried
                let rises = below | ~(horizontal | above)
                let falls = above & horizontal
                let last = block == blocks - 1 ? lastBit : 1 << 63
                let shiftedRises = rises << 1 | stepUp
                let shiftedFalls = falls << 1 | stepDown
                up[block] = shiftedFalls | ~(vertical | shiftedRises)
                down[block] = shiftedRises & vertical
                stepUp = rises & last == 0 ? 0 : 1
                stepDown = falls & last == 0 ? 0 : 1
            }
            score += Int(stepUp) - Int(stepDown)
        }
        return score
    }

    /// The positions of each unit in a pattern, one bit per position.
    private struct Occurrences {
        private var ascii: [Int?] = Array(repeating: nil, count: 128)
        private var others: [UInt16: Int] = [:]
        private(set) var bits: [UInt64] = []

        init(_ pattern: ArraySlice<some FixedWidthInteger>, blocks: Int) {
            for (place, unit) in pattern.enumerated() {
                let unit = UInt16(truncatingIfNeeded: unit)
                let start: Int
                if let known = row(of: unit) {
                    start = known
                } else {
                    start = bits.count
                    bits.append(contentsOf: repeatElement(0, count: blocks))
                    if unit < 128 { ascii[Int(unit)] = start } else { others[unit] = start }
                }
                bits[start + place / 64] |= 1 << UInt64(place % 64)
            }
        }

        func row(of unit: UInt16) -> Int? {
            unit < 128 ? ascii[Int(unit)] : others[unit]
        }
    }
}
