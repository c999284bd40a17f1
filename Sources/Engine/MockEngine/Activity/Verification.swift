import SDBudget
import SDHTTPTransport
import SDJSON
import SDMatching
import SDStubModel
import Synchronization

/// Compares expectations with the requests of a session: those received so far and, while a call waits, further ones.
///
/// The events in the journal are matched once, outside of all locks. Each later event is matched once, on the thread
/// that decided it.
public final class Verification: SessionListener {
    let session: Session
    let expected: ExpectedRequests
    let patterns: [CompiledPattern]

    fileprivate struct State {
        var tally: VerificationTally
        var events = OrderedEvents()
        /// The removals from the journal while it was being matched, or before it began.
        var forgotten: [ForgottenEvents] = []
        /// The sequence of the last event that was evicted before it could be matched.
        var lastEvicted: UInt64 = 0
        var refusal: StubRefusal?
        var isStopped = false
        var decided: (@Sendable () -> Void)?
    }

    private let state: Mutex<State>

    init(_ expected: ExpectedRequests, _ patterns: [CompiledPattern], in session: Session) {
        self.session = session
        self.expected = expected
        self.patterns = patterns
        state = Mutex(State(tally: VerificationTally(expected)))
    }

    // MARK: Looking

    /// Matches the journal and, with `isWaiting`, listens to further events until `cancel`. May be called only once.
    /// - Throws: if matching took more than the budget of the call.
    func begin(isWaiting: Bool) throws(StubRefusal) {
        if isWaiting { session.activity.add(self) }
        let (events, served, lastEvicted) = session.state.withLock {
            ($0.journal.newestFirst(), $0.served, $0.journal.lastEvicted)
        }
        var tally = VerificationTally(expected)
        let budget = session.newBudget
        do throws(StubRefusal) {
            for event in events.reversed() { try look(at: event, &tally, budget) }
        } catch {
            cancel()
            throw error
        }
        state.withLock { state in
            state.tally = tally
            state.lastEvicted = lastEvicted
            for forgotten in state.forgotten { state.forget(forgotten) }
            let early = state.events.begin(behind: served)
            look(at: early, &state)
        }
    }

    /// - Throws: if the budget is spent.
    private func look(
        at event: ServeEvent, _ tally: inout VerificationTally, _ budget: WorkBudget
    ) throws(StubRefusal) {
        guard event.sequence > VerificationTally.firstOfInterest(expected) else { return }
        var views = RequestViews(event.request, budget: budget)
        var places: [Int] = []
        for (place, pattern) in patterns.enumerated() where pattern.matches(event.request, &views) {
            places.append(place)
        }
        try budget.check("Matching the requests in the journal")
        tally.add(event.sequence, meeting: places)
    }

    private func look(at events: [ServeEvent], _ state: inout State) {
        for event in events {
            guard state.refusal == nil else { return }
            do throws(StubRefusal) {
                // Each has a budget of its own: a call may wait for many.
                try look(at: event, &state.tally, session.newBudget)
            } catch {
                state.refusal = error
            }
            for forgotten in state.forgotten { state.tally.forget(forgotten) }
        }
        state.forgotten.removeAll { !$0.concernsAny(behind: state.events.last) }
    }

    // MARK: Hearing

    func recorded(_ event: ServeEvent) {
        hear { state in look(at: state.events.take(event), &state) }
    }

    func forgot(_ forgotten: ForgottenEvents) {
        hear { $0.forget(forgotten) }
    }

    func stopped() {
        hear { $0.isStopped = true }
    }

    private func hear(_ change: (inout State) -> Void) {
        let decided = state.withLock { state in
            change(&state)
            return state.isDecided ? state.decided.take() : nil
        }
        decided?()
    }

    // MARK: Waiting

    /// Whether there is nothing to wait for: the conditions hold, or never will.
    public var isDecided: Bool {
        state.withLock { $0.isDecided }
    }

    /// Calls `work` once when `isDecided` becomes true, or at once if it already is.
    public func whenDecided(_ work: @escaping @Sendable () -> Void) {
        let isDecided = state.withLock { state in
            if !state.isDecided { state.decided = work }
            return state.isDecided
        }
        if isDecided { work() }
    }

    /// Stops listening. The verdict no longer changes.
    public func cancel() {
        session.activity.remove(self)
        state.withLock { $0.decided = nil }
    }

    // MARK: Verdict

    /// The data for the answers.
    struct Findings {
        let tally: VerificationTally
        let holds: Bool
        let lastSequence: UInt64
        let lastEvicted: UInt64
    }

    /// The findings so far.
    /// - Throws: if matching took more than the budget of the call.
    func findings() throws(StubRefusal) -> Findings {
        let (findings, refusal) = state.withLock { state in
            (
                Findings(
                    tally: state.tally, holds: state.holds, lastSequence: state.events.last,
                    lastEvicted: state.lastEvicted), state.refusal
            )
        }
        if let refusal { throw refusal }
        return findings
    }
}

extension Verification.State {
    fileprivate var holds: Bool { events.next != nil && tally.holds }
    fileprivate var isDecided: Bool { isStopped || refusal != nil || holds }

    /// Notes a removal. Events may be reported after their removal.
    fileprivate mutating func forget(_ gone: ForgottenEvents) {
        tally.forget(gone)
        if case .through(let last) = gone, last >= lastEvicted { lastEvicted = 0 }
        if events.next == nil || gone.concernsAny(behind: events.last) { forgotten.append(gone) }
    }
}

extension ForgottenEvents {
    fileprivate func concernsAny(behind sequence: UInt64) -> Bool {
        switch self {
        case .through(let last): last > sequence
        case .these(let gone): gone.contains { $0 > sequence }
        }
    }
}
