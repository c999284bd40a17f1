import SDAnswering
import SDContracts
import SDHTTPMessages
import SDHTTPTransport
import SDJournal
import SDOpenAPI
import SDStubModel

/// Requests that nothing answers, where a contract is enforced.
extension Session {
    /// The answer to a request that nothing answers, below the paths of a contract that is enforced; nil for others.
    private func contractAnswer(to request: Request) -> PlainResponse? {
        guard hasContracts else { return nil }
        let path = String(decoding: request.path, as: UTF8.self)
        let method = String(decoding: request.method, as: UTF8.self)
        var nothing: (seen: ContractRequest, nearest: String?)?
        for contract in contracts where check(of: contract) == .enforce {
            guard let own = contract.ownPath(of: path) else { continue }
            let seen = ContractRequest(method: method, path: own)
            switch contract.contract.find(method: method, path: own) {
            case .operation: return nil
            case .wrongMethod(let allowed):
                return ContractRefusalAnswer(options.response.contracts.door)
                    .answer(toUnknown: seen, allowed: allowed, nearest: nil)
            case .nothing(let nearest): if nothing == nil { nothing = (seen, nearest) }
            }
        }
        return nothing.map {
            ContractRefusalAnswer(options.response.contracts.door)
                .answer(toUnknown: $0.seen, allowed: nil, nearest: $0.nearest)
        }
    }

    /// The answer to a request that nothing answers: what a contract says, or else the report.
    func unmatchedAnswer(_ report: PlainResponse, _ request: Request) -> PlainResponse {
        contractAnswer(to: request) ?? report
    }

    /// The same, as the journal keeps it.
    func unmatchedResponse(to request: Request) -> ServedResponse {
        contractAnswer(to: request).map { ServedResponse(status: $0.status, fields: $0.headers, body: $0.body) }
            ?? .unmatched
    }
}
