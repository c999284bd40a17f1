import SDHTTPTransport
import SDJournal
import SDMatching
import SDOutgoingCalls
import SDPlatform
import SDRecords
import SDRequestTemplates
import SDStubModel
import SDTemplating

/// Serves a collection of records, or one of them.
final class ResourceResponder: Responder {
    package let resource: Resource
    /// The stub's response; its status and body are replaced.
    private let response: ResponseDefinition
    private let headers: Result<HeaderTemplates, UnreadableTemplate>

    /// - Throws: what is wrong with the data or the schema in the stub.
    package init(
        _ definition: ResourceDefinition, _ response: ResponseDefinition, _ mode: TemplatingMode
    ) throws(DeclaredCollection.StubProblems) {
        resource = try Resource(definition)
        self.response = response
        let isTemplate = mode.applies(to: response)
        headers = Result { () throws(UnreadableTemplate) in
            isTemplate ? try HeaderTemplates(response) : HeaderTemplates()
        }
    }

    /// The header template with an error; nil for none.
    package var problem: UnreadableTemplate? {
        if case .failure(let problem) = headers { problem } else { nil }
    }

    package func respond(to decision: inout Decision, _ answer: consuming Answer) {
        let session = answer.session
        let (request, event, pattern) = (decision.request, decision.event, answer.pattern)
        let budget = decision.views.budget
        let wallTime = decision.views.wallTime
        let isOnLoop = budget.limit < session.journaling.matchBudget
        var own = response
        do throws(ResourceFailure) {
            try renderHeaders(of: &own, event, isOnLoop: isOnLoop, budget) {
                session.environment(for: request, decision.views, pattern, event: event, budget)
            }
            let reply = try reply(to: request, decision.views, budget, session, isOnLoop: isOnLoop)
            answer.send(Self.response(own, reply), body: reply.body)
        } catch {
            guard case .late = error, isOnLoop else {
                switch answered(error) {
                case .success(let reply): return answer.send(Self.response(own, reply), body: reply.body)
                case .failure(let reason): return answer.fail(reason.text)
                }
            }
            let late = answer.deferredAnswer()
            session.matching.add { [self] in
                let budget = session.newBudget
                var views = RequestViews(request, budget: budget)
                views.wallTime = wallTime
                var own = response
                do throws(ResourceFailure) {
                    try renderHeaders(of: &own, event, isOnLoop: false, budget) {
                        session.environment(for: request, views, pattern, event: event, budget)
                    }
                    let reply = try reply(to: request, views, budget, session, isOnLoop: false)
                    late.send(Self.response(own, reply), body: reply.body)
                } catch {
                    switch answered(error) {
                    case .success(let reply): late.send(Self.response(own, reply), body: reply.body)
                    case .failure(let reason): late.fail(reason.text)
                    }
                }
            }
        }
    }

    /// Renders the headers, before anything is changed, because the request may be restarted.
    /// - Throws: why a template cannot be rendered, or that the loop's time does not suffice.
    private func renderHeaders(
        of response: inout ResponseDefinition, _ event: ServeEvent, isOnLoop: Bool, _ budget: WorkBudget,
        _ environment: () -> RenderEnvironment
    ) throws(ResourceFailure) {
        let templates: HeaderTemplates
        switch headers {
        case .success(let readable): templates = readable
        case .failure(let problem):
            throw .unavailable(
                "the template in `\(problem.path.joined(separator: "."))` cannot be read: \(problem.error)")
        }
        if templates.isEmpty { return }
        do throws(RenderError) {
            try templates.render(into: &response, environment())
        } catch {
            if budget.isSpent, isOnLoop { throw .late }
            throw .unavailable(error.text(of: event.stubReference, budget))
        }
    }

    private func reply(
        to request: Request, _ views: RequestViews, _ budget: WorkBudget, _ session: any AnsweringSession,
        isOnLoop: Bool
    ) throws(ResourceFailure) -> ResourceReply {
        var call = ResourceCall(
            resource: resource, session: session, request: request, views: views, budget: budget, isOnLoop: isOnLoop)
        return try call.reply()
    }

    private struct Reason: Error {
        let text: String
    }

    /// The answer that reports a failure to the client, or the reason why there is none.
    private func answered(_ failure: ResourceFailure) -> Result<ResourceReply, Reason> {
        switch failure {
        case .refused(let reply): .success(reply)
        case .unavailable(let reason): .failure(Reason(text: reason))
        case .late:
            .failure(Reason(text: "the request takes more than its processor time (--match-budget)"))
        }
    }

    /// The stub's response with the reply; the stub's own headers come first.
    private static func response(_ response: ResponseDefinition, _ reply: ResourceReply) -> ResponseDefinition {
        var response = response
        response.status = reply.status
        response.statusMessage = nil
        let own = Set(response.headers.map { $0.name.lowercased() })
        response.headers += reply.headers.filter { !own.contains($0.name.lowercased()) }.map {
            ResponseHeader($0.name, [$0.value])
        }
        return response
    }
}
