import StubModel

/// The places of stub files in the order of insertion: by name, with gaps, so that a new file finds a place between two
/// others without moving them.
struct FileOrder {
    private struct Entry {
        let name: String
        var rank: UInt64
        var ids: [StubMapping.ID]
    }

    /// Sorted by name.
    private var entries: [Entry] = []

    /// A file's stubs are numbered from `rank << stubBits`.
    private static let stubBits: UInt64 = 24
    private static let gap: UInt64 = 1 << 16
    private static let lastRank: UInt64 = 1 << 38

    var names: [String] { entries.map(\.name) }

    /// The ids of the file's stubs; nil for a file that is not known.
    func ids(of name: String) -> [StubMapping.ID]? {
        let place = place(of: name)
        return place < entries.count && entries[place].name == name ? entries[place].ids : nil
    }

    /// The number of the file's first stub.
    func sequence(of name: String) -> UInt64 {
        let place = place(of: name)
        guard place < entries.count, entries[place].name == name else { return 0 }
        return entries[place].rank << Self.stubBits
    }

    /// Notes a file's stubs, and finds a place for a new file. True where the others had to be moved for it.
    mutating func place(_ name: String, _ ids: [StubMapping.ID]) -> Bool {
        let place = place(of: name)
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

    mutating func remove(_ name: String) {
        let place = place(of: name)
        if place < entries.count, entries[place].name == name { entries.remove(at: place) }
    }

    /// Where `name` stands, or would stand.
    private func place(of name: String) -> Int {
        // Folders are read in order, so most files come last.
        if let last = entries.last, last.name.utf8.lexicographicallyPrecedes(name.utf8) { return entries.count }
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].name.utf8.lexicographicallyPrecedes(name.utf8) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}
