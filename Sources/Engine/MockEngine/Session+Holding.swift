package import SDAnswering
import SDChannels
import SDHTTPMessages
import SDHTTPTransport
import SDJournal
import SDMatching
import SDPlatform
import SDRequestTemplates
import SDStubModel

/// Responses that wait at a gate.
extension Session {
    /// Sends the response of a request released from its gate. Called on the loop of its stream.
    package func answer(_ held: GatedResponse) {
        let (stub, event, request) = (held.stub, held.event, held.request)
        // The client may have disconnected.
        guard event.end == nil else { return }
        let form = form(of: request, event)
        if let responder = stub.response.responder {
            var views = RequestViews(request, budgetLimit: Self.loopBudget)
            views.wallTime = laterTime(of: request)
            var decision = Decision(request, event, views)
            responder.respond(
                to: &decision,
                Answer(
                    ResponseMaker(self, stub, form, event, request, corsHeaders(request, stub), isOnLoop: true),
                    .held(held.stream)))
            return
        }
        if let script = rendered(stub, form, event, request, isOnLoop: true) {
            held.stream.finish(script)
            return
        }
        shared.matching.add { [self] in
            guard event.end == nil, let script = rendered(stub, form, event, request, isOnLoop: false) else { return }
            held.stream.finish(script)
        }
    }

    /// Holds a response at its gate.
    func hold(_ stub: CompiledStub, at gate: GateHold, _ decision: borrowing Decision, _ reply: consuming Reply) {
        let (request, event) = (decision.request, decision.event)
        let stream = hold(event, reply)
        let held = GatedResponse(session: self, stub: stub, request: request, event: event, stream: stream)
        held.wait(at: gate)
    }

    /// The names of all gates: those of the stubs' responses and streams, and those in use. Reads every stub.
    package var gateNames: Set<String> {
        var names = Set(gates.map(\.name))
        for stub in allStubs {
            let mapping = stub.mapping
            for response in mapping.responses?.entries.map(\.response) ?? [mapping.response] {
                if let hold = response.hold { names.insert(hold.gate) }
                for item in response.stream?.items ?? [] {
                    if case .hold(let hold) = item.content { names.insert(hold.gate) }
                }
            }
        }
        for stub in channels.stubs { names.formUnion(stub.gates) }
        return names
    }
}
