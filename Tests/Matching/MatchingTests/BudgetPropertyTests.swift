import SDTestSupport
import Testing

/// Whatever the stubs and the body, a request takes no more than twice its budget of processor time: for its match, and
/// the search for what came nearest. `make budgets` searches among many more.
@Suite(.disabled(if: ProcessFacts.isSanitized, "a sanitizer takes time of its own")) struct BudgetPropertyTests {
    @Test func noRequestTakesTwiceItsBudget() throws {
        let first = TestGenerator.newSeed
        let scratch = try TemporaryFolder()
        let search = try ChildProcess(Daemon.built("SDBudgetSearch"), ["\(first)", "40"], outputsIn: scratch)
        let ending = search.wait(milliseconds: 300_000)
        #expect(ending == .exited(0), "\(search.output)\(search.errors)")
        #expect(search.output.contains("40 requests from seed \(first): "))
    }
}
