import SDJSON
import SDPlatform
import SDRecords
import Synchronization
import Testing

/// The state of stubs without a session around it.
@Suite struct StateKeeperTests {
    private final class Keeper: StateKeeper {
        let stateLimits: StateLimits
        let states: StateStore
        let changes = Atomic(0)

        init(entries: Int = 100) {
            var limits = StateLimits()
            limits.entries = entries
            stateLimits = limits
            states = StateStore(limits: limits, MemoryLedger())
        }

        func inOrder<Result: Sendable>(
            _ change: () throws(StateProblem) -> Result
        ) throws(StateProblem) -> Result {
            changes.add(1, ordering: .relaxed)
            return try change()
        }
    }

    @Test func everyChangeIsMadeInOrder() throws {
        let keeper = Keeper()
        try keeper.setState("cart", ["item": "apple"])
        try keeper.replaceState("cart", ["item": "pear"], list: [["n": 1]])
        #expect(try keeper.count("visits", in: "cart", from: 5, by: 2) == 5)
        #expect(try keeper.count("visits", in: "cart", from: 5, by: 2) == 7)
        #expect(keeper.changes.load(ordering: .relaxed) == 4)
        let context = try #require(keeper.stateContext("cart"))
        #expect(context.properties == ["item": "pear", "visits": "7"])
        #expect(context.list == [["n": 1]])
        #expect(context.updateCount == 4)
        #expect(keeper.removeState("cart"))
        #expect(!keeper.removeState("cart"))
        #expect(keeper.stateContexts.isEmpty)
    }

    @Test func whatHasNoRoomChangesNothing() throws {
        let keeper = Keeper(entries: 2)
        try keeper.setState("a", ["x": 1])
        #expect(throws: StateProblem.self) { try keeper.setState("a", ["y": 2]) }
        #expect(keeper.stateContext("a")?.properties == ["x": 1])
    }
}
