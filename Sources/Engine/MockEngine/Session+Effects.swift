package import SDAnswering
import SDHTTPMessages
package import SDHTTPTransport
package import SDJournal
import SDMatching
import SDStubModel
import SDStubs
import Synchronization

extension Session.State {
    /// Draws what happens to an answer beside its content; nil for nothing, as for most.
    /// - Parameters:
    ///   - faults: the session's, whose patterns match the request.
    ///   - former: the effects that were drawn for an answer that waited, in whose place the stub's is sent: the
    ///     session's faults have been asked already.
    mutating func drawEffects(
        _ stub: CompiledStub?, _ faults: [ActiveFault], _ request: Request, inPlaceOf former: EventEffects? = nil
    ) -> EventEffects? {
        guard stub?.hasEffects == true || !faults.isEmpty || hasDelays || former != nil else { return nil }
        let response = stub?.hasEffects == true ? stub?.response.definition : nil
        var draft = EventEffects.Draft()
        if stub != nil, let delays = response?.delays ?? settings.delays {
            if let first = delays.firstByte { draft.delay += max(first.sample(&generator), 0) }
            draft.pauses = delays.perChunk.map { EventEffects.Pauses(distribution: $0, seed: generator.next()) }
        }
        let now = clock()
        let programs = (stub?.response.faults.map { [$0] } ?? []) + faults.map(\.program)
        for program in programs {
            faultLedger.judge(program, request, now: now, &generator) { rule, verdict, generator in
                switch verdict {
                case .passes(let slot): if let slot { draft.slots.append(slot) }
                case .acts(let retryAfter): draft.add(rule, program.label, retryAfter: retryAfter, &generator)
                }
            }
        }
        if let former { draft.keep(former) }
        // Of an answer that waits there may be another one.
        return draft.isEmpty && former == nil && stub?.response.hold == nil ? nil : EventEffects(draft)
    }
}

extension Session {
    /// The session's faults that act on a request or its answer.
    func faults(on request: Request, _ snapshot: SessionSnapshot, _ views: inout RequestViews) -> [ActiveFault] {
        snapshot.faults.isEmpty
            ? [] : snapshot.faults.filter { $0.acts(on: request) && $0.pattern.matches(request, &views) }
    }

    /// Draws the delay and the effects of an answer that is sent in place of the one that waited.
    package func redraw(_ stub: CompiledStub, _ event: ServeEvent, _ request: Request) {
        guard let former = event.effects else { return }
        state.withLock { state in
            if let (delay, effects) = state.draw(stub, request, inPlaceOf: former) {
                event.redraw(delay: delay, effects)
            }
        }
    }

    /// The form in which a response to a request is sent: not in gzip if a fault counts the bytes of its body.
    func form(of request: Request, _ event: ServeEvent) -> ResponseForm {
        ResponseForm(request, gzipAllowed: options.response.gzip && event.effects?.countsBytes != true)
    }

    /// The answer that a fault sends instead of a response.
    package func answer(_ replacement: EventEffects.Replacement, _ event: ServeEvent, _ request: Request) -> WireScript
    {
        switch replacement.answer {
        case .nothing:
            record(ServedResponse(status: 0), of: event)
            return .neverEnding
        case .fault(let fault):
            record(ServedResponse(status: event.matched?.status ?? 404, fault: fault), of: event)
            return WireScript(fault: fault, ResponseForm(request, gzipAllowed: false))
        case .status(let status):
            var response = PlainResponse(status: status, text: "\(status): \(replacement.reason)\n")
            if let seconds = replacement.retryAfter {
                response.headers.append((name: "Retry-After", value: String(seconds)))
            }
            record(
                ServedResponse(status: status, fields: response.headers, body: response.body), of: event)
            return plain(response, request)
        }
    }
}
