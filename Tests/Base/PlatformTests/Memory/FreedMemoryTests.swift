import SDPlatform
import SDTestSupport
import Synchronization
import Testing

/// Memory that threads have freed, in a process of its own, since others allocate meanwhile.
@Suite struct FreedMemoryTests {
    /// Memory is returned in a second in which nothing was freed and little was done.
    @Test(arguments: [
        (0, 0, true), (0, 499, true), (0, 500, false), (0, 2000, false), (1, 0, false), (-4, 0, false),
    ])
    func nothingIsReturnedUnderLoad(freed: Int, milliseconds: UInt64, isQuiet: Bool) {
        let before = FreedMemory.Activity(noted: 5, processorNanoseconds: 7)
        let later = FreedMemory.Activity(noted: 5 + freed, processorNanoseconds: 7 + milliseconds * 1_000_000)
        #expect(before.isQuiet(until: later) == isQuiet)
    }

    /// Each thread leaves megabytes free at the end of a pool of the allocator's.
    @Test(.enabled(if: ProcessFacts.measuresMemory, "memory cannot be measured"))
    func whatThreadsHaveFreedIsReturned() async {
        await #expect(processExitsWith: .success) {
            SystemCalls.growHeapInLargeSteps()
            SystemCalls.boundFreeMemory(loops: 16)
            let before = try #require(ProcessFacts.residentBytes)
            let (threads, pieces, size) = (4, 400, 8 << 10)
            let filled = Atomic(0)
            let ended = Atomic(0)
            let queue = WorkQueue(name: "filling", threads: threads)
            for _ in 0..<threads {
                queue.add {
                    var blocks: [[UInt8]] = []
                    for _ in 0..<pieces { blocks.append([UInt8](repeating: 1, count: size)) }
                    filled.add(blocks.count, ordering: .relaxed)
                    // None ends before all have a pool of their own.
                    while filled.load(ordering: .relaxed) < threads * pieces { SystemCalls.pause(milliseconds: 1) }
                    blocks = []
                    ended.add(1, ordering: .relaxed)
                }
            }
            let areDone = eventually { ended.load(ordering: .relaxed) == threads ? true : nil }
            #expect(areDone == true)
            SystemCalls.releaseFreeMemory()
            let growth = try #require(ProcessFacts.residentBytes) - before
            #expect(growth < threads * pieces * size / 4, "\(growth) bytes")
        }
    }

    /// A thread that made room for what it allocates keeps the rest of the room only until free memory is returned.
    @Test(.enabled(if: ProcessFacts.measuresMemory, "memory cannot be measured"))
    func theRoomForManyAllocationsIsReturned() async {
        await #expect(processExitsWith: .success) {
            SystemCalls.growHeapInLargeSteps()
            SystemCalls.boundFreeMemory(loops: 1)
            let before = try #require(ProcessFacts.residentBytes)
            let (parts, pieces, size) = (40, 200, 4 << 10)
            @Sendable func allocate() {
                var blocks: [[UInt8]] = []
                for _ in 0..<parts {
                    SystemCalls.makeRoomInHeap()
                    for _ in 0..<pieces { blocks.append([UInt8](repeating: 1, count: size)) }
                }
            }
            let other = try SystemThread(name: "filling") { allocate() }
            allocate()
            other.join()
            let most = try #require(ProcessFacts.residentBytes) - before
            SystemCalls.releaseFreeMemory()
            let growth = try #require(ProcessFacts.residentBytes) - before
            #expect(most > parts * pieces * size, "\(most) bytes")
            #expect(growth < parts * pieces * size / 4, "\(growth) bytes")
        }
    }
}
