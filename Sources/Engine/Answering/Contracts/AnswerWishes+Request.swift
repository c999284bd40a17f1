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
        let source = wanted?.answers ?? contract.settings.answers ?? options.answers
        self.source = source == .made ? .made : .examples
        status = wanted?.code
        example = wanted?.example
        listLength = contract.settings.items.map { $0...$0 }
        isStrictAboutAccept = options.isPrism
        takesAllExamples = options.isPrism
        RequestedAnswer(request, readsQuery: options.isPrism).apply(to: &self)
        seed = Self.seed(of: seen)
    }

    /// The same number for the same request: FNV-1a of method, URL and body.
    private static func seed(of request: ContractRequest) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ bytes: some Sequence<UInt8>) {
            for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
            hash = (hash ^ 0xFF) &* 0x0000_0100_0000_01B3
        }
        add(request.method.utf8)
        add(request.path.utf8)
        add((request.query ?? "").utf8)
        add(request.body.prefix(64 << 10))
        return hash
    }
}
