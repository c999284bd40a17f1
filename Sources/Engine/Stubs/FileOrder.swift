package import SDStubModel

/// The numbers of stub files in the order of insertion: by name, with gaps, so that a new file fits between two others
/// without renumbering.
package struct FileOrder {
    private struct Entry {
        let name: String
        var rank: UInt64
        var ids: [StubMapping.ID]
    }

    /// The files, sorted by name.
    private var entries: [Entry] = []

    /// The bits for the stubs of one file, which are numbered from `rank << stubBits`.
    private static let stubBits: UInt64 = 24
    private static let gap: UInt64 = 1 << 16
    private static let lastRank: UInt64 = 1 << 38

    package var names: [String] { entries.map(\.name) }

    package var isEmpty: Bool { entries.isEmpty }

    /// The ids of the file's stubs; nil for an unknown file.
    package func ids(of name: String) -> [StubMapping.ID]? {
        let place = index(of: name)
        return place < entries.count && entries[place].name == name ? entries[place].ids : nil
    }

    /// The sequence number of the file's first stub; 0 for an unknown file.
    package func sequence(of name: String) -> UInt64 {
        let place = index(of: name)
        guard place < entries.count, entries[place].name == name else { return 0 }
        return entries[place].rank << Self.stubBits
    }

    /// Records a file's stubs, and inserts a new file.
    /// - Returns: whether other files were renumbered.
    package mutating func place(_ name: String, _ ids: [StubMapping.ID]) -> Bool {
        let place = index(of: name)
        if place < entries.count, entries[place].name == name {
            entries[place].ids = ids
            return false
        }
        let before = place > 0 ? entries[place - 1].rank : 0
        let after = place < entries.count ? entries[place].rank : min(before + 2 * Self.gap, Self.lastRank)
        entries.insert(Entry(name: name, rank: before + (after - before) / 2, ids: ids), at: place)
        guard entries[place].rank == before || entries[place].rank >= Self.lastRank else { return false }
        for index in entries.indices { entries[index].rank = UInt64(index + 1) * Self.gap }
        return true
    }

    package mutating func remove(_ name: String) {
        let place = index(of: name)
        if place < entries.count, entries[place].name == name { entries.remove(at: place) }
    }

    /// The index of the entry for `name`, or the one at which to insert it.
    private func index(of name: String) -> Int {
        // Folders are read in order, so most files are, or will be, the last one.
        guard let last = entries.last else { return 0 }
        if Self.precedes(last.name, name) { return entries.count }
        if !Self.precedes(name, last.name) { return entries.count - 1 }
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if Self.precedes(entries[middle].name, name) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    private static func precedes(_ left: String, _ right: String) -> Bool {
        // Most names are contiguous in memory, where comparing bytes is several times faster.
        left.utf8.withContiguousStorageIfAvailable { left in
            right.utf8.withContiguousStorageIfAvailable { left.lexicographicallyPrecedes($0) }
        }.flatMap(\.self) ?? left.utf8.lexicographicallyPrecedes(right.utf8)
    }
}
