/// Detects duplicate names in an object.
enum JSONTapeNames {
    /// Whether an earlier member of the object at `object` has the name at `name`.
    static func isRepeated(
        _ name: Int, of object: Int, in entries: Span<JSONTape.Entry>, _ bytes: Span<UInt8>
    ) -> Bool {
        var place = object + 1
        while place < name {
            if isSame(entries[name], entries[place], bytes) { return true }
            place = entries[place + 1].next(after: place + 1)
        }
        return false
    }

    private static func isSame(_ left: JSONTape.Entry, _ right: JSONTape.Entry, _ bytes: Span<UInt8>) -> Bool {
        if !left.hasEscapes { return right.isText(bytes, left.range, in: bytes) }
        if !right.hasEscapes { return left.isText(bytes, right.range, in: bytes) }
        return JSONTape.text(of: left, in: bytes).hasSameCodePoints(as: JSONTape.text(of: right, in: bytes))
    }

    /// Whether the names of the object at `object` are distinct; its `count` members end before the index `end`. Takes
    /// linear time.
    static func areDistinct(
        _ object: Int, _ count: Int, upTo end: Int, in entries: Span<JSONTape.Entry>, _ bytes: Span<UInt8>
    ) -> Bool {
        // A hash table with open addressing, at most half full. 0 marks a free slot, because no name has index 0.
        let mask = (count * 2).nextPowerOfTwo - 1
        var slots = ContiguousArray<UInt32>(repeating: 0, count: mask + 1)
        var place = object + 1
        while place < end {
            let name = entries[place]
            var slot = hash(ofName: name, bytes) & mask
            while slots[slot] != 0 {
                if isSame(entries[Int(slots[slot])], name, bytes) { return false }
                slot = (slot + 1) & mask
            }
            slots[slot] = UInt32(truncatingIfNeeded: place)
            place = entries[place + 1].next(after: place + 1)
        }
        return true
    }

    private static func hash(ofName name: JSONTape.Entry, _ bytes: Span<UInt8>) -> Int {
        guard name.hasEscapes else { return bytes.hash(of: name.range) }
        let text = ContiguousArray(JSONTape.text(of: name, in: bytes).utf8)
        return text.span.hash(of: text.indices)
    }
}

extension Span<UInt8> {
    /// A hash seeded per process, so that clients cannot craft colliding names.
    fileprivate func hash(of range: Range<Int>) -> Int {
        var hasher = Hasher()
        var word: UInt64 = 0
        for place in range {
            word = word << 8 | UInt64(self[place])
            if (place &- range.lowerBound) & 7 == 7 {
                hasher.combine(word)
                word = 0
            }
        }
        hasher.combine(word)
        return hasher.finalize()
    }
}

extension Int {
    fileprivate var nextPowerOfTwo: Int { self < 2 ? 1 : 1 << (Int.bitWidth - (self - 1).leadingZeroBitCount) }
}
