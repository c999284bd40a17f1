import SDPlatform
import Testing

@Suite struct MonotonicInstantTests {
    @Test func goesForward() {
        let first = MonotonicInstant.now
        SystemCalls.pause(milliseconds: 2)
        let second = MonotonicInstant.now
        #expect(first.elapsed >= .milliseconds(2))
        #expect(first.elapsedNanoseconds >= 2_000_000)
        #expect(second.elapsed < first.elapsed)
    }
}
