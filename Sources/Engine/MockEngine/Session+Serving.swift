package import SDAnswering
package import SDHTTPMessages
public import SDHTTPTransport
import SDIndexing
package import SDJournal
import SDMatching
import SDPlatform
import SDRecords
import SDReports
import SDRequestTemplates
package import SDStubModel
import SDStubs
import Synchronization

/// Serving of requests: the answer is chosen under the session's lock and made outside of it.
extension Session {
    /// Answers a request from the stubs. A WebSocket upgrade that no stub answers opens a channel.
    public func serve(_ request: Request, reply: consuming Reply) {
        if request.wantsWebSocket { serveUpgrade(request, reply) } else { serveOrdinarily(request, reply) }
    }

    func serveOrdinarily(_ request: Request, _ reply: consuming Reply) {
        if request.method.count == 7, CORS.isPreflight(request) || asksPrism(request),
            let preflight = preflight(request)
        {
            answer(preflight, request, reply)
            return
        }
        if request.hasReservedPath, StaticFile.isAskedFor(request) {
            var response = StaticFile.response(request, files: files)
            response.headers += ownCORSHeaders(request, response)
            reply.send(response.script(for: request))
            return
        }
        if hasContracts {
            covers()
            if let checked = checked(request) { return serve(request, checked, reply) }
            if let refusal = refusalToSendOn(request) {
                return answer(request, notes: noteUnknown(request), refusal, rule: "refused by `--errors`", reply)
            }
            // The request is forwarded in any case.
            if options.response.contracts.isCheckOnly { return serve(request, notes: noteUnknown(request), reply) }
        }
        serve(request, notes: [], reply)
    }

    /// Answers a request from the stubs.
    /// - Parameter notes: what is already known to be wrong with the request.
    func serve(_ request: Request, notes: [MatchNote], _ reply: consuming Reply) {
        var open: LeftOpen?
        if var decision = decideOnLoop(request, worker: reply.worker, notes: notes, &open) {
            scaleTime(of: reply)
            respondOnLoop(to: &decision, reply)
        } else {
            scaleTime(of: reply)
            if let open { return go(on: open, request, notes: notes, reply) }
            decideInBackground(request, notes: notes, reply)
        }
    }

    /// Answers a decided request on its loop.
    func respondOnLoop(to decision: inout Decision, _ reply: consuming Reply) {
        if Self.isLong(decision.request), let stub = decision.event.matched,
            Self.isRecordedInBackground(stub, decision.request)
        {
            return respondInBackground(decision, reply)
        }
        respond(to: &decision, reply)
        journalQuota.keepWithinLimit()
    }

    private func scaleTime(of reply: borrowing Reply) {
        let scale = timeScale
        if scale != 1 { reply.scaleTime(by: scale) }
    }

    /// Answers a CORS preflight without matching. The request counts as served.
    private func answer(_ preflight: Preflight, _ request: Request, _ reply: consuming Reply) {
        let response = preflight.response
        noteRefusal(of: request, preflight.refusal, at: preflight.rule.place)
        let event = state.withLock { state in
            state.record(request, nil, notes: [], file: nil, isUnmatched: false, owner: nil, activity: activity)
        }
        event.extras?.rule = preflight.rule
        event.sends(response.status == 200 ? .preflight : ServedResponse(status: response.status))
        activity.recorded(event)
        reply.send(response.script(for: request), observer: event)
    }

    /// Records a refused tunnel. The request counts as served without matching.
    /// - Returns: the observer of the answer.
    package func refusedTunnel(_ request: Request, to host: String, status: Int, _ reason: String) -> ServeEvent {
        let event = state.withLock { state in
            state.record(request, nil, notes: [], file: nil, isUnmatched: false, owner: nil, activity: activity)
        }
        event.extras?.rule = Report.Rule("refused")
        event.sends(ServedResponse(status: status))
        activity.recorded(event)
        noteRefusal(.tunnel, host, reason)
        return event
    }

    func respond(to decision: inout Decision, _ reply: consuming Reply) {
        if decision.request.wantsWebSocket { noteUpgrade(decision.event) }
        if let script = renderedScript(for: decision) {
            decision.event.sends()
            activity.recorded(decision.event)
            reply.send(script, keptBy: decision.event)
        } else {
            makeResponse(to: &decision, reply)
        }
    }

    /// The pre-rendered response of the stub, if nothing modifies it, as for most requests.
    private func renderedScript(for decision: borrowing Decision) -> WireScript? {
        guard !mayServePages, decision.event.extras == nil, decision.event.addedDelay == 0,
            let script = decision.event.matched?.plainScript(
                ResponseVariant(decision.request, gzipAllowed: options.response.gzip)),
            !script.isTimed
        else { return nil }
        return script
    }

