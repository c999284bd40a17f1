internal import Synchronization

/// The results of `transform` for all elements, in their order. Several threads share the work where there is enough of it;
/// the calling thread is one of them.
public func concurrentMap<Element: Sendable, Value: Sendable>(
    _ elements: [Element], batch: Int = 64, _ transform: @escaping @Sendable (Element) -> Value
) -> [Value] {
    let batchCount = (elements.count + batch - 1) / max(batch, 1)
    let threadCount = min(SystemCalls.processorCount, batchCount, 8)
    guard threadCount > 1 else { return elements.map(transform) }
    let work = SharedWork(elements, batch: batch, transform)
    let helpers = (1..<threadCount).compactMap { _ in try? SystemThread(name: "batch") { work.run() } }
    work.run()
    for helper in helpers { helper.join() }
    return work.results
}

/// Batches of elements that are taken by whichever thread is free.
private final class SharedWork<Element: Sendable, Value: Sendable>: Sendable {
    private let elements: [Element]
    private let batch: Int
    private let transform: @Sendable (Element) -> Value
    private let next = Atomic(0)
    private let done = Mutex<[(first: Int, values: [Value])]>([])

    init(_ elements: [Element], batch: Int, _ transform: @escaping @Sendable (Element) -> Value) {
        self.elements = elements
        self.batch = batch
        self.transform = transform
    }

    func run() {
        while true {
            let first = next.add(batch, ordering: .relaxed).oldValue
            guard first < elements.count else { return }
            let values = elements[first..<min(first + batch, elements.count)].map(transform)
            done.withLock { $0.append((first, values)) }
        }
    }

    var results: [Value] {
        var results: [Value] = []
        results.reserveCapacity(elements.count)
        for (_, values) in done.withLock({ $0 }).sorted(by: { $0.first < $1.first }) { results += values }
        return results
    }
}
