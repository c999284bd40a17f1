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

/// A request that is for an operation of a contract, and what is to be done if the contract does not allow it.
struct CheckedRequest: Sendable {
    let request: Request
    /// The path without the prefix of the contract.
    let path: String
    let found: FoundOperation
    let check: OpenAPISettings.Check

    /// The request as the contract sees it; its body is decompressed.
    var seen: ContractRequest { ContractRequest(request, path: path) }

    /// The ways in which the contract does not allow the request.
    func violations(_ budget: WorkBudget) -> [Violation] {
        found.contract.contract.violations(in: seen, of: found.operation, budget: budget)
    }
}

extension Session {
    /// What is to be done with requests that a contract does not allow: what the session says, or else the document, or
    /// else the daemon.
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

    /// The request with what a contract says of it; nil where none is checked against.
    func checked(_ request: Request) -> CheckedRequest? {
        guard request.bodyStream == nil, let (found, path) = operation(for: request.method, request.path) else {
            return nil
        }
        let check = check(of: found.contract)
        guard check != .off else { return nil }
        return CheckedRequest(request: request, path: path, found: found, check: check)
    }

    /// Answers a request once it was held against its contract.
    func serve(_ request: Request, _ checked: CheckedRequest, _ reply: consuming Reply) {
        if checked.found.isQuick(.checking, for: request) {
            let budget = WorkBudget(limit: min(options.matchBudget, Self.loopBudget))
            let violations = redaction.shown(checked.violations(budget))
            if budget.isSpent {
                checked.found.contract.note(.checking, checked.found.index, isQuick: false)
            } else if !refuses(checked, violations) {
                return serve(request, notes: note(violations, of: checked), reply)
            } else if !options.response.contracts.isPrism {
                return refuse(request, checked, violations, reply)
            }
        }
        let waiting = WaitingReply(reply)
        activity.beganMatching()
        checked.found.queue(.checking, self).add { [self] in
            guard let reply = waiting.take() else { return }
            serveInBackground(request, checked, reply)
            journalQuota.keepWithinLimit()
        }
    }

    /// The same on a thread of its own, where activity counts it as being matched.
    private func serveInBackground(_ request: Request, _ checked: CheckedRequest, _ reply: consuming Reply) {
        let budget = newBudget
        let violations = checked.found.measured(.checking, budget) { redaction.shown(checked.violations(budget)) }
        let notes: [MatchNote]
        if budget.isSpent {
            let reason = checked.found.tooDear("the check of this request", budget).text
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

    /// Answers that a request could not be checked. No stub is asked, and it counts as served.
    private func fail(_ request: Request, _ checked: CheckedRequest, _ reason: String, _ reply: consuming Reply) {
        answer(
            request, notes: [MatchNote(kind: .warning, message: reason)],
            PlainResponse(status: 500, text: reason + "\n"),
            rule: "refused by the contract \(checked.found.contract.name)", reply)
    }

    private func refuses(_ checked: CheckedRequest, _ violations: [Violation]) -> Bool {
        checked.check == .enforce && !violations.isEmpty
    }

    /// Notes what a contract does not allow, for the journal, the log and the report.
    private func note(_ violations: [Violation], of checked: CheckedRequest) -> [MatchNote] {
        note(violations, of: checked.found.contract, checked.found.subject)
    }

    /// Notes what a contract does not allow of a request.
    /// - Parameter subject: the operation; where there is none, the request.
    func note(
        _ violations: [Violation], of contract: ServedContract, _ subject: (index: Int?, text: String)
    ) -> [MatchNote] {
        noteContract(violations, in: .request, contract, subject)
        return violations.prefix(Self.mostNotes).map {
            MatchNote(kind: .warning, message: "the contract \(contract.name) does not allow this: \($0.text)")
        }
    }

    /// The most violations that the journal keeps of one request.
    private static var mostNotes: Int { 20 }

    /// Refuses a request. No stub is asked, and it counts as served.
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

    /// Answers a request of which no stub is asked. It counts as served.
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
