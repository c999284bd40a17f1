import Bytes
internal import Matching

/// A fingerprint of a path: similar paths have fingerprints that differ in few bits.
///
/// Each pair of adjacent bytes sets one of 64 bits. A comparison takes two instructions, so a hundred thousand stubs
/// are ranked in less than a millisecond without accessing them.
struct PathSketch: Sendable {
    private let bits: UInt64

    private init(bits: UInt64) {
        self.bits = bits
    }

    init(_ path: some Sequence<UInt8>) {
        var bits: UInt64 = 0
        var previous: UInt32 = 0
        for byte in path {
            let pair = previous << 8 | UInt32(byte)
            bits |= 1 << UInt64((pair &* 0x9E37_79B1) >> 26)
            previous = UInt32(byte)
        }
        self.bits = bits
    }

    /// Makes the sketch of the certain parts of a place; `isNone` if there are none.
    init(_ place: URLPlace) {
        switch place {
        case .url(let url): self.init(url.prefix { $0 != UInt8(ascii: "?") })
        case .path(let path): self.init(path)
        case .shape(let shape):
            self.init(
                shape.steps.flatMap { step -> [UInt8] in
                    if case .literal(let bytes) = step { bytes } else { [] }
                })
        case .anywhere: self = .none
        }
    }

    /// The sketch of no path.
    static var none: PathSketch { PathSketch(bits: 0) }

    var isNone: Bool { bits == 0 }

    /// The distance, from 0 for paths with equal sketches up to 64.
    func distance(to other: PathSketch) -> Int { (bits ^ other.bits).nonzeroBitCount }
}

extension StubIndex {
    /// The stubs for which a request may have been meant, at most `most`, in the order in which they are tried: those
    /// whose paths are most similar to its own and, up to a quarter, those that accept any path.
    func candidates(near path: ArraySlice<UInt8>, most: Int) -> [Stub] {
        let sketch = PathSketch(path)
        var free = most / 4
        let limit = distance(within: most - free, of: sketch)
        var left = most
        return stubs.all { place in
            if place.isNone {
                guard free > 0 else { return false }
                free -= 1
            } else {
                guard left > 0, place.distance(to: sketch) <= limit else { return false }
            }
            left -= 1
            return true
        }
    }

    /// The distance within which there are at most `most` stubs; at least 0.
    private func distance(within most: Int, of sketch: PathSketch) -> Int {
        var counts = Array(repeating: 0, count: 65)
        stubs.visitSketches { place in
            if !place.isNone { counts[place.distance(to: sketch)] += 1 }
        }
        var sum = counts[0]
        var limit = 0
        while limit < 64, sum + counts[limit + 1] <= most {
            limit += 1
            sum += counts[limit]
        }
        return limit
    }
}
