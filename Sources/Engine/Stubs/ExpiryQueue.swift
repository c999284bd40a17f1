import SDStubModel

/// The stubs by expiry time. Removed stubs stay until then, or until a purge.
struct ExpiryQueue {
    private struct Entry {
        let deadline: Int64
        let id: StubMapping.ID
    }

    /// The entries ordered by deadline, from `start` on.
    private var entries: [Entry] = []
    private var start = 0

    /// The next deadline; `Int64.max` if nothing expires.
    package var next: Int64 { start < entries.count ? entries[start].deadline : .max }

    /// Adds an entry.
    /// - Parameter isAlive: whether an entry is still valid.
    package mutating func insert(
        _ id: StubMapping.ID, deadline: Int64, alive: Int, isAlive: (StubMapping.ID, Int64) -> Bool
    ) {
        if entries.count > 64 + 2 * alive {
            entries = entries[start...].filter { isAlive($0.id, $0.deadline) }
            start = 0
        }
        // Most stubs have the same time to live, so the newest is usually last.
        var place = entries.count
        while place > start, entries[place - 1].deadline > deadline { place -= 1 }
        entries.insert(Entry(deadline: deadline, id: id), at: place)
    }

    package mutating func popFirst(until now: Int64) -> (id: StubMapping.ID, deadline: Int64)? {
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
