import SDContracts
import SDHTTPTransport
import SDStubModel

extension AnswerPreferences {
    /// The wishes for the answer to a request: those of the stub, then those of the request.
    /// - Parameters:
    ///   - seen: the request as the contract sees it.
    ///   - wanted: the stub's wishes; nil for none.
    init(
        for request: Request, _ seen: ContractRequest, _ contract: ServedContract, _ wanted: OpenAPIAnswer?,
        _ options: ContractOptions
    ) {
        self.init()
        source = wanted?.answers ?? contract.settings.answers ?? options.answers
        status = wanted?.code
        example = wanted?.example
        listLength = contract.settings.items.map { $0...$0 }
        isStrictAboutAccept = options.isPrism
        takesAllExamples = options.isPrism
        RequestedAnswer(request, readsQuery: options.isPrism).apply(to: &self)
        seed = seen.seed
    }
}
