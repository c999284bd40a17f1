import SDAnswering
package import SDMatching
package import SDPlatform
import SDStubModel
package import SDStubs

/// What spent a budget, as text for people.
extension BudgetExhaustion {
    /// The message about a request whose stubs could not all be matched. It names the stub that took most of the
    /// budget.
    func text(ofRequestAmong stubs: VisibleStubs) -> String {
        let owner = stubs.all.first { $0.pattern === subject }
        return text(of: "Matching this request", owner: owner.map { "the stub \(StubReference($0).text())" })
    }

    /// The refusal of an admin call whose budget is spent.
    /// - Parameter stubs: the stubs that were matched; nil if the call supplied the pattern.
    func refusal(of task: String, among stubs: VisibleStubs) -> StubRefusal {
        let owner = stubs.all.first { $0.pattern === subject }
        return .tooCostly(text(of: task, owner: owner.map { "the stub \(StubReference($0).text())" }))
    }
}

extension WorkBudget {
    /// - Throws: if the budget is spent.
    package func check(_ task: String, among stubs: VisibleStubs) throws(StubRefusal) {
        if let exhaustion { throw exhaustion.refusal(of: task, among: stubs) }
    }
}
