import SDPlatform
import Synchronization
import Testing

@Suite struct ConcurrentMapTests {
    @Test(arguments: [0, 1, 15, 16, 17, 64, 1_000, 10_007])
    func everyResultArrivesOnceAndInOrder(count: Int) {
        var results: [Int] = []
        concurrentMap(Array(0..<count), { $0 * 3 }, consume: { results += $0 })
        #expect(results == (0..<count).map { $0 * 3 })
    }

    @Test(arguments: [0, 1, 500])
    func theElementsOfASourceComeInOrderAndTheSourceComesBack(count: Int) {
        var results: [Int] = []
        let rest = concurrentMap(drawing: Numbers(count: count), { $0 * 3 }, consume: { results.append($0) })
        #expect(results == (0..<count).map { $0 * 3 })
        #expect(rest.drawn == count)
    }

    /// Uses one and a half MiB of stack, more than some systems give a thread by default.
    @Test func aThreadsStackFitsDeepDocuments() throws {
        let deepest = Counter()
        @Sendable func descend(_ depth: Int) {
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1_024) { bytes in
                bytes.initialize(repeating: UInt8(truncatingIfNeeded: depth))
                if depth < 1_200 { descend(depth + 1) } else { deepest.value.store(depth, ordering: .relaxed) }
                // Read after the call, so that the memory is in use until here.
                if bytes[0] != UInt8(truncatingIfNeeded: depth) { deepest.value.store(-1, ordering: .relaxed) }
            }
        }
        let thread = try SystemThread(name: "deep") { descend(0) }
        thread.join()
        #expect(deepest.value.load(ordering: .relaxed) == 1_200)
    }

    @Test func aSlowElementDelaysOnlyTheResults() {
        let transformed = Counter()
        var seen: [Int] = []
        let slow: @Sendable (Int) -> Int = { element in
            // The first element ends after the others have advanced; with one processor there are no others.
            while element == 0, SystemCalls.processorCount > 1, transformed.value.load(ordering: .relaxed) < 1_000 {}
            transformed.value.add(1, ordering: .relaxed)
            return element
        }
        concurrentMap(Array(0..<2_000), batch: 1, slow, consume: { seen += $0 })
        #expect(seen == Array(0..<2_000))
    }
}

private struct Numbers: IteratorProtocol, Sendable {
    let count: Int
    var drawn = 0

    mutating func next() -> Int? {
        guard drawn < count else { return nil }
        defer { drawn += 1 }
        return drawn
    }
}

private final class Counter: Sendable {
    let value = Atomic(0)
}
