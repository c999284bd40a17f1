package import SDPlatform
package import SDStubModel
package import SDTemplating

extension RenderError {
    /// The reason why a template of a stub cannot be rendered, as a clause: if there was no time for it, what took most
    /// of it, and what to do.
    package func text(of stub: StubReference?, _ budget: WorkBudget) -> String {
        guard let overdraft = budget.overdraft else { return message }
        return overdraft.text(of: "rendering its templates", owner: stub.map { "the stub \($0.text())" })
    }
}
