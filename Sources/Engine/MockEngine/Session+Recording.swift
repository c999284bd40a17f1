import SDAnswering
import SDHTTPMessages
import SDHTTPTransport
package import SDJournal
import SDMatching
import SDPlatform
import SDReports
import SDStubModel
import SDStubs
import Synchronization

/// The effects of a request on the state of its session.
extension Session.State {
    /// Whether to rebuild the table of all stubs. Its cost is spread over as many requests as there are stubs, or over
    /// a quarter as many changes.
    var needsTableRebuild: Bool {
        !stubs.isTableCurrent && !isRebuildingTable
            && (served - servedBeforeChange > UInt64(stubs.ownCount) || stubs.isOverdue && changes >= nextTableRebuild)
    }

    /// Records that `stub` answers `request`, and samples its delay.
    /// - Parameters:
    ///   - file: the body file that answers because no stub does; nil for none.
    ///   - owner: the matched stub, if `stub` is one of its responses.
    ///   - faults: the session's faults that match the request.
    ///   - isPassedThrough: whether `stub` is not one of the session's, but proxies unmatched requests.
    mutating func record(
        _ request: Request, _ stub: CompiledStub?, notes: [MatchNote], file: String?, isUnmatched: Bool,
        owner: CompiledStub?, faults: [ActiveFault] = [], isPassedThrough: Bool = false, activity: SessionActivity
    ) -> ServeEvent {
        let sequence = journal.takeSequence(at: request.wallTime)
        if isPassedThrough {
            passedThrough += 1
        } else if let stub {
            stubs.countHit(stub, at: request.wallTime)
        }
        let delay = stub.map { drawDelay($0) } ?? 0
        let effects = drawEffects(stub, faults, request, of: owner)
        let event = ServeEvent(
            sequence: sequence, arrival: served, request: request, matched: stub, addedDelay: wait(delay, effects),
            notes: notes, file: file,
            isUnmatched: isUnmatched, owner: owner, effects: effects,
            isProxied: stub?.isProxied == true,
            keepsSubEvents: stub.map { $0.listeners != nil || holdsAnswers && !$0.isOfContract } ?? false,
            bodyLimit: journal.limits.body, activity: activity)
        if isUnmatched { unmatched += 1 }
        journal.append(event)
        return event
    }

    /// Samples the delay in nanoseconds, and the effects, of an answer that replaces a waiting one.
    mutating func sampleEffects(
        _ stub: CompiledStub, _ request: Request, inPlaceOf former: EventEffects
    ) -> (delay: UInt64, effects: EventEffects)? {
        let delay = drawDelay(stub)
        return drawEffects(stub, [], request, inPlaceOf: former).map { (wait(delay, $0), $0) }
    }

    /// Samples the effects of an answer whose faults all replicas have counted.
    mutating func sampleEffects(
        _ open: OpenFaults, _ verdicts: [FaultCount.Verdict], for event: ServeEvent, _ stub: CompiledStub?,
        _ request: Request
    ) {
        let counts = zip(open.counts, verdicts).map { (count: $0, verdict: $1) }
        let effects = drawEffects(stub, open.faults, request, counts: counts)
        event.redraw(delay: event.addedDelay + wait(0, effects), effects)
    }

    /// The wait before the first byte, in nanoseconds: a delay plus that of the effects, scaled by the session.
    private func wait(_ delay: UInt64, _ effects: EventEffects?) -> UInt64 {
        let whole = effects.map { nanoseconds(milliseconds: Double(delay) / 1_000_000 + $0.delay) } ?? delay
        return timeScale == 1 ? whole : UInt64(clamped: Double(whole) * timeScale)
    }

    /// The delay in nanoseconds: the stub's fixed delay, or else the global one, plus a sample of the stub's
    /// distribution, or else of the global one.
    private mutating func drawDelay(_ stub: CompiledStub) -> UInt64 {
        guard stub.isDelayed || settings.fixedDelay != nil || settings.delayDistribution != nil else { return 0 }
        let response = stub.response.definition
        let globalDelay = response.fixedDelayTemplate == nil ? settings.fixedDelay : nil
        var milliseconds = Double(max(response.fixedDelayMilliseconds ?? globalDelay ?? 0, 0))
        if let distribution = response.delayDistribution ?? settings.delayDistribution {
            milliseconds += distribution.sample(&generator)
        }
        return nanoseconds(milliseconds: milliseconds)
    }
}

/// Recording of responses once they are made. Not called under the session's lock.
extension Session {
    /// The largest number of bytes of a response's body that an event stores.
    package var keptBodyLimit: Int { options.keepsJournal ? options.journalBodyLimit : 0 }

    /// Records the response that is sent, before its first byte.
    /// - Parameter isShared: false if no other event can share the stored response.
    package func record(_ response: ServedResponse, of event: ServeEvent, isShared: Bool) {
        event.sends(response)
        guard keepsJournal else { return }
        state.withLock { state in
            if isShared {
                state.journal.charge(response, for: event)
            } else {
                state.journal.charge(response.byteCount, for: event)
            }
        }
    }

    /// Records that the stub of an event cannot be served, and logs it.
    /// - Parameter failure: the reason, as a message.
    package func recordFailure(_ failure: String, of event: ServeEvent) {
        recordFailure(ServedResponse(failure: failure), of: event)
    }

    package func recordFailure(_ response: ServedResponse, of event: ServeEvent) {
        event.forgetDraws()
        event.sends(response)
        // A failed pass-through does not count as passed through.
        let isPassedThrough = event.proxied?.isPassedThrough == true
        state.withLock { state in
            state.failed += 1
            if isPassedThrough { state.passedThrough -= 1 }
            if event.arrival <= state.reported.served {
                state.reported.failed += 1
                if isPassedThrough { state.reported.passedThrough -= 1 }
            }
            state.journal.charge(response, for: event)
        }
        troubles.noteFailed(event, redaction)
        trouble?.failed(event)
    }

    /// Records the report to an unmatched request in its event.
    /// - Parameter begin: the time at which the work on the report began.
    func record(_ report: any UnmatchedReport, of event: ServeEvent, since begin: MonotonicInstant) -> PlainResponse {
        if keepsJournal, let extras = event.extras {
            let note = UnmatchedNote(
                report.text(nil), redacted: redaction.map { report.text($0) }, offset: begin.elapsedNanoseconds)
            extras.unmatched = note
            state.withLock { $0.journal.charge(note.byteCount, for: event) }
        }
        troubles.noteUnmatched(event, redaction) { report.entry(redaction) }
        let request = event.request
        if CORS.isPreflight(request) {
            noteRefusal(of: request, "nothing answers its preflight", at: nil, logging: .never)
        }
        if request.isConnect {
            noteRefusal(
                .tunnel, String(decoding: request.target, as: UTF8.self), "start with --forward-proxy", logging: .never)
        }
        trouble?.missed(event, report)
        return report.response
    }
}
