package import SDContracts
import SDHTTPMessages
package import SDHTTPTransport
package import SDJournal
import SDPlatform
import SDStubModel

/// A request that is proxied in Prism mode: its answer is buffered until both are checked against the document.
package struct PrismExchange: Sendable {
    /// The largest buffered answer, in bytes.
    static let maxHeld = 8 << 20

    private let request: Request
    private let seen: ContractRequest
    private let options: ContractOptions
    private let redaction: Redaction?
    /// The request's operation; nil if the document has none.
    package let found: FoundOperation?
    /// Why there is no operation.
    private let unknown: ProblemDetails?

    /// - Parameters:
    ///   - seen: the request below the paths of the document.
    ///   - unknown: why there is no operation; nil if there is one.
    package init(
        _ request: Request, _ seen: ContractRequest, _ found: FoundOperation?, unknown: ProblemDetails?,
        _ options: ContractOptions, _ redaction: Redaction?
    ) {
        self.request = request
        self.seen = seen
        self.found = found
        self.unknown = unknown
        self.options = options
        self.redaction = redaction
    }

    /// Whether an answer is buffered: all but event streams.
    func holds(_ fields: [(name: String, value: String)]) -> Bool {
        !fields.contains {
            $0.name.lowercased() == "content-type" && $0.value.lowercased().hasPrefix("text/event-stream")
        }
    }

    /// The answer for the client. If the other server answers 501, the document answers.
    func answer(in place: PrismAnswer, _ budget: WorkBudget) -> PrismAnswer {
        var answer = place
        guard case .prism(let failsOnErrors) = options.door else { return answer }
        guard let found else {
            if let unknown { answer.tell(PrismViolations(unknown), failsOnErrors: failsOnErrors) }
            return answer
        }
        let contract = found.contract.contract
        // A streamed request body is no longer available.
        let wrong =
            request.bodyStream == nil
            ? redaction.redacted(contract.violations(in: seen, of: found.operation, budget: budget)) : []
        if answer.status == 501 {
            if !wrong.isEmpty {
                let refusal = ContractRefusalAnswer(options.asMock).answer(
                    to: seen, found, wrong, RequestedAnswer(request, readsQuery: true), budget)
                return PrismAnswer(status: refusal.status, headers: refusal.headers, body: refusal.body)
            }
            let wishes = AnswerPreferences(for: request, seen, found.contract, nil, options)
            if case .success(let made) = contract.answer(to: seen, of: found.operation, wishes: wishes, budget: budget)
            {
                answer = PrismAnswer(made)
            }
        }
        answer.check(
            found, seen, known: PrismViolations(wrong, in: .request), failsOnErrors: failsOnErrors, budget,
            hiding: redaction)
        return answer
    }
}
