import SDContracts
import SDHTTPTransport
import SDStubModel

extension AnswerWishes {
    /// What is wanted of the answer to a request: what the stub says, then what the request asks for.
    /// - Parameters:
    ///   - seen: the request as the contract sees it.
    ///   - wanted: what the stub says; nil where there is none.
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
