import SDPlatform
import SDStubModel
import Testing

@testable import SDAnswering
@testable import SDJournal
@testable import SDMockEngine
@testable import SDRecords
@testable import SDStubs

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct FileOrderTests {
    @Test func filesAreInTheOrderOfTheirNames() {
        var order = FileOrder()
        for name in ["b.json", "a.json", "sub/a.json", "c.json"] { _ = order.place(name, []) }
        #expect(order.names == ["a.json", "b.json", "c.json", "sub/a.json"])
    }

    @Test func aFileThatIsPlacedAgainKeepsItsPlace() {
        var order = FileOrder()
        let id = StubMapping.ID()
        _ = order.place("a", [])
        _ = order.place("b", [])
        let before = order.sequence(of: "a")
        let othersMoved = order.place("a", [id])
        #expect(!othersMoved)
        #expect(order.sequence(of: "a") == before)
        #expect(order.ids(of: "a") == [id])
        #expect(order.ids(of: "c") == nil)
    }

    /// Always before the first one: the gap is halved each time until the numbers are spread again.
    @Test func anExhaustedGapRedistributesThePlaces() {
        var order = FileOrder()
        var spread = 0
        for number in (0..<100).reversed() {
            if order.place(format(number), []) { spread += 1 }
            expectOrder(order)
        }
        #expect(spread > 0)
        #expect(order.names.count == 100)
    }

    /// Whatever is added or removed: the numbers rise with the names and stay below those of the admin API.
    @Test(arguments: [UInt64(1), 2, 3])
    func numbersFollowNames(seed: UInt64) {
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        var order = FileOrder()
        var known: Set<String> = []
        for _ in 0..<2_000 {
            let name = String((0..<3).map { _ in "abcdef/.".randomElement(using: &generator) ?? "a" })
            if Int.random(in: 0..<4, using: &generator) == 0 {
                order.remove(name)
                known.remove(name)
            } else {
                _ = order.place(name, [])
                known.insert(name)
            }
        }
        #expect(order.names == known.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        expectOrder(order)
    }

    private func expectOrder(_ order: FileOrder) {
        let numbers = order.names.map(order.sequence)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
        #expect(numbers.allSatisfy { $0 > 0 && $0 < StubSet.firstOwnSequence })
    }

    private func format(_ number: Int) -> String {
        String(repeating: "0", count: 3 - String(number).count) + String(number)
    }
}
