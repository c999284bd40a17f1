public import SDOpenAPI
public import SDPlatform

extension Contract {
    /// The body of a request for an operation, such as that of a callback: an example of the document that is valid, or
    /// one that is made from the schema. It is the same each time.
    /// - Returns: nil if it has none, or none can be made.
    public func requestBody(
        of operation: APIOperation, budget: WorkBudget = WorkBudget()
    ) -> (type: String, bytes: [UInt8])? {
        guard let choice = operation.body.flatMap({ ContentChoice.first(of: $0.contents) }) else { return nil }
        let maker = ValueMaker(self, wishes: AnswerWishes(), echoes: Echoes(), isRequest: true, budget: budget)
        var writer = BodyWriter(maker: maker, choice: choice, seed: Spot.mixed(0, operation.key))
        do throws(ContractRefusal) {
            let body = try writer.body(example: nil)
            return budget.isSpent ? nil : (body.type, body.bytes)
        } catch {
            return nil
        }
    }
}
