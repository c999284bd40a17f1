import SDPlatform
import SDTestSupport
import Testing

/// Work beside the threads that give it.
@Suite struct WorkQueueTests {
    @Test func oneThreadDoesJobsInTheirOrder() throws {
        let queue = WorkQueue(name: "test")
        let done = Events<Int>()
        for number in 0..<1_000 { queue.add { done.tell(number) } }
        for number in 0..<1_000 { #expect(done.next() == number) }
        // The thread has ended or will; another one is made.
        queue.add { done.tell(-1) }
        #expect(done.next() == -1)
    }

    @Test func severalThreadsDoSoManyJobsAtOnceAndNoMore() throws {
        let queue = WorkQueue(name: "test", threads: 3)
        let begun = Events<Int>()
        let mayEnd = Events<Int>()
        for number in 0..<5 {
            queue.add {
                begun.tell(number)
                _ = mayEnd.next()
            }
        }
        #expect(Set((0..<3).map { _ in begun.next() }) == [0, 1, 2])
        #expect(begun.next(within: 100) == nil)
        for _ in 0..<5 { mayEnd.tell(0) }
        #expect(Set((0..<2).map { _ in begun.next() }) == [3, 4])
    }
}
