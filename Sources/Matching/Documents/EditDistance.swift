import Bytes

/// How unlike two texts are, as WireMock ranks the near misses of `equalTo`.
enum EditDistance {
    /// Texts of more UTF-16 units than this (not counting what they have in common at both ends) are compared up to here by
    /// the least number of edits, and place by place behind it. That bounds the cost, and never understates the distance.
    static let exactLimit = 4_096

    /// The Levenshtein distance in UTF-16 units by the length of the longer text: 0 for equal texts, 1 for texts with nothing
    /// in common. A missing text (nil) is at distance 1 from every other, at 0 from another missing one. Broken UTF-8 counts
    /// as U+FFFD.
    ///
    /// Two empty texts are at distance 0; WireMock divides by zero there.
    static func normalised(_ left: ArraySlice<UInt8>?, _ right: ArraySlice<UInt8>?) -> Double {
        guard let left, let right else { return left == nil && right == nil ? 0 : 1 }
        if left == right { return 0 }
        if left.isEmpty || right.isEmpty { return 1 }
        let (leftUnits, rightUnits) = (units(left), units(right))
        return Double(levenshtein(leftUnits, rightUnits)) / Double(max(leftUnits.count, rightUnits.count))
    }

    private static func units(_ bytes: ArraySlice<UInt8>) -> [UInt16] {
        if bytes.isASCII { return bytes.map(UInt16.init) }
        return Array(String(decoding: bytes, as: UTF8.self).utf16)
    }

    static func levenshtein(_ left: [UInt16], _ right: [UInt16]) -> Int {
        var start = 0
        var (leftEnd, rightEnd) = (left.count, right.count)
        while start < leftEnd, start < rightEnd, left[start] == right[start] { start += 1 }
        while leftEnd > start, rightEnd > start, left[leftEnd - 1] == right[rightEnd - 1] {
            leftEnd -= 1
            rightEnd -= 1
        }
        let cutLeft = min(leftEnd, start + exactLimit)
        let cutRight = min(rightEnd, start + exactLimit)
        return bitParallel(left[start..<cutLeft], right[start..<cutRight])
            + placeByPlace(left[cutLeft..<leftEnd], right[cutRight..<rightEnd])
    }

    private static func placeByPlace(_ left: ArraySlice<UInt16>, _ right: ArraySlice<UInt16>) -> Int {
        zip(left, right).reduce(max(left.count, right.count) - min(left.count, right.count)) {
            $0 + ($1.0 == $1.1 ? 0 : 1)
        }
    }

    /// Myers' algorithm (1999) in Hyyrö's form: a column of the table of distances as bits of its steps up and down, 64 rows
    /// at a time.
    private static func bitParallel(_ pattern: ArraySlice<UInt16>, _ text: ArraySlice<UInt16>) -> Int {
        guard !pattern.isEmpty, !text.isEmpty else { return max(pattern.count, text.count) }
        let blocks = (pattern.count + 63) / 64
        let lastBit: UInt64 = 1 << UInt64((pattern.count - 1) % 64)
        let places = Occurrences(pattern, blocks: blocks)
        var up = [UInt64](repeating: .max, count: blocks)
        var down = [UInt64](repeating: 0, count: blocks)
        var score = pattern.count
        for unit in text {
            let row = places.row(of: unit)
            // The distance from an empty pattern grows by one with each unit of the text.
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

    /// Where each unit stands in a pattern, a bit a place.
    private struct Occurrences {
        private var ascii: [Int?] = Array(repeating: nil, count: 128)
        private var others: [UInt16: Int] = [:]
        private(set) var bits: [UInt64] = []

        init(_ pattern: ArraySlice<UInt16>, blocks: Int) {
            for (place, unit) in pattern.enumerated() {
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
