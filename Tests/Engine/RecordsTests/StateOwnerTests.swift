import SDJSON
import SDPlatform
import SDRecords
import Synchronization
import Testing

/// The state of stubs without a session around it.
@Suite struct StateOwnerTests {
    private final class Owner: StateOwner {
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
        let owner = Owner()
        try owner.setState("cart", ["item": "apple"])
        try owner.replaceState("cart", ["item": "pear"], list: [["n": 1]])
        #expect(try owner.count("visits", in: "cart", from: 5, by: 2) == 5)
        #expect(try owner.count("visits", in: "cart", from: 5, by: 2) == 7)
        #expect(owner.changes.load(ordering: .relaxed) == 4)
        let context = try #require(owner.stateContext("cart"))
        #expect(context.properties == ["item": "pear", "visits": "7"])
        #expect(context.list == [["n": 1]])
        #expect(context.updateCount == 4)
        #expect(owner.removeState("cart"))
        #expect(!owner.removeState("cart"))
        #expect(owner.stateContexts.isEmpty)
    }

    @Test func whatHasNoRoomChangesNothing() throws {
        let owner = Owner(entries: 2)
        try owner.setState("a", ["x": 1])
        #expect(throws: StateProblem.self) { try owner.setState("a", ["y": 2]) }
        #expect(owner.stateContext("a")?.properties == ["x": 1])
    }
}
