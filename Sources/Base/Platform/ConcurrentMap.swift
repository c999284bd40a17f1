internal import Synchronization

/// Transforms all elements and hands the results to `consume` in the order of the elements. Given enough work, several
/// threads share it; the calling thread is one of them.
///
/// - Parameter consume: called on the calling thread only, with the results of one batch, while the other threads
///   continue. Serial work done here overlaps with the transformation.
public func concurrentMap<Element: Sendable, Value: Sendable>(
    _ elements: [Element], batch: Int = 16, _ transform: @escaping @Sendable (Element) -> Value,
    consume: ([Value]) -> Void
) {
    let work = SharedWork(elements, batch: max(batch, 1), transform)
    // Starting a thread costs as much as a few batches.
    let threadCount = min(SystemCalls.processorCount, work.batchCount / 4, 8)
    let helpers = (1..<max(threadCount, 1)).compactMap { _ in
        try? SystemThread(name: "batch") { while work.doBatch() {} }
    }
    var next = 0
    func consumeFinished() {
        while let values = work.takeResults(ofBatch: next) {
            consume(values)
            next += 1
        }
    }
    while work.doBatch() { consumeFinished() }
    for helper in helpers { helper.join() }
    consumeFinished()
}

/// Batches of elements; whichever thread is free takes the next one.
private final class SharedWork<Element: Sendable, Value: Sendable>: Sendable {
    private let elements: [Element]
    private let batch: Int
    private let transform: @Sendable (Element) -> Value
    private let next = Atomic(0)
    /// The results by number of batch; nil before a batch is done and after its results were taken.
    private let done: Mutex<[[Value]?]>

    let batchCount: Int

    init(_ elements: [Element], batch: Int, _ transform: @escaping @Sendable (Element) -> Value) {
        self.elements = elements
        self.batch = batch
        self.transform = transform
        let batchCount = elements.count / batch + (elements.count % batch == 0 ? 0 : 1)
        self.batchCount = batchCount
        done = Mutex(Array(repeating: nil, count: batchCount))
    }

    /// Does one batch. Returns false if none is left.
    func doBatch() -> Bool {
        let number = next.add(1, ordering: .relaxed).oldValue
        guard number < batchCount else { return false }
        let first = number * batch
        let values = elements[first..<min(first + batch, elements.count)].map(transform)
        done.withLock { $0[number] = values }
        return true
    }

    /// Takes a batch's results, which works once. Returns nil if the batch is not done.
    func takeResults(ofBatch number: Int) -> [Value]? {
        guard number < batchCount else { return nil }
        return done.withLock { done in
            defer { done[number] = nil }
            return done[number]
        }
    }
}
