package import SDAnswering
import SDBasics
package import SDContracts
import SDHTTPTransport
import SDJSON
package import SDJournal
import SDOpenAPI
import SDPlatform
import SDReports
import SDStubModel
import Synchronization

/// Records what requests use of the contracts of a session, once their answers have ended.
final class ContractListener: SessionListener {
    private let note: @Sendable (ServeEvent) -> Void

    init(_ note: @escaping @Sendable (ServeEvent) -> Void) {
        self.note = note
    }

    func answerEnded(_ event: ServeEvent) { note(event) }
    var keepsInUse: Bool { false }
}

extension Session {
    /// Starts to record what requests use of the contracts. Later calls do nothing.
    func covers() {
        guard !contractLedger.isListening.load(ordering: .relaxed),
            !contractLedger.isListening.exchange(true, ordering: .relaxed)
        else { return }
        state.withLock { $0.holdsAnswers = true }
        activity.add(ContractListener { [weak self] in self?.cover($0) })
    }

    /// Records the operation, status and parameters of a request.
    private func cover(_ event: ServeEvent) {
        guard let status = event.status, let (found, _) = operation(for: event.request.method, event.request.path)
        else { return }
        let check = check(of: found.contract)
        // An answer that refuses the request does not cover its operation.
        let isRefusal =
            event.extras?.rule != nil
            || event.matched?.isOfContract == true && !found.operation.declaresOrDefaults(status)
        if isRefusal { return }
        noteContract(found, status: status, parameters: Self.parameters(of: event.request, found.operation))
        // Answers that the contract generates are valid. In Prism mode, answers that were not streamed were checked
        // before they were sent. Answers of another replica are checked there.
        guard check != .off, !isElsewhere(event), let served = event.response, served.wholeBody == nil,
            served.failure == nil,
            served.fault == nil, event.matched?.isOfContract != true,
            !options.response.contracts.isPrism || served.isStreamed
        else { return }
        let encoding = served.fields.last { $0.name.lowercased() == "content-encoding" }?.value.lowercased()
        guard [nil, "", "identity", "gzip", "x-gzip"].contains(encoding) else { return }
        let answer = ContractAnswer(
            status: served.status, headers: served.fields.map { (name: $0.name, value: $0.value) },
            body: ContractRequest.plain(served.body[...]))
        shared.matching.add { [self] in
            note(
                found.contract.contract.violations(in: answer, to: found.operation, budget: newBudget), of: found, event
            )
        }
    }

    /// Records the violations of an answer in the log, the journal and the report.
    private func note(_ violations: [Violation], of found: FoundOperation, _ event: ServeEvent) {
        let violations = redaction.redacted(violations)
        noteContract(violations, in: .answer, found.contract, found.subject)
        for violation in violations.prefix(20) {
            append(
                "WARNING",
                [
                    "message": .string(
                        "the contract \(found.contract.name) does not allow this answer: \(violation.text)")
                ],
                to: event)
        }
    }

    package func note(_ answer: PrismAnswer, of found: FoundOperation, _ event: ServeEvent) {
        note(answer.violations, of: found, event)
        if answer.isReplaced { noteRefusal(of: event, by: found.contract) }
    }

    package func noteRefusal(of event: ServeEvent, by contract: ServedContract) {
        event.extras?.rule = .init("refused by the contract \(contract.name)")
    }

    /// The names of an operation's parameters that a request has, each prefixed with its location.
    private static func parameters(of request: Request, _ operation: APIOperation) -> Set<String> {
        var names: Set<String> = []
        var query: Set<String>?
        for parameter in operation.parameters {
            let isThere: Bool
            switch parameter.location {
            case .path: isThere = true
            case .header: isThere = request.header(Array(parameter.name.lowercased().utf8)) != nil
            case .query:
                if query == nil { query = Self.queryNames(request) }
                isThere =
                    query?.contains(parameter.name) == true
                    || parameter.explode && parameter.schema?.json["type"]?.stringValue == "object"
                        && query?.isEmpty == false
            case .querystring: isThere = request.query?.isEmpty == false
            case .cookie:
                isThere =
                    request.header(Array("cookie".utf8)).map {
                        String(decoding: $0, as: UTF8.self).split(separator: ";").contains {
                            $0.drop { $0 == " " }.hasPrefix(parameter.name + "=")
                        }
                    } ?? false
            }
            if isThere { names.insert("\(parameter.location.rawValue) \(parameter.name)") }
        }
        return names
    }

    /// The largest number of query parameters that are examined.
    private static var maxNames: Int { 1_000 }

    /// The names of the query parameters; for a name with brackets also the part before them.
    private static func queryNames(_ request: Request) -> Set<String> {
        guard let query = request.query else { return [] }
        var names: Set<String> = []
        for pair in query.split(separator: UInt8(ascii: "&"), maxSplits: maxNames).prefix(maxNames) {
            let name = String(decoding: pair.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
                .replacing(text: "%5B", with: "[").replacing(text: "%5D", with: "]")
            names.insert(name)
            // Members of an object, such as `filter[color]`.
            if let bracket = name.firstIndex(of: "[") { names.insert(String(name[..<bracket])) }
        }
        return names
    }
}
