import SDMatching
import SDPlatform

extension StubIndex {
    /// The stubs that a request may have been meant for, at most `most`, in order of precedence: those with the most
    /// similar paths and, up to a quarter, those that accept any path.
    public func candidates(near path: ArraySlice<UInt8>, most: Int) -> [Stub] {
        let sketch = PathSimHash(path)
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

    /// The largest distance within which there are at most `most` stubs; at least 0.
    private func distance(within most: Int, of sketch: PathSimHash) -> Int {
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
