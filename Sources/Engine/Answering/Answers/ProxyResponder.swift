import SDBasics
package import SDHTTPTransport
import SDJSON
import SDJournal
import SDMatching
import SDOutgoingCalls
import SDPlatform
import SDRequestTemplates
import SDStubModel
import SDTemplating
package import SDUpstream

/// Proxies requests to another server, and its answers to the clients, as they arrive.
package final class ProxyResponder: Responder {
    private let plan: Result<ProxyPlan, UnreadableTemplate>
    private let options: ProxyOptions
    private let parameters: TemplateValue
    /// Whether requests go to the server that the client names, as with a forward proxy.
    private let isForward: Bool

    /// Compiles a definition; nil if it does not proxy.
    init?(_ definition: borrowing ResponseDefinition, _ options: ResponseOptions) {
        guard definition.proxyBaseUrl != nil else { return nil }
        self.options = options.proxying
        isForward = false
        parameters = ResponseModel.parameters(definition.transformerParameters)
        do throws(UnreadableTemplate) {
            plan = .success(try ProxyPlan(definition, options.templating))
        } catch {
            plan = .failure(error)
        }
    }

    /// Forwards requests to the servers that clients name.
    package init(forwarding options: ResponseOptions) {
        self.options = options.proxying
        isForward = true
        parameters = ResponseModel.parameters(JSONObject())
        do throws(UnreadableTemplate) {
            plan = .success(try ProxyPlan(ResponseDefinition(), .off))
        } catch {
            plan = .failure(error)
        }
    }

    /// The first template with an error; nil for none.
    var problem: UnreadableTemplate? {
        if case .failure(let problem) = plan { problem } else { nil }
    }

    /// False if templates may read the body. A short body is streamed over HTTP/2, where both sides may alternate; gRPC
    /// that would be proxied over HTTP/1.1 is refused before its body has arrived.
    package func takesBodyStream(of head: Request, isLong: Bool, _ upstream: Upstream) -> Bool {
        guard case .success(let plan) = plan, plan.isPlain else { return false }
        return isLong || head.isOfGRPC || plan.speaksHTTP2(head, by: upstream.settings, isForward: isForward)
    }

    package func respond(to decision: inout Decision, _ answer: consuming Answer) {
        let plan: ProxyPlan
        switch self.plan {
        case .success(let readable): plan = readable
        case .failure(let problem):
            return answer.fail(
                "the template in `\(problem.path.joined(separator: "."))` cannot be read: \(problem.error)")
        }
        let (request, event) = (decision.request, decision.event)
        let rendered: ProxyPlan.Rendered
        do throws(RenderError) {
            let budget = decision.views.budget
            let (views, session, pattern) = (decision.views, answer.session, answer.pattern)
            rendered = try plan.rendered(
                session.environment(
                    for: request, views, pattern, event: event, parameters: parameters, budget))
        } catch {
            return answer.fail(error.text(of: event.stubReference, decision.views.budget))
        }
        begin(plan, rendered, answer)
    }

    private func begin(_ plan: ProxyPlan, _ rendered: ProxyPlan.Rendered, _ answer: consuming Answer) {
        let maker = answer.maker
        let (session, request) = (maker.session, maker.request)
        let target: ProxyTarget
        var call: ForwardedRequest
        do throws(ProxyFailure) {
            target = try plan.target(of: request, rendered, isForward: isForward)
            note(target, maker)
            call = try ForwardedRequest(
                request, to: target, plan, rendered, options, for: session, isForward: isForward)
        } catch {
            return answer.fail(error)
        }
        if call.withholdsUpgrade {
            session.noticed(
                "\(target.base.hostField) is not asked to upgrade, since it is called in HTTP/2",
                of: StubReference(maker.stub))
        }
        let record = session.recorder?.begin(maker.event, request, url: target.url.withoutUser)
        call.stream(request.bodyStream, record)
        let stream = session.stream(maker.event, from: answer.claimChannel())
        ProxiedAnswer(
            maker, target, plan.definition, headers: rendered.headers, dropsCORS: options.dropsCORS, call.rewrite,
            record, stream, call.webSocket
        ).begin(call.call, session.upstream)
    }

    private func note(_ target: ProxyTarget, _ maker: ResponseMaker) {
        let note = ProxiedNote(
            url: target.url.withoutUser, isBrowserProxy: isForward,
            isPassedThrough: maker.session.isPassThrough(maker.stub))
        maker.event.extras?.proxied = note
        maker.session.withJournal { $0.charge(note.byteCount, for: maker.event) }
    }
}
