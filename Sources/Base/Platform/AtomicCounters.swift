import Synchronization

/// A fixed number of counters, to which any thread adds. They publish nothing else.
package final class AtomicCounters: Sendable {
    package let count: Int
    // Made by `init`, freed by `deinit`; in between each counter is only touched atomically.
    private nonisolated(unsafe) let counters: UnsafeMutablePointer<Atomic<UInt64>>

    /// Makes counters that are all 0.
    package init(count: Int) {
        self.count = count
        counters = .allocate(capacity: count)
        for index in 0..<count { (counters + index).initialize(to: Atomic(0)) }
    }

    deinit {
        counters.deinitialize(count: count)
        counters.deallocate()
    }

    /// - Precondition: there is a counter of that index.
    package func add(_ amount: UInt64 = 1, at index: Int) {
        precondition(0 <= index && index < count, "there is no counter \(index) of \(count)")
        counters[index].wrappingAdd(amount, ordering: .relaxed)
    }

    /// - Precondition: there is a counter of that index.
    package subscript(index: Int) -> UInt64 {
        precondition(0 <= index && index < count, "there is no counter \(index) of \(count)")
        return counters[index].load(ordering: .relaxed)
    }
}
