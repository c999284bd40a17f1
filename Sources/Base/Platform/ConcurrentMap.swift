internal import Synchronization

/// Transforms all elements and passes the results to `consume` in the elements' order. Enough work is shared among
/// several threads, including the calling one.
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

/// Transforms the elements of a source, and passes the results to `consume` in their order. Several threads share the
/// work: one at a time takes an element, while the others transform theirs.
///
/// - Parameters:
///   - threads: the maximum number of threads; by default one per processor, at most 8.
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

/// The elements of a source; the next free thread takes the next one.
private final class SharedWork<Source: IteratorProtocol & Sendable, Value: Sendable>: Sendable
where Source.Element: Sendable {
    private let source: Mutex<(elements: Source, drawn: Int)>
    private let transform: @Sendable (Source.Element) -> Value
    /// The results not consumed yet, by element number.
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

    /// Removes and returns a result; nil if it is not ready.
    func takeResult(_ number: Int) -> Value? {
        done.withLock { $0.removeValue(forKey: number) }
    }
}
