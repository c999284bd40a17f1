import Budget
import HTTPTransport
import Matching
import Platform
import Records
import StubModel

/// Serves a collection of records, or one of them.
final class ResourceResponder: Responder {
    let definition: ResourceDefinition
    let path: ResourcePath
    let declared: DeclaredCollection
    /// The stub's response, of which status and body are replaced.
    private let response: ResponseDefinition

    /// - Throws: what is wrong with the data or the schema in the stub.
    init(_ definition: ResourceDefinition, _ response: ResponseDefinition) throws(DeclaredCollection.StubProblems) {
        self.definition = definition
        self.response = response
        path = ResourcePath(definition.path)
        declared = try DeclaredCollection(definition)
    }

    func respond(to decision: inout Decision, _ answer: consuming Answer) {
        let session = answer.session
        let request = decision.request
        let budget = decision.views.budget
        let isOnLoop = budget.limit < session.options.matchBudget
        do throws(ResourceFailure) {
            let reply = try reply(to: request, decision.views, budget, session, isOnLoop: isOnLoop)
            answer.send(response(reply), body: reply.body)
        } catch {
            guard case .late = error, isOnLoop else {
                switch answered(error) {
                case .success(let reply): return answer.send(response(reply), body: reply.body)
                case .failure(let reason): return answer.fail(reason.text)
                }
            }
            let late = answer.later()
            session.shared.matching.add { [self] in
                let budget = session.newBudget
                let views = RequestViews(request, budget: budget)
                do throws(ResourceFailure) {
                    let reply = try reply(to: request, views, budget, session, isOnLoop: false)
                    late.send(response(reply), body: reply.body)
                } catch {
                    switch answered(error) {
                    case .success(let reply): late.send(response(reply), body: reply.body)
                    case .failure(let reason): late.fail(reason.text)
                    }
                }
            }
        }
    }

    private func reply(
        to request: Request, _ views: RequestViews, _ budget: WorkBudget, _ session: Session, isOnLoop: Bool
    ) throws(ResourceFailure) -> ResourceReply {
        var call = ResourceCall(
            resource: self, session: session, request: request, views: views, budget: budget, isOnLoop: isOnLoop)
        return try call.reply()
    }

    private struct Reason: Error {
        let text: String
    }

    /// What a client is told of a failure: an answer, or why there is none.
    private func answered(_ failure: ResourceFailure) -> Result<ResourceReply, Reason> {
        switch failure {
        case .refused(let reply): .success(reply)
        case .unavailable(let reason): .failure(Reason(text: reason))
        case .late:
            .failure(Reason(text: "the request takes more than its processor time (--match-budget)"))
        }
    }

    /// The stub's response with what was found; the stub's own headers come first.
    private func response(_ reply: ResourceReply) -> ResponseDefinition {
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
