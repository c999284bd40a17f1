import SDPlatform
import Synchronization
import Testing

@Suite struct SettableClosureTests {
    @Test func itIsCalledOnceItIsSet() {
        let closure = SettableClosure<Int>()
        #expect(closure() == nil)
        closure.set { 1 }
        #expect(closure() == 1)
        closure.set { 2 }
        #expect(closure() == 2)
    }

    @Test func itMayUseItself() {
        let closure = SettableClosure<Int>()
        closure.set { [weak closure] in
            closure?.set { 2 }
            return 1
        }
        #expect(closure() == 1)
        #expect(closure() == 2)
    }

    /// A closure that is wrapped at each access needs more stack each time, and in the end more than there is.
    @Test func itsCostDoesNotGrow() {
        let count = Atomic(0)
        let closure = SettableClosure<Void>()
        closure.set { count.add(1, ordering: .relaxed) }
        for _ in 0..<500_000 { closure() }
        #expect(count.load(ordering: .relaxed) == 500_000)
    }
}
