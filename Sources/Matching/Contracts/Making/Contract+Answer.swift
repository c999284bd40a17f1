public import SDOpenAPI
public import SDPlatform

extension Contract {
    /// The answer to a request: the status that is wished for, else the lowest success; the content type by `Accept`;
    /// an example of the document that is valid, or a body that is made from the schema. It is the same for the same
    /// request.
    /// - Parameters:
    ///   - request: it need not be valid.
    ///   - budget: what the work is drawn from.
    public func answer(
        to request: ContractRequest, of operation: APIOperation, wishes: AnswerWishes, budget: WorkBudget = WorkBudget()
    ) -> Result<MadeAnswer, ContractRefusal> {
        var writer = AnswerWriter(self, request, operation, wishes, budget)
        do throws(ContractRefusal) {
            return .success(try writer.answer())
        } catch {
            return .failure(error)
        }
    }
}
