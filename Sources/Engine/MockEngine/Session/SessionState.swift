import HTTPTransport
import Matching
import StubModel

/// What a request does to the state of its session.
extension Session.State {
    /// The cost of a table is spread over as many requests as there are stubs.
    var isToSettle: Bool {
        !stubs.isSettled && served - servedBeforeChange > UInt64(stubs.count)
    }

    /// Writes down that `stub` answers `request`, and draws its delay.
    mutating func record(
        _ request: Request, _ stub: CompiledStub?, status: Int, notes: [MatchNote], file: String?,
        failure: BodyFileError?, owner: CompiledStub?, activity: SessionActivity
    ) -> (UInt64, ServeEvent) {
        served += 1
        let delay = stub.map { drawDelay($0) } ?? 0
        let event = ServeEvent(
            sequence: served, request: request, matched: stub, status: status, addedDelay: delay, notes: notes,
            file: file, failure: failure, owner: owner, bodyLimit: journal.limits.body, activity: activity)
        if failure != nil { failed += 1 }
        if let stub { stubs.countHit(stub, at: request.wallTime) } else if status == 404 { unmatched += 1 }
        journal.append(event)
        return (delay, event)
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
