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

/// Answers by an operation of an OpenAPI document. The document is looked up for each request, so that existing stubs
/// use its latest version.
final class ContractResponder: Responder {
    private let wanted: OpenAPIAnswer
    /// The stub's response; its status and body are replaced, and its headers override those of the document.
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

    /// Whether its stub was generated from a document.
    var isOfDocument: Bool { wanted.document != nil }

    /// The header template with an error; nil for none.
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
        let late = answer.deferredAnswer()
        found.queue(.answering, session).add { [self] in
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
        let options = session.responseOptions.contracts
        let wishes = AnswerPreferences(for: request, seen, found.contract, wanted, options)
        switch found.contract.contract.answer(to: seen, of: found.operation, wishes: wishes, budget: budget) {
        case .success(var made):
            if case .prism(let failsOnErrors) = options.door {
                made = Self.prism(made, found, seen, failsOnErrors: failsOnErrors, event, session, budget)
            }
            return .success((Self.definition(definition, made), made.body))
        case .failure where budget.isSpent: return .failure(found.tooExpensive("the answer", budget))
        case .failure(let refusal):
            guard
                let (replaced, body) = Self.refused(definition, refusal, isPrism: options.isPrism)
            else {
                return .failure(OperationRefusal(refusal.message))
            }
            session.noteRefusal(of: event, by: found.contract)
            return .success((replaced, body))
        }
    }

    /// The answer by Prism's rules.
    private static func prism(
        _ made: MadeAnswer, _ found: FoundOperation, _ seen: ContractRequest, failsOnErrors: Bool,
        _ event: ServeEvent, _ session: any AnsweringSession, _ budget: WorkBudget
    ) -> MadeAnswer {
        var answer = PrismAnswer(made)
        if found.operation.isDeprecated { answer.headers.append((name: "deprecation", value: "true")) }
        answer.check(found, seen, failsOnErrors: failsOnErrors, budget)
        session.note(answer, of: found, event)
        return MadeAnswer(status: answer.status, headers: answer.headers, body: answer.body, example: made.example)
    }

    /// The stub's response with the made answer; the stub's own headers take precedence.
    private static func definition(_ own: ResponseDefinition, _ made: MadeAnswer) -> ResponseDefinition {
        var definition = own
        definition.status = made.status
        let names = Set(own.headers.map { $0.name.lowercased() })
        definition.headers += made.headers.filter { !names.contains($0.name.lowercased()) }.map {
            ResponseHeader($0.name, [$0.value])
        }
        return definition
    }

    /// The answer for a client whose request has none; nil if that is not the client's fault.
    private static func refused(
        _ own: ResponseDefinition, _ refusal: ContractRefusal, isPrism: Bool
    ) -> (ResponseDefinition, [UInt8])? {
        guard refusal.status != 500 else { return nil }
        var definition = own
        definition.status = refusal.status
        definition.statusMessage = nil
        let problem =
            isPrism ? ProblemDetails(prism: refusal) : ProblemDetails(status: refusal.status, detail: refusal.message)
        definition.headers.removeAll { $0.name.lowercased() == "content-type" }
        definition.headers.append(ResponseHeader("Content-Type", [ProblemDetails.contentType]))
        return (definition, problem.json.compactBytes)
    }
}
