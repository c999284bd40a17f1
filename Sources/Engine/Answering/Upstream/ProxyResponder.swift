import SDBasics
package import SDHTTPTransport
import SDJSON
import SDJournal
import SDMatching
import SDPlatform
import SDStubModel
import SDTemplating
package import SDUpstream

/// Sends requests on to another server, and its answers to the clients, while they come.
package final class ProxyResponder: Responder {
    private let plan: Result<ProxyPlan, UnreadableTemplate>
    private let options: ProxyOptions
    private let parameters: TemplateValue
    /// Whether requests go to the server that the client asks this one for, as its proxy.
    private let isForward: Bool

    /// Compiles a definition; nil for one that sends nothing on.
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

    /// Sends requests on to the servers that clients ask a proxy for.
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

    /// The template that cannot be read; nil if all can.
    var problem: UnreadableTemplate? {
        if case .failure(let problem) = plan { problem } else { nil }
    }

    /// Templates may look at the body. A short one is sent at once in HTTP/2, where both sides may go on with each other.
    package func takesBodyStream(of head: Request, isLong: Bool, _ upstream: Upstream) -> Bool {
        guard case .success(let plan) = plan, plan.isPlain else { return false }
        if isLong || plan.speaksHTTP2 { return true }
        let base = isForward ? ProxyBase(Self.origin(of: head)) : plan.known
        return base?.speaksHTTP2(by: upstream.settings) ?? false
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
        let request = maker.request
        let base = isForward ? Self.origin(of: request) : rendered.base
        guard let known = plan.known ?? ProxyBase(base) else {
            let rest = ProxyTarget.text(of: request.url, removing: rendered.prefix)
            return answer.fail(.notAbsolute(base + rest))
        }
        let target = ProxyTarget(known, removing: rendered.prefix, request.url)
        note(target, maker)
        if maker.session.upstream.hasSent(request) { return answer.fail(.loop(target.url)) }
        guard target.base.isHTTP else {
            let problem = UpstreamProblem(
                .other, "Unroutable protocol scheme: \(target.base.scheme)://\(target.base.authority.withoutUser)")
            return answer.fail(ProxyFailure(problem, target))
        }
        let rewrite = plan.rewritesHost ? HostRewrite(target.base, for: request) : nil
        // What is rewritten has to be read.
        var removed = rewrite == nil ? plan.removed : plan.removed.union(["accept-encoding"])
        var additional = rendered.additional
        if let own = target.base.authorization, !additional.contains(where: { FieldName.is($0.name, "authorization") })
        {
            removed.insert("authorization")
            additional.append(("Authorization", own))
        }
        var call = UpstreamRequest(request, target.url)
        call.target = target.upstream
        call.upgrade = ProxiedUpgrade.asked(by: request, removed: removed)
        ForwardedFields(
            options: options, isForward: isForward, removed: removed, additional: additional,
            session: maker.session.passedID
        ).write(to: &call, of: request, host: target.base.hostField)
        call.checksCertificate = isForward
        call.speaksHTTP2 = plan.speaksHTTP2
        let session = maker.session
        let record = session.recorder?.begin(maker.event, request, url: target.url.withoutUser)
        if let stream = request.bodyStream {
            call.body = .stream(record.map { RecordedBody(stream, $0) } ?? stream)
        }
        let stream = session.stream(maker.event, from: answer.take())
        ProxiedAnswer(
            maker, target, plan.definition, headers: rendered.headers, dropsCORS: options.dropsCORS, rewrite,
            record, stream
        ).begin(call, session.upstream)
    }

    /// Scheme and authority of the server that the client means.
    private static func origin(of request: Request) -> String {
        let authority = request.authority ?? request.header(hostField) ?? []
        return (request.isSecure ? "https://" : "http://") + String(decoding: authority, as: UTF8.self)
    }

    private static let hostField = Array("host".utf8)

    private func note(_ target: ProxyTarget, _ maker: ResponseMaker) {
        let note = ProxiedNote(
            url: target.url.withoutUser, isBrowserProxy: isForward,
            isPassedThrough: maker.session.isPassThrough(maker.stub))
        maker.event.extras?.proxied = note
        maker.session.withJournal { $0.charge(note.byteCount, for: maker.event) }
    }
}

extension UpstreamRequest {
    /// The request as it is sent on. As in WireMock, a method that usually has a body states that it has none.
    fileprivate init(_ request: Request, _ url: String) {
        self.init(String(decoding: request.method, as: UTF8.self), url)
        if request.bodyCount > 0 {
            body = .bytes(Array(request.body))
            isChunked = request.isSentOnInChunks
            trailers = request.trailers.map {
                (String(decoding: $0.name, as: UTF8.self), HeaderText.verbatim($0.value))
            }
        } else if request.header(Self.contentLength) != nil || request.header(Self.transferEncoding) != nil
            || ["POST", "PUT", "PATCH"].contains(method)
        {
            body = .bytes([])
        }
    }

    private static let transferEncoding = Array("transfer-encoding".utf8)
    private static let contentLength = Array("content-length".utf8)
}
