import SDAnswering
import SDContracts
import SDHTTPMessages
import SDHTTPTransport
import SDJournal
import SDMatching
import SDOpenAPI
import SDPlatform
import SDReports
import SDStubModel
import Synchronization

/// A request for an operation of a contract, and what to do if it violates the contract.
struct CheckedRequest: Sendable {
    let request: Request
    /// The path without the prefix of the contract.
    let path: String
    let found: FoundOperation
    let check: OpenAPISettings.Check

    /// The request as the contract sees it; its body is decompressed.
    var seen: ContractRequest { ContractRequest(request, path: path) }

    /// The request's violations of the contract.
    func violations(_ budget: WorkBudget) -> [Violation] {
        found.contract.contract.violations(in: seen, of: found.operation, budget: budget)
    }
}

extension Session {
    /// How to treat requests that violate a contract: the session's setting, else the document's, else the daemon's.
    func check(of contract: ServedContract) -> OpenAPISettings.Check {
        state.withLock { $0.settings.openapiValidate } ?? contract.settings.validate
            ?? options.response.contracts.validate
    }

    /// The operation that a request is for, in the first contract that has one; nil for none.
    func operation(for method: ArraySlice<UInt8>, _ path: ArraySlice<UInt8>) -> (found: FoundOperation, path: String)? {
        let (method, path) = (String(decoding: method, as: UTF8.self), String(decoding: path, as: UTF8.self))
        for contract in contracts {
            guard let own = contract.ownPath(of: path) else { continue }
            if let index = contract.contract.operation(method: method, path: own) {
                return (FoundOperation(contract, index), own)
            }
        }
        return nil
    }

    /// The request with its operation and check; nil if it is not checked.
    func checked(_ request: Request) -> CheckedRequest? {
        guard request.bodyStream == nil, let (found, path) = operation(for: request.method, request.path) else {
            return nil
        }
        let check = check(of: found.contract)
        guard check != .off else { return nil }
        return CheckedRequest(request: request, path: path, found: found, check: check)
    }

    /// Checks a request against its contract, then answers it.
    func serve(_ request: Request, _ checked: CheckedRequest, _ reply: consuming Reply) {
        if checked.found.isQuick(.checking, for: request) {
            let budget = WorkBudget(limit: min(options.matchBudget, Self.loopBudget))
            let violations = redaction.redacted(checked.violations(budget))
            if budget.isSpent {
                checked.found.contract.note(.checking, checked.found.index, isQuick: false)
            } else if !refuses(checked, violations) {
                return serve(request, notes: note(violations, of: checked), reply)
            } else if !options.response.contracts.isPrism {
                return refuse(request, checked, violations, reply)
            }
        }
        let waiting = ReplyBox(reply)
        activity.beganMatching()
        checked.found.queue(.checking, self).add { [self] in
            guard let reply = waiting.take() else { return }
            serveInBackground(request, checked, reply)
            journalQuota.keepWithinLimit()
        }
    }

    /// Checks and answers on a background thread, counted as matching.
    private func serveInBackground(_ request: Request, _ checked: CheckedRequest, _ reply: consuming Reply) {
        let budget = newBudget
        let violations = checked.found.measured(.checking, budget) { redaction.redacted(checked.violations(budget)) }
        let notes: [MatchNote]
        if budget.isSpent {
            let reason = checked.found.tooExpensive("the check of this request", budget).text
            guard checked.check != .enforce else {
                fail(request, checked, reason, reply)
                return activity.endedMatching()
            }
            notes = [MatchNote(kind: .warning, message: reason)]
        } else if refuses(checked, violations) {
            refuse(request, checked, violations, reply)
            return activity.endedMatching()
        } else {
            notes = note(violations, of: checked)
        }
        answerInBackground(request, notes: notes, reply)
    }

    /// Answers that a request could not be checked. Matching is skipped, and the request counts as served.
    private func fail(_ request: Request, _ checked: CheckedRequest, _ reason: String, _ reply: consuming Reply) {
        answer(
            request, notes: [MatchNote(kind: .warning, message: reason)],
            PlainResponse(status: 500, text: reason + "\n"),
            rule: "refused by the contract \(checked.found.contract.name)", reply)
    }

    private func refuses(_ checked: CheckedRequest, _ violations: [Violation]) -> Bool {
        checked.check == .enforce && !violations.isEmpty
    }

    /// Records violations of a contract for the journal, the log and the report.
    private func note(_ violations: [Violation], of checked: CheckedRequest) -> [MatchNote] {
        note(violations, of: checked.found.contract, checked.found.subject)
    }

    /// Records violations of a request.
    /// - Parameter subject: the operation; the request if it has none.
    func note(
        _ violations: [Violation], of contract: ServedContract, _ subject: (index: Int?, text: String)
    ) -> [MatchNote] {
        noteContract(violations, in: .request, contract, subject)
        return violations.prefix(Self.maxNotes).map {
            MatchNote(kind: .warning, message: "the contract \(contract.name) does not allow this: \($0.text)")
        }
    }

    /// The largest number of violations that the journal stores for a request.
    private static var maxNotes: Int { 20 }

    /// Refuses a request. Matching is skipped, and the request counts as served.
    private func refuse(
        _ request: Request, _ checked: CheckedRequest, _ violations: [Violation], _ reply: consuming Reply
    ) {
        let wanted = RequestedAnswer(request, readsQuery: options.response.contracts.isPrism)
        let response = ContractRefusalAnswer(options.response.contracts).answer(
            to: checked.seen, checked.found, violations, wanted, newBudget)
        answer(
            request, notes: note(violations, of: checked), response,
            rule: "refused by the contract \(checked.found.contract.name)", reply)
    }

    /// Answers a request without matching. It counts as served.
    func answer(
        _ request: Request, notes: [MatchNote], _ response: PlainResponse, rule: String, _ reply: consuming Reply
    ) {
        let event = state.withLock { state in
            state.record(request, nil, notes: notes, file: nil, isUnmatched: false, owner: nil, activity: activity)
        }
        event.extras?.rule = .init(rule)
        event.sends(ServedResponse(status: response.status, fields: response.headers, body: response.body))
        activity.recorded(event)
        reply.send(plain(response, request), observer: event)
    }
}
