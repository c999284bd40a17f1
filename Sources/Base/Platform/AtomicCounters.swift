import Synchronization

/// A fixed number of counters that any thread can increment. They order no other memory accesses.
package final class AtomicCounters: Sendable {
    package let count: Int
    // Allocated by `init`, freed by `deinit`; in between only accessed atomically.
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

    /// - Precondition: `index` is less than the count.
    package func add(_ amount: UInt64 = 1, at index: Int) {
        precondition(0 <= index && index < count, "there is no counter \(index) of \(count)")
        counters[index].wrappingAdd(amount, ordering: .relaxed)
    }

    /// - Precondition: `index` is less than the count.
    package subscript(index: Int) -> UInt64 {
        precondition(0 <= index && index < count, "there is no counter \(index) of \(count)")
        return counters[index].load(ordering: .relaxed)
    }
}
