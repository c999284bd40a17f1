public import SDOpenAPI
public import SDPlatform

extension Contract {
    /// The answer to a request: the requested status, else the lowest success; the content type by `Accept`; a valid
    /// example of the document, or a body generated from the schema. Equal requests get equal answers.
    /// - Parameters:
    ///   - request: the request; may be invalid.
    ///   - budget: the budget for the work.
    public func answer(
        to request: ContractRequest, of operation: APIOperation, wishes: AnswerPreferences,
        budget: WorkBudget = WorkBudget()
    ) -> Result<MadeAnswer, ContractRefusal> {
        var writer = AnswerWriter(self, request, operation, wishes, budget)
        do throws(ContractRefusal) {
            return .success(try writer.answer())
        } catch {
            return .failure(error)
        }
    }
}
