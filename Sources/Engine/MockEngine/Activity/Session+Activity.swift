import SDHTTPTransport
import SDMatching
import SDPlatform
public import SDStubModel
import Synchronization

/// The activity in a session, as the admin API shows it.
extension Session {
    // MARK: Waiting

    /// Checks expectations against the journal and, if `isWaiting`, against every later event until it is
    /// cancelled.
    /// - Parameter isWait: whether the call is `requests/wait`, with its pattern at the root.
    /// - Throws: if a pattern cannot be compiled, with its place in the body of the call.
    public func verification(
        _ expected: ExpectedRequests, isWait: Bool, isWaiting: Bool
    ) throws(StubRefusal) -> Verification {
        var patterns: [CompiledPattern] = []
        var problems: [ServingProblem] = []
        for (place, expectation) in expected.expectations.enumerated() {
            do {
                let root = isWait ? "/pattern" : "/expectations/\(place)/pattern"
                patterns.append(try CompiledPattern(expectation.pattern, at: root))
            } catch {
                problems += error.problems.map { ServingProblem($0) }
            }
        }
        guard problems.isEmpty else { throw .unserved(StubMapping().id, problems) }
        let verification = Verification(expected, patterns, in: self)
        try verification.begin(isWaiting: isWaiting)
        return verification
    }

    public func idleWatch(quietMilliseconds: Int, timer: @escaping IdleWatch.Timer) -> IdleWatch {
        IdleWatch(self, quietMilliseconds: quietMilliseconds, timer: timer)
    }

    // MARK: In flight

    /// The number of requests whose answers have not ended, whatever they wait for.
    public var inFlightCount: Int {
        let matching = activity.matching
        let ended = activity.ended
        let served = state.withLock { $0.served }
        return matching + (served > ended ? Int(clamping: served - ended) : 0)
    }

    /// The slow answers, the oldest first.
    public func inFlight() -> InFlightRequests {
        let now = SystemCalls.monotonicNanoseconds()
        let events = activity.inFlight.events
        let gates = activity.gates.names
        return InFlightRequests(
            total: max(inFlightCount, events.count),
            slow: events.map { InFlightRequest($0, gate: gates[$0.sequence], now: now) })
    }

    /// Ends the slow answer of an event's id; false if none is in flight.
    public func endInFlight(_ id: StubMapping.ID) -> Bool {
        eventIDs.sequence(id).map { activity.inFlight.end($0) } ?? false
    }

    /// Ends all slow answers, and returns how many there were.
    public func endInFlight() -> Int {
        activity.inFlight.endAll(through: state.withLock { $0.served })
    }

    /// The number of waiting calls, plus one if anybody reads the event stream.
    public var listenerCount: Int { activity.listenerCount }

    /// Whether an answer is in flight, a call waits, or anybody reads the event stream.
    public var isBusy: Bool { listenerCount > 0 || inFlightCount > 0 }

    // MARK: Changes

    /// Tells the listeners about a change. Must not be called under the session's lock.
    func changed(_ change: SessionChange) {
        activity.changed(change, served: state.withLock { $0.served })
    }

    func tellRemoved(_ stubs: [CompiledStub]) {
        for stub in stubs { changed(.stub(.removed, .init(stub.mapping))) }
    }

    /// Tells the listeners that files were read again.
    public func reloaded(_ reload: FileReload) {
        changed(.reload(reload))
    }

    // MARK: The end

    /// Ends all slow answers, waiting calls and event streams, since the session is no longer served.
    public func stopActivity() {
        activity.stop()
    }
}
