import SDPlatform
import Testing

@Suite struct LoopAllowanceTests {
    @Test func whoComesShortlyAfterADearRequestHasLess() {
        let allowance = LoopAllowance()
        let begin = SystemCalls.monotonicNanoseconds()
        #expect(allowance.limit(at: begin) == LoopAllowance.usual)
        allowance.wasSpent()
        let end = SystemCalls.monotonicNanoseconds()
        #expect(allowance.limit(at: end) == LoopAllowance.short)
        #expect(allowance.limit(at: begin + LoopAllowance.pause - 1) == LoopAllowance.short)
        #expect(allowance.limit(at: end + LoopAllowance.pause) == LoopAllowance.usual)
    }
}
