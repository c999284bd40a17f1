// The names of an object's members, which must differ.
extension JSONTapeCursor {
    private static let fewNames = 16

    /// Reads a member's name and the colon after it. Returns false for an error.
    @inline(__always)
    mutating func name(_ entries: inout MutableSpan<JSONTape.Entry>, _ bytes: Span<UInt8>) -> Bool {
        let name = place
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\""), string(&entries, bytes) else { return false }
        // A larger object's names are compared when it ends.
        if container.count < Self.fewNames {
            let kind = Self.kind(ofName: entries[name], bytes)
            if container.names & kind != 0, Self.isKnown(name, Int(container.place), entries.span, bytes) {
                return false
            }
            container.names |= kind
        }
        skipBlanks(bytes)
        guard take(UInt8(ascii: ":"), bytes) else { return false }
        skipBlanks(bytes)
        awaitsName = false
        return true
    }

    /// A bit of 64 for a name, the same for equal names. A name with escapes may equal a name of any kind.
    @inline(__always)
    private static func kind(ofName name: JSONTape.Entry, _ bytes: Span<UInt8>) -> UInt64 {
        if name.hasEscapes { return .max }
        guard name.end > name.start else { return 1 }
        let sum =
            (name.end &- name.start) &* 31 &+ UInt32(bytes[Int(name.end) &- 1]) &* 7
            &+ UInt32(bytes[Int(name.start)])
        return 1 << UInt64(sum & 63)
    }

    /// Whether an earlier member of the object at `container` has the same name.
    @inline(never)
    private static func isKnown(
        _ name: Int, _ container: Int, _ entries: Span<JSONTape.Entry>, _ bytes: Span<UInt8>
    ) -> Bool {
        var place = container + 1
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

    /// Whether the names of the object about to be closed differ; true for an array. Linear in their number.
    @inline(__always)
    func hasDistinctNames(_ entries: Span<JSONTape.Entry>, _ bytes: Span<UInt8>) -> Bool {
        !container.isObject || container.count <= Self.fewNames || Self.areDistinct(container, place, entries, bytes)
    }

    @inline(never)
    private static func areDistinct(
        _ container: Container, _ end: Int, _ entries: Span<JSONTape.Entry>, _ bytes: Span<UInt8>
    ) -> Bool {
        // A hash table with open addressing, at most half full. 0 marks a free slot, because no name has place 0.
        let mask = (Int(container.count) * 2).nextPowerOfTwo - 1
        var slots = ContiguousArray<UInt32>(repeating: 0, count: mask + 1)
        var place = Int(container.place) + 1
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
    /// A hash seeded for each process, so that no client can craft names that collide.
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
