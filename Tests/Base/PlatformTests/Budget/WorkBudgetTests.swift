import SDPlatform
import Testing

@Suite struct WorkBudgetTests {
    private static let work = WorkBudget.Work("regular expression", "(a+)+$")
    /// Fifty milliseconds of optimized code.
    private static let fifty = 50_000_000 * WorkBudget.slowness
    private static let other = WorkBudget.Work("JSONPath", "$..a")

    /// Draws until the budget is spent.
    private func spend(_ budget: WorkBudget, _ work: WorkBudget.Work = Self.work) {
        while budget.spend(1_000, for: work) {}
    }

    @Test func aFewStepsSpendNothing() {
        let budget = WorkBudget(limit: 1)
        #expect(budget.spend(100, for: Self.work))
        #expect(!budget.isSpent)
        #expect(budget.exhaustion == nil)
    }

    @Test func endsAfterItsProcessorTime() throws {
        let budget = WorkBudget(limit: 5_000_000)
        spend(budget)
        #expect(budget.isSpent)
        #expect(budget.left == 0)
        #expect(!budget.spend(0, for: Self.other))
        let exhaustion = try #require(budget.exhaustion)
        #expect(exhaustion.work == Self.work)
        #expect(
            exhaustion.text(of: "Matching this request", owner: "the stub a.json:1")
                == "Matching this request was given up after 5 ms of processor time, most of it for the regular "
                + "expression `(a+)+$` of the stub a.json:1; make that cheaper, or raise the limit with --match-budget")
    }

    @Test func aBoundEndsItAtOnceAndIsNamed() throws {
        let budget = WorkBudget()
        budget.refuse("has more than 2 attributes", for: WorkBudget.Work("XML document", "<a>"))
        #expect(!budget.spend(0, for: Self.work))
        #expect(
            budget.exhaustion?.text(of: "Matching", owner: nil)
                == "Matching was given up: the XML document `<a>` has more than 2 attributes")
    }

    @Test func workThatWouldNotFitIsNotSaidToHaveTakenTheTime() throws {
        let budget = WorkBudget(limit: 5_000_000)
        #expect(!budget.tryReserve(6_000_000, for: WorkBudget.Work("XML document", "of 9 bytes")))
        #expect(
            budget.exhaustion?.text(of: "Matching this request", owner: "the stub a.json:1")
                == "Matching this request was given up: the XML document `of 9 bytes` of the stub a.json:1 would take more"
                + " than is left of 5 ms of processor time; make that cheaper, or raise the limit with --match-budget")
    }

    @Test func namesWhoeverTookMostAndNotWhoeverCameLast() throws {
        final class Subject {}
        let (greedy, modest) = (Subject(), Subject())
        let budget = WorkBudget(limit: 200_000_000)
        while budget.left > Self.fifty, budget.spend(1_000, for: Self.work) {}
        budget.attribute(to: greedy)
        spend(budget, Self.other)
        budget.attribute(to: modest)
        let exhaustion = try #require(budget.exhaustion)
        #expect(exhaustion.subject === greedy)
        #expect(exhaustion.work == Self.work)
    }

    @Test func goesOnOnAnotherThreadWithWhatIsLeft() async throws {
        let budget = WorkBudget(limit: 100_000_000)
        while budget.left > Self.fifty, budget.spend(1_000, for: Self.work) {}
        budget.pauseClock()
        let left = budget.left
        #expect(left <= Self.fifty)
        #expect(left > 0)
        nonisolated(unsafe) let moved = budget
        await Task.detached { while moved.spend(1_000, for: Self.other) {} }.value
        #expect(budget.isSpent)
    }
}
