import SDBasics
import Testing

@Suite struct LockTests {
    private struct Refusal: Error {}

    @Test func oneThreadAtATimeChangesTheValue() async {
        let count = Lock(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<1_000 { count.withLock { $0 += 1 } } }
            }
        }
        #expect(count.withLock { $0 } == 8_000)
    }

    @Test func anErrorLetsItGo() {
        let count = Lock(0)
        #expect(throws: Refusal.self) { try count.withLock { _ in throw Refusal() } }
        #expect(count.withLock { $0 } == 0)
    }
}
