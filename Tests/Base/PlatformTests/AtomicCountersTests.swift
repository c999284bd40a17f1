import SDPlatform
import Testing

@Suite struct AtomicCountersTests {
    @Test func whatSeveralThreadsAddIsAllThere() async {
        let counters = AtomicCounters(count: 3)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<10_000 { counters.add(at: 1) }
                    counters.add(5, at: 2)
                }
            }
        }
        #expect((0..<3).map { counters[$0] } == [0, 40_000, 20])
    }
}
