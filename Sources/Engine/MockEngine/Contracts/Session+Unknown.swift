package import SDAnswering
import SDContracts
import SDHTTPMessages
package import SDHTTPTransport
import SDJournal
import SDMatching
import SDOpenAPI
import SDStubModel

/// Unmatched requests below the paths of a contract that is enforced.
extension Session {
    /// Returns what a contract lacks for a request; nil if one has an operation for it, or no contract covers its path.
    private func unknown(_ request: Request, where counts: (ServedContract) -> Bool) -> UnknownRequest? {
        guard hasContracts else { return nil }
        let path = String(decoding: request.path, as: UTF8.self)
        let method = String(decoding: request.method, as: UTF8.self)
        var nothing: UnknownRequest?
        for contract in contracts where counts(contract) {
            guard let own = contract.ownPath(of: path) else { continue }
            let seen = ContractRequest(method: method, path: own)
            switch contract.contract.find(method: method, path: own) {
            case .operation: return nil
            case .wrongMethod(let allowed): return UnknownRequest(seen: seen, contract: contract, allowed: allowed)
            case .nothing(let nearest):
                if nothing == nil { nothing = UnknownRequest(seen: seen, contract: contract, nearest: nearest) }
            }
        }
        return nothing
    }

    /// The answer to an unmatched request below the paths of an enforced contract; nil for others.
    private func contractAnswer(to request: Request) -> PlainResponse? {
        unknown(request) { check(of: $0) == .enforce }.map {
            ContractRefusalAnswer(options.response.contracts).answer(to: $0)
        }
    }

    /// Records, in the log and the report, a request for which a checked contract has no operation.
    /// - Returns: the notes for the journal.
    @discardableResult
    func noteUnknown(_ request: Request) -> [MatchNote] {
        guard let unknown = unknown(request, where: { check(of: $0) != .off }), let contract = unknown.contract else {
            return []
        }
        let method = String(decoding: request.method, as: UTF8.self)
        return note(
            redaction.redacted([unknown.violation]), of: contract,
            (nil, "\(method) \(redaction.redactedURL(unknown.seen.path))"))
    }

    /// The answer to an unmatched request: the contract's refusal, or else the report.
    func unmatchedAnswer(_ report: PlainResponse, _ request: Request) -> PlainResponse {
        guard let answer = contractAnswer(to: request) else { return report }
        noteUnknown(request)
        return answer
    }

    /// The answer to an unmatched request, as the journal stores it.
    func unmatchedResponse(to request: Request) -> ServedResponse {
        contractAnswer(to: request).map { ServedResponse(status: $0.status, fields: $0.headers, body: $0.body) }
            ?? .unmatched
    }

    // MARK: Prism mode

    /// The answer to a request that is not proxied because the contract has no operation for it; nil if it is proxied.
    func refusalToSendOn(_ request: Request) -> PlainResponse? {
        guard case .prism(failsOnErrors: true) = options.response.contracts.door,
            options.response.contracts.isCheckOnly, !request.method.elementsEqual("HEAD".utf8)
        else { return nil }
        return contractAnswer(to: request)
    }

    /// Whether Prism mode answers an `OPTIONS` request itself, because the contract has no such operation.
    func asksPrism(_ request: Request) -> Bool {
        options.response.contracts.isPrism && options.stubCORS && request.method.elementsEqual("OPTIONS".utf8)
            && operation(for: request.method, request.path) == nil
    }

    package func prismExchange(of request: Request) -> PrismExchange? {
        let contracts = options.response.contracts
        guard contracts.isPrism else { return nil }
        if let (found, path) = operation(for: request.method, request.path) {
            return PrismExchange(
                request, ContractRequest(request, path: path), found, unknown: nil, contracts, redaction)
        }
        let path = String(decoding: request.path, as: UTF8.self)
        let unknown = unknown(request) { _ in true } ?? UnknownRequest(seen: ContractRequest(request, path: path))
        return PrismExchange(
            request, unknown.seen, nil,
            unknown: ContractRefusalAnswer(contracts).problem(of: unknown), contracts, redaction)
    }
}
