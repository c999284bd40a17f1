package import SDAnswering
import SDHTTPMessages
package import SDHTTPTransport
package import SDJournal
import SDMatching
import SDStubModel
import SDStubs
import Synchronization

extension Session.State {
    /// Samples the effects on an answer besides its content; nil for none, as for most.
    /// - Parameters:
    ///   - faults: the session's faults whose patterns match the request.
    ///   - former: the effects sampled for a waiting answer that the stub's replaces; the session's faults are already
    ///     included in them.
    ///   - owner: the matched stub, if `stub` is one of its responses.
    ///   - counts: the counts of all replicas; nil before they are known.
    mutating func drawEffects(
        _ stub: CompiledStub?, _ faults: [ActiveFault], _ request: Request, inPlaceOf former: EventEffects? = nil,
        of owner: CompiledStub? = nil, counts: [(count: FaultCount, verdict: FaultCount.Verdict)]? = nil
    ) -> EventEffects? {
        guard stub?.hasEffects == true || !faults.isEmpty || hasDelays || former != nil else { return nil }
        if isReplica, former == nil, counts == nil,
            let open = openFaults(stub?.hasEffects == true ? stub : nil, of: owner, faults, request)
        {
            return EventEffects(open: open)
        }
        let response = stub?.hasEffects == true ? stub?.response.definition : nil
        var draft = EventEffects.Draft()
        if stub != nil, let delays = response?.delays ?? settings.delays {
            if let first = delays.firstByte { draft.delay += max(first.sample(&generator), 0) }
            draft.pauses = delays.perChunk.map { EventEffects.Pauses(distribution: $0, seed: generator.next()) }
        }
        let now = clock()
        let programs = (stub?.response.faults.map { [$0] } ?? []) + faults.map(\.program)
        for program in programs {
            faultLedger.judge(program, request, now: now, counts: counts, &generator) { rule, verdict, generator in
                switch verdict {
                case .passes(let slot): if let slot { draft.slots.append(slot) }
                case .acts(let retryAfter): draft.add(rule, program.label, retryAfter: retryAfter, &generator)
                }
            }
        }
        if let former { draft.inheritSessionFaults(from: former) }
        // A waiting answer may still be replaced.
        return draft.isEmpty && former == nil && stub?.response.hold == nil ? nil : EventEffects(draft)
    }

    /// The faults that are sampled once all replicas have counted the request; nil if none of them counts.
    private mutating func openFaults(
        _ stub: CompiledStub?, of owner: CompiledStub?, _ faults: [ActiveFault], _ request: Request
    ) -> OpenFaults? {
        let own = stub?.response.faults.flatMap { $0.isCounted ? $0 : nil }
        guard own != nil || faults.contains(where: { $0.program.isCounted }) else { return nil }
        let now = clock()
        var counts: [FaultCount] = []
        if let own, let stub {
            counts += faultLedger.counts(own, request, now: now, of: (owner ?? stub).owner(ofFaults: own))
        }
        for fault in faults where fault.program.isCounted {
            let owner = "\(fault.id.lowercasedString):\(fault.program.life { [] })"
            counts += faultLedger.counts(fault.program, request, now: now, of: owner)
        }
        return counts.isEmpty ? nil : OpenFaults(counts, faults, reset: lastReset)
    }
}

extension Session {
    /// The session's faults that act on a request or its answer.
    func faults(on request: Request, _ snapshot: SessionSnapshot, _ views: inout RequestViews) -> [ActiveFault] {
        snapshot.faults.isEmpty
            ? [] : snapshot.faults.filter { $0.acts(on: request) && $0.pattern.matches(request, &views) }
    }

    /// Samples the delay and the effects of an answer that replaces a waiting one.
    package func redraw(_ stub: CompiledStub, _ event: ServeEvent, _ request: Request) {
        guard let former = event.effects else { return }
        state.withLock { state in
            if let (delay, effects) = state.sampleEffects(stub, request, inPlaceOf: former) {
                event.redraw(delay: delay, effects)
            }
        }
    }

    /// The variant in which a response is sent: not gzipped if a fault counts the bytes of its body.
    func form(of request: Request, _ event: ServeEvent) -> ResponseVariant {
        ResponseVariant(request, gzipAllowed: options.response.gzip && event.effects?.countsBytes != true)
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
            return WireScript(fault: fault, ResponseVariant(request, gzipAllowed: false))
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
