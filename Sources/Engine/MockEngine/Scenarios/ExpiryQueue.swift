import StubModel

/// Which stubs are gone when. Stubs that went before their time stay in it until then, or until they are too many.
struct ExpiryQueue {
    private struct Entry {
        let deadline: Int64
        let id: StubMapping.ID
    }

    /// In the order of their deadlines, from `start` on.
    private var entries: [Entry] = []
    private var start = 0

    /// `Int64.max` where nothing expires.
    var next: Int64 { start < entries.count ? entries[start].deadline : .max }

    /// - Parameter isAlive: whether an entry still means something.
    mutating func insert(_ id: StubMapping.ID, deadline: Int64, alive: Int, isAlive: (StubMapping.ID, Int64) -> Bool) {
        if entries.count > 64 + 2 * alive {
            entries = entries[start...].filter { isAlive($0.id, $0.deadline) }
            start = 0
        }
        // Most stubs live equally long, so the newest comes last.
        var place = entries.count
        while place > start, entries[place - 1].deadline > deadline { place -= 1 }
        entries.insert(Entry(deadline: deadline, id: id), at: place)
    }

    mutating func popFirst(until now: Int64) -> (id: StubMapping.ID, deadline: Int64)? {
        guard next <= now, next != .max else { return nil }
        let entry = entries[start]
        start += 1
        if start == entries.count {
            entries = []
            start = 0
        }
        return (entry.id, entry.deadline)
    }
}
