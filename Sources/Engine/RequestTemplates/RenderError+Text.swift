package import SDPlatform
package import SDStubModel
package import SDTemplating

extension RenderError {
    /// Why a template of a stub cannot be rendered, as a clause: if the budget was spent, what took most of it, and how
    /// to fix it.
    package func text(of stub: StubReference?, _ budget: WorkBudget) -> String {
        guard let exhaustion = budget.exhaustion else { return message }
        return exhaustion.text(of: "rendering its templates", owner: stub.map { "the stub \($0.text())" })
    }
}
