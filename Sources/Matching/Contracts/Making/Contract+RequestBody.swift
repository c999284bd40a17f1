public import SDOpenAPI
public import SDPlatform

extension Contract {
    /// The body of a request for an operation, such as that of a callback: a valid example of the document, or a body
    /// generated from the schema. The result is always the same.
    /// - Returns: nil if the operation has none, or generating it failed.
    public func requestBody(
        of operation: APIOperation, budget: WorkBudget = WorkBudget()
    ) -> (type: String, bytes: [UInt8])? {
        guard let choice = operation.body.flatMap({ ContentChoice.first(of: $0.contents) }) else { return nil }
        let maker = ValueMaker(self, wishes: AnswerPreferences(), echoes: Echoes(), isRequest: true, budget: budget)
        var writer = BodyWriter(maker: maker, choice: choice, seed: ValueLocation.mixed(0, operation.key))
        do throws(ContractRefusal) {
            let body = try writer.body(example: nil)
            return budget.isSpent ? nil : (body.type, body.bytes)
        } catch {
            return nil
        }
    }
}
