import HTTPMessages
import HTTPTransport
import Matching
import StubModel
import Synchronization

/// What a request does to the state of its session.
extension Session.State {
    /// The cost of a table is spread over as many requests as there are stubs.
    var isToSettle: Bool {
        !stubs.isSettled && served - servedBeforeChange > UInt64(stubs.count)
    }

    /// Writes down that `stub` answers `request`, and draws its delay.
    /// - Parameters:
    ///   - file: the body file that answers where no stub does; nil for none.
    ///   - owner: the stub that was matched, where `stub` is one of its responses.
    mutating func record(
        _ request: Request, _ stub: CompiledStub?, notes: [MatchNote], file: String?, isUnmatched: Bool,
        owner: CompiledStub?, activity: SessionActivity
    ) -> ServeEvent {
        served += 1
        let event = ServeEvent(
            sequence: served, request: request, matched: stub, addedDelay: stub.map { drawDelay($0) } ?? 0,
            notes: notes, file: file, isUnmatched: isUnmatched, owner: owner, bodyLimit: journal.limits.body,
            activity: activity)
        if let stub { stubs.countHit(stub, at: request.wallTime) }
        if isUnmatched { unmatched += 1 }
        journal.append(event)
        return event
    }

    /// Nanoseconds: the stub's fixed delay, or else the global one, plus a draw from the stub's distribution, or else
    /// from the global one.
    private mutating func drawDelay(_ stub: CompiledStub) -> UInt64 {
        guard stub.isDelayed || settings.fixedDelay != nil || settings.delayDistribution != nil else { return 0 }
        let response = stub.response.definition
        var milliseconds = Double(max(response.fixedDelayMilliseconds ?? settings.fixedDelay ?? 0, 0))
        if let distribution = response.delayDistribution ?? settings.delayDistribution {
            milliseconds += distribution.sample(&generator)
        }
        // A day is longer than any test; the bound keeps the conversion safe. No comparison holds for what is no number.
        guard milliseconds > 0 else { return 0 }
        return UInt64((milliseconds < 86_400_000 ? milliseconds : 86_400_000) * 1_000_000)
    }
}

/// What is written down of a response once it is made. Not under the session's lock.
extension Session {
    /// The number of bytes of a response's body that an event keeps.
    var keptBodyLimit: Int { options.keepsJournal ? options.journalBodyLimit : 0 }

    /// Notes what is sent, before the first byte of it.
    func record(_ response: ServedResponse, of event: ServeEvent) {
        event.sends(response)
        guard keepsJournal else { return }
        state.withLock { $0.journal.charge(response, for: event) }
    }

    /// Notes that the stub of an event cannot be served, and tells the log.
    /// - Parameter failure: why, for people.
    func recordFailure(_ failure: String, of event: ServeEvent) {
        let response = ServedResponse(failure: failure)
        event.sends(response)
        state.withLock { state in
            state.failed += 1
            state.journal.charge(response, for: event)
        }
        trouble?.failed(event)
    }

    /// The report to a request that no stub matched; its event keeps it.
    func recordUnmatched(_ request: Request, _ event: ServeEvent) -> PlainResponse {
        event.sends(.unmatched)
        let begin = ContinuousClock.now
        let report = UnmatchedReport(request, NearMissSearch(stubs: visibleStubs))
        if keepsJournal, let extras = event.extras {
            let text = report.text
            let spent = begin.duration(to: .now) / .nanoseconds(1)
            let note = UnmatchedNote(text, offset: UInt64(max(spent, 0)))
            extras.unmatched = note
            state.withLock { $0.journal.charge(note.byteCount, for: event) }
        }
        trouble?.missed(UnmatchedRequest(event, report))
        return report.response
    }
}
