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
    let batches = Batches(elements, of: max(batch, 1))
    // Starting a thread costs as much as a few batches.
    _ = concurrentMap(
        drawing: batches, threads: batches.count / 4, { $0.map(transform) }, consume: consume)
}

/// Transforms the elements of a source, and hands the results to `consume` in their order. Several threads share the
/// work; one at a time draws an element, while the others transform theirs.
///
/// - Parameters:
///   - threads: the most threads; one per processor, at most 8, are used.
///   - consume: called on the calling thread only, while the other threads continue.
/// - Returns: the source after its last element.
public func concurrentMap<Source: IteratorProtocol & Sendable, Value: Sendable>(
    drawing source: Source, threads: Int = .max, _ transform: @escaping @Sendable (Source.Element) -> Value,
    consume: (Value) -> Void
) -> Source where Source.Element: Sendable {
    let threadCount = min(SystemCalls.processorCount, threads, 8)
    guard threadCount > 1 else {
        var source = source
        while let element = source.next() { consume(transform(element)) }
        return source
    }
    let work = SharedWork(source, transform)
    let helpers = (1..<threadCount).compactMap { _ in
        try? SystemThread(name: "batch") { while work.doNext() {} }
    }
    var next = 0
    func consumeFinished() {
        while let value = work.takeResult(next) {
            consume(value)
            next += 1
        }
    }
    while work.doNext() { consumeFinished() }
    for helper in helpers { helper.join() }
    consumeFinished()
    return work.rest
}

/// The batches of an array.
private struct Batches<Element: Sendable>: IteratorProtocol, Sendable {
    private let elements: [Element]
    private let size: Int
    private var start = 0

    init(_ elements: [Element], of size: Int) {
        self.elements = elements
        self.size = size
    }

    var count: Int { elements.count / size + (elements.count % size == 0 ? 0 : 1) }

    mutating func next() -> ArraySlice<Element>? {
        guard start < elements.count else { return nil }
        let end = min(start + size, elements.count)
        defer { start = end }
        return elements[start..<end]
    }
}

/// The elements of a source; whichever thread is free takes the next one.
private final class SharedWork<Source: IteratorProtocol & Sendable, Value: Sendable>: Sendable
where Source.Element: Sendable {
    private let source: Mutex<(elements: Source, drawn: Int)>
    private let transform: @Sendable (Source.Element) -> Value
    /// The results that were not taken yet, by the number of their element.
    private let done = Mutex<[Int: Value]>([:])

    init(_ source: Source, _ transform: @escaping @Sendable (Source.Element) -> Value) {
        self.source = Mutex((source, 0))
        self.transform = transform
    }

    var rest: Source { source.withLock { $0.elements } }

    /// Transforms one element. Returns false if none is left.
    func doNext() -> Bool {
        let (number, element) = source.withLock { source in
            defer { source.drawn += 1 }
            return (source.drawn, source.elements.next())
        }
        guard let element else { return false }
        let value = transform(element)
        done.withLock { $0[number] = value }
        return true
    }

    /// Takes a result, which works once. Returns nil if it is not there.
    func takeResult(_ number: Int) -> Value? {
        done.withLock { $0.removeValue(forKey: number) }
    }
}