    func makeResponse(to decision: inout Decision, _ reply: consuming Reply) {
        let (request, event) = (decision.request, decision.event)
        if let open = event.effects?.open { return count(open, decision, reply) }
        if let replacement = event.effects?.replacement {
            let script = answer(replacement, event, request)
            activity.recorded(event)
            send(shaped(script, event), event, reply)
            return
        }
        let script: WireScript
        if let stub = event.matched {
            let form = form(of: request, event)
            if !mayServePages, let plain = stub.plainScript(form) {
                event.sends()
                script = shaped(plain, event)
            } else if let gate = stub.response.hold {
                // Held before listeners are notified of the request, and possibly released at once.
                hold(stub, at: gate, decision, reply)
                activity.recorded(event)
                return
            } else if let responder = stub.response.responder {
                activity.recorded(event)
                let maker = ResponseMaker(
                    self, stub, form, event, request, corsHeaders(request, stub), isOnLoop: !decision.isInBackground)
                responder.respond(to: &decision, Answer(maker, .reply(reply)))
                return
            } else if let made = rendered(stub, form, event, request, isOnLoop: !decision.isInBackground) {
                script = made
            } else {
                respondInBackground(decision, reply)
                return
            }
        } else {
            switch decision.fallback {
            case .file(let file):
                let response = file.response(to: request)
                record(file.served(response, bodyLimit: keptBodyLimit, servedFiles), of: event)
                script = shaped(plain(response, request), event)
            case .nothing:
                event.sends(unmatchedResponse(to: request))
                let begin = MonotonicInstant.now
                // The report includes the stubs' patterns.
                if !decision.isInBackground, state.withLock({ $0.stubs.hasLongStubs }) {
                    reportInBackground(decision, since: begin, reply)
                    return
                }
                let report = options.unmatchedReporter(request, self, &decision.views)
                // A budget below the request's own is a loop's, with no time left for the report.
                if decision.views.isSpent, decision.views.budgetLimit < options.matchBudget {
                    shared.loopAllowance.wasSpent()
                    reportInBackground(decision, since: begin, reply)
                    return
                }
                script = shaped(
                    plain(unmatchedAnswer(record(report, of: event, since: begin), request), request), event)
            case .exhausted(let text):
                recordFailure(text, of: event)
                script = plain(PlainResponse(status: 500, text: text + "\n"), request)
            case .undecided(let text):
                recordFailure(ServedResponse(failure: text, status: 503), of: event)
                script = plain(PlainResponse(status: 503, text: text + "\n"), request)
            }
        }
        activity.recorded(event)
        send(script, event, reply)
    }

    /// Renders the response of a stub without a responder.
    /// - Returns: nil if the loop's time does not suffice; nothing is recorded then.
    func rendered(
        _ stub: CompiledStub, _ form: ResponseVariant, _ event: ServeEvent, _ request: Request, isOnLoop: Bool
    ) -> WireScript? {
        do {
            // Listeners get the body, too.
            if isOnLoop, stub.tellsBefore, stub.response.isLong { return nil }
            let rendered = try stub.rendered(
                form, extraHeaders: corsHeaders(request, stub), files: files, bodyLimit: keptBodyLimit,
                isOnLoop: isOnLoop)
            guard let (script, served) = rendered else { return nil }
            if stub.tellsBefore {
                let definition = stub.response.definition
                let problem = notifyListeners(
                    stub, event, request, definition, isOnLoop: isOnLoop, (served ?? stub.response.served).body)
                if let problem {
                    recordFailure(problem, of: event)
                    return plain(PlainResponse(status: 500, text: "The stub cannot be served: \(problem)\n"), request)
                }
            }
            if let served {
                record(served, of: event)
            } else if stub !== event.matched {
                // The event's stub does not know a response that replaces its own.
                record(stub.response.served, of: event)
            } else {
                event.sends()
            }
            return shaped(script, event)
        } catch {
            recordFailure("the body file \(error.path) cannot be served: \(error.reason)", of: event)
            return plain(PlainResponse(status: 500, text: error.text), request)
        }
    }

    /// Runs a stub's listeners that act before the response is sent.
    /// - Parameter isOnLoop: whether they have only a loop's time.
    /// - Returns: why a listener failed; nil on success.
    package func notifyListeners(
        _ stub: CompiledStub, _ event: ServeEvent, _ request: Request, _ definition: borrowing ResponseDefinition,
        isOnLoop: Bool, _ body: @autoclosure () -> [UInt8]
    ) -> String? {
        guard let listeners = stub.listeners?.before, !listeners.isEmpty else { return nil }
        let fields = definition.headers.flatMap { header in header.values.map { (name: header.name, value: $0) } }
        let answer = ResponseModel.Answer(fields: fields, body: body())
        let budget = WorkBudget(
            limit: isOnLoop ? min(options.matchBudget, Self.loopBudget) : options.matchBudget)
        var views = RequestViews(request, budget: budget)
        if let clock = state.withLock({ $0.settings.clock }) { views.wallTime = clock.time(at: request.wallTime) }
        let environment = environment(
            for: request, views, stub.pattern, event: event,
            parameters: ResponseModel.parameters(definition.transformerParameters), response: answer, budget)
        for listener in listeners {
            do throws(ListenerProblem) {
                try listener.beforeResponse(self, environment)
            } catch {
                let exhaustion = budget.exhaustion.map {
                    $0.text(of: listener.task, owner: "the stub \(StubReference(stub).text())")
                }
                return exhaustion ?? error.message
            }
        }
        return nil
    }

    /// Whether a stub's listeners run on a background thread, because the texts are too long for a loop. For a stub
    /// with a gate, they run where the gate is released.
    private static func isRecordedInBackground(_ stub: CompiledStub, _ request: Request) -> Bool {
        isLong(request) && stub.tellsBefore && stub.response.hold == nil
    }

    /// Whether a request is too large for listeners on a loop. Checked first, as it needs nothing of the stub.
    private static func isLong(_ request: Request) -> Bool { request.bodyCount > 16 << 10 }

    // MARK: Scripts

    package func plain(_ response: PlainResponse, _ request: Request) -> WireScript {
        guard mayServePages else { return response.script(for: request, shared.memory) }
        var response = response
        response.headers += ownCORSHeaders(request, response)
        return response.script(for: request, shared.memory)
    }

    /// The CORS headers of an answer of the daemon itself.
    private func ownCORSHeaders(_ request: Request, _ response: PlainResponse) -> [(name: String, value: String)] {
        CORS.headers(corsHeaders(request, nil), besides: response.headers).map { (name: $0.0, value: $0.1) }
    }
}

extension BodyFileError {
    /// The message for the client.
    fileprivate var text: String { "The body file `\(path)` of the stub cannot be served: \(reason)\n" }
}
