import SDContracts
import SDHTTPTransport
import SDJSON
import SDJournal
import SDMatching
import SDOpenAPI
import SDOutgoingCalls
import SDPlatform
import SDRequestTemplates
import SDStubModel
import SDTemplating

/// Answers as an operation of an OpenAPI document says. The document is looked up for each request, so that a new
/// version of it counts for stubs that are there.
final class ContractResponder: Responder {
    private let wanted: OpenAPIAnswer
    /// The stub's response, of which status and body are replaced; its header fields stand over those of the document.
    private let response: ResponseDefinition
    private let headers: Result<HeaderTemplates, UnreadableTemplate>

    /// - Returns: nil if the response names no operation.
    init?(_ response: borrowing ResponseDefinition, _ mode: TemplatingMode) {
        guard let wanted = response.openapi else { return nil }
        self.wanted = wanted
        self.response = copy response
        let (isTemplate, definition) = (mode.applies(to: response), copy response)
        headers = Result { () throws(UnreadableTemplate) in
            isTemplate ? try HeaderTemplates(definition) : HeaderTemplates()
        }
    }

    /// Whether its stub was made of a document.
    var isOfDocument: Bool { wanted.document != nil }

    /// The template of a header that cannot be read; nil if all can.
    var problem: UnreadableTemplate? {
        if case .failure(let problem) = headers { problem } else { nil }
    }

    func respond(to decision: inout Decision, _ answer: consuming Answer) {
        let session = answer.session
        let (request, event, pattern) = (decision.request, decision.event, answer.pattern)
        let budget = decision.views.budget
        let views = decision.views
        let isOnLoop = !decision.isInBackground
        let found: FoundOperation
        switch session.operation(wanted) {
        case .success(let operation): found = operation
        case .failure(let refusal): return answer.fail(refusal.text)
        }
        if !isOnLoop || found.isQuick(.answering, for: request) {
            switch make(request, found, event, views, pattern, session, budget) {
            case .success(let made): return answer.send(made.definition, body: made.body)
            case .failure where isOnLoop && budget.isSpent:
                found.contract.note(.answering, found.index, isQuick: false)
            case .failure(let reason): return answer.fail(reason.text)
            }
        }
        let wallTime = views.wallTime
        let late = answer.later()
        session.matching.add { [self] in
            let budget = session.newBudget
            var views = RequestViews(request, budget: budget)
            views.wallTime = wallTime
            let made = found.measured(.answering, budget) {
                make(request, found, event, views, pattern, session, budget)
            }
            switch made {
            case .success(let made): late.send(made.definition, body: made.body)
            case .failure(let reason): late.fail(reason.text)
            }
        }
    }

    private typealias Made = (definition: ResponseDefinition, body: [UInt8])

    /// Makes the answer, within a budget.
    private func make(
        _ request: Request, _ found: FoundOperation, _ event: ServeEvent, _ views: RequestViews,
        _ pattern: CompiledPattern, _ session: any AnsweringSession, _ budget: WorkBudget
    ) -> Result<Made, OperationRefusal> {
        if let problem = found.operation.problem {
            return .failure(OperationRefusal("the operation cannot be served: \(problem)"))
        }
        var definition = response
        switch headers {
        case .failure(let problem):
            let place = problem.path.joined(separator: ".")
            return .failure(OperationRefusal("the template in `\(place)` cannot be read: \(problem.error)"))
        case .success(let templates) where templates.isEmpty: break
        case .success(let templates):
            do throws(RenderError) {
                try templates.render(
                    into: &definition, session.environment(for: request, views, pattern, event: event, budget))
            } catch {
                return .failure(OperationRefusal(error.text(of: event.stubReference, budget)))
            }
        }
        let path = String(decoding: request.path, as: UTF8.self)
        let seen = ContractRequest(request, path: found.contract.ownPath(of: path) ?? path)
        switch found.contract.contract.answer(
            to: seen, of: found.operation, wishes: wishes(request, seen, found.contract, session), budget: budget)
        {
        case .success(let made): return .success((Self.definition(definition, made), made.body))
        case .failure where budget.isSpent: return .failure(found.tooDear("the answer", budget))
        case .failure(let refusal):
            guard
                let (replaced, body) = Self.refused(
                    definition, refusal, isPrism: session.responseOptions.contracts.isPrism)
            else {
                return .failure(OperationRefusal(refusal.message))
            }
            return .success((replaced, body))
        }
    }

    private func wishes(
        _ request: Request, _ seen: ContractRequest, _ contract: ServedContract, _ session: any AnsweringSession
    ) -> AnswerWishes {
        let options = session.responseOptions.contracts
        var wishes = AnswerWishes()
        let source = wanted.answers ?? contract.settings.answers ?? options.answers
        wishes.source = source == .made ? .made : .examples
        wishes.status = wanted.code
        wishes.example = wanted.example
        wishes.listLength = contract.settings.items.map { $0...$0 }
        wishes.isStrictAboutAccept = options.isPrism
        RequestedAnswer(request, readsQuery: options.isPrism).apply(to: &wishes)
        wishes.seed = Self.seed(of: seen)
        return wishes
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

    /// The stub's response with what was made; the stub's own header fields count.
    private static func definition(_ own: ResponseDefinition, _ made: MadeAnswer) -> ResponseDefinition {
        var definition = own
        definition.status = made.status
        let names = Set(own.headers.map { $0.name.lowercased() })
        definition.headers += made.headers.filter { !names.contains($0.name.lowercased()) }.map {
            ResponseHeader($0.name, [$0.value])
        }
        return definition
    }

    /// The answer that tells a client that there is none for it; nil where it is not the client's fault.
    private static func refused(
        _ own: ResponseDefinition, _ refusal: ContractRefusal, isPrism: Bool
    ) -> (ResponseDefinition, [UInt8])? {
        guard refusal.status != 500 else { return nil }
        var definition = own
        definition.status = refusal.status
        definition.statusMessage = nil
        var problem = ProblemDetails(status: refusal.status, detail: refusal.message)
        if isPrism {
            problem.type =
                "https://stoplight.io/prism/errors#" + (refusal.status == 406 ? "NOT_ACCEPTABLE" : "NOT_FOUND")
        }
        definition.headers.removeAll { $0.name.lowercased() == "content-type" }
        definition.headers.append(ResponseHeader("Content-Type", [ProblemDetails.contentType]))
        return (definition, problem.json.compactBytes)
    }
}
