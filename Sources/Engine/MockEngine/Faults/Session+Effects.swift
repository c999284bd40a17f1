import SDHTTPMessages
import SDHTTPTransport
import SDJournal
import SDMatching
import SDStubModel
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
    func redraw(_ stub: CompiledStub, _ event: ServeEvent, _ request: Request) {
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
    func answer(_ replacement: EventEffects.Replacement, _ event: ServeEvent, _ request: Request) -> WireScript {
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

    /// The part of a delay that is waited, in nanoseconds.
    func scaled(_ delay: UInt64) -> UInt64 {
        let scale = timeScale
        return scale == 1 ? delay : UInt64(clamped: Double(delay) * scale)
    }

    /// The script with the effects that were drawn for the event, after its delay.
    func shaped(_ script: WireScript, _ event: ServeEvent) -> WireScript {
        delayed(event.effects?.apply(to: script) ?? script, event)
    }

    /// The script after the event's delay, for an answer of several scripts, to each of which `EventEffects.shape` is
    /// applied.
    func delayed(_ script: WireScript, _ event: ServeEvent) -> WireScript {
        guard event.addedDelay > 0 else { return script }
        // The stream scales its waits, and the event has the delay as it was scaled already.
        let scale = timeScale
        let delay = scale == 1 ? event.addedDelay : UInt64(clamped: Double(event.addedDelay) / scale)
        return script.delayed(byNanoseconds: delay)
    }
}
