import SDHTTPTransport
import SDJSON
package import SDMatching
package import SDPlatform
import SDStubModel
import Synchronization

/// Compares expectations with the requests of a session: those received so far and, while a call waits, further ones.
///
/// The events in the journal are matched once, outside of all locks. Each later event is matched once, in order: on the
/// thread that decided it if that takes next to nothing, and otherwise beside the loops. All calls that wait share one
/// budget for an event, in equal parts.
public final class Verification: SessionListener {
    package let session: any JournalKeeper
    package let expected: ExpectedRequests
    package let patterns: [CompiledPattern]

    fileprivate struct State {
        var tally: VerificationTally
        var events = OrderedEvents()
        /// The removals from the journal while it was being matched, or before it began.
        var forgotten: [ForgottenEvents] = []
        /// The sequence and the arrival of the last event that was evicted before it could be matched.
        var lastEvicted: UInt64 = 0
        var lastEvictedArrival: UInt64 = 0
        /// The highest sequence of an event so far.
        var lastSequence: UInt64 = 0
        var refusal: StubRefusal?
        var isStopped = false
        var decided: (@Sendable () -> Void)?
        /// The events that have still to be matched beside the loops, in order, and whether that has begun.
        var unmatched: [ServeEvent] = []
        var isMatching = false
        /// Whether an event took more time than a loop has, so that none is tried there any more.
        var isExpensive = false
        /// Whether it is one of the waiting calls that share a budget.
        var isCounted = false
        /// What waits for all events to be matched.
        var settled: (@Sendable () -> Void)?
    }

    private let state: Mutex<State>

    package init(_ expected: ExpectedRequests, _ patterns: [CompiledPattern], in session: any JournalKeeper) {
        self.session = session
        self.expected = expected
        self.patterns = patterns
        state = Mutex(State(tally: VerificationTally(expected)))
    }

    // MARK: Looking

    /// Matches the journal and, with `isWaiting`, listens to further events until `cancel`. May be called only once.
    /// - Throws: if matching took more than the budget of the call.
    package func begin(isWaiting: Bool) throws(StubRefusal) {
        if isWaiting {
            state.withLock { $0.isCounted = true }
            session.waiting.count.add(1, ordering: .relaxed)
            session.activity.add(self)
        }
        let (events, served, last, evicted) = session.withJournal {
            ($0.newestFirst(), $0.served, $0.lastSequence, ($0.lastEvicted, $0.lastEvictedArrival))
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
            (state.lastEvicted, state.lastEvictedArrival) = evicted
            state.lastSequence = max(state.lastSequence, last)
            for forgotten in state.forgotten { state.forget(forgotten) }
            state.unmatched += state.begin(behind: served)
        }
        matchInBackground()
    }

    /// - Throws: if the budget is spent.
    private func look(
        at event: ServeEvent, _ tally: inout VerificationTally, _ budget: WorkBudget
    ) throws(StubRefusal) {
        guard let met = expectations(metBy: event, budget) else { return }
        try budget.check("Matching the requests in the journal")
        tally.add(event, meeting: met)
    }

    /// The expectations that an event meets, unless the budget is spent; nil for an event that does not matter.
    private func expectations(metBy event: ServeEvent, _ budget: WorkBudget) -> MetExpectations? {
        guard event.sequence > VerificationTally.firstOfInterest(expected) else { return nil }
        var views = RequestViews(event.request, budget: budget)
        var met = MetExpectations()
        for place in patterns.indices where !budget.isSpent {
            switch event.meets(patterns[place], &views) {
            case .met: met.places.append(place)
            case .unmet: break
            case .undecided: met.undecided.append(place)
            }
        }
        return met
    }

    // MARK: Matching what comes

    /// The processor time, in nanoseconds, that all waiting calls together may take of a loop for an event, and the least
    /// part of it with which a call tries.
    private static let loopTime: UInt64 = 1_000_000
    private static let leastLoopTime: UInt64 = 50_000

    /// The part of a time that is shared by the calls that wait now.
    private func share(of time: UInt64) -> UInt64 {
        time / UInt64(max(session.waiting.count.load(ordering: .relaxed), 1))
    }

    /// A call's part of the budget that all waiting calls share for an event or an answer.
    package var sharedBudget: WorkBudget { WorkBudget(limit: share(of: session.journaling.matchBudget)) }

    /// Matches an event on the thread that decided it, if that takes next to nothing.
    /// - Returns: false if it is to be matched beside the loops.
    private func matchHere(_ event: ServeEvent, _ state: inout State) -> Bool {
        let time = min(share(of: Self.loopTime), session.journaling.matchBudget)
        guard !state.isExpensive, state.unmatched.isEmpty, !state.isMatching, time >= Self.leastLoopTime else {
            return false
        }
        let budget = WorkBudget(limit: time)
        let met = expectations(metBy: event, budget)
        if budget.isSpent {
            state.isExpensive = true
            return false
        }
        state.add(event, meeting: met)
        return true
    }

    /// Begins to match what has to be matched beside the loops.
    private func matchInBackground() {
        let begins = state.withLock { state in
            let begins = !state.isMatching && !state.unmatched.isEmpty
            if begins { state.isMatching = true }
            return begins
        }
        if begins { session.waiting.work.add { [self] in matchNext() } }
    }

    /// Matches an event, and leaves the thread to other calls before the next one; all that are left where the answer waits
    /// for them.
    private func matchNext() {
        let isLast = state.withLock { $0.settled != nil }
        let budget = sharedBudget
        repeat {
            guard let event = state.withLock({ $0.refusal == nil ? $0.unmatched.first : nil }) else { break }
            match(event, budget)
        } while isLast
        budget.rest()
        let (isOver, settled) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
            if state.refusal != nil { state.unmatched = [] }
            guard state.unmatched.isEmpty else { return (false, nil) }
            state.isMatching = false
            return (true, state.settled.take())
        }
        if !isOver { session.waiting.work.add { [self] in matchNext() } }
        settled?()
    }

    /// Matches the first of the events that are left.
    private func match(_ event: ServeEvent, _ budget: WorkBudget) {
        let met = expectations(metBy: event, budget)
        let refusal = budget.overdraft?.refusal(
            of: "Matching a request for a call that waits, beside all others that wait,")
        hear { state in
            state.unmatched.removeFirst()
            if let refusal { state.refusal = refusal } else { state.add(event, meeting: met) }
            state.dropOldRemovals()
        }
    }

    /// Calls `work` beside the loops once all events so far are matched: the time to make the answer. What is left to be
    /// matched has one budget together.
    public func whenSettled(_ work: @escaping @Sendable () -> Void) {
        let isSettled = state.withLock { state in
            if state.isMatching { state.settled = work }
            return !state.isMatching
        }
        if isSettled { session.waiting.work.add(work) }
    }

    // MARK: Hearing

    package func recorded(_ event: ServeEvent) {
        hear { state in
            guard state.refusal == nil else { return }
            for event in state.take(event) where !matchHere(event, &state) { state.unmatched.append(event) }
            state.dropOldRemovals()
        }
        matchInBackground()
    }

    package func forgot(_ forgotten: ForgottenEvents) {
        hear { $0.forget(forgotten) }
    }

    package func stopped() {
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
        let wasCounted = state.withLock { state in
            state.decided = nil
            defer { state.isCounted = false }
            return state.isCounted
        }
        if wasCounted { session.waiting.count.subtract(1, ordering: .relaxed) }
    }

    // MARK: Verdict

    /// The data for the answers.
    package struct Findings {
        package let tally: VerificationTally
        package let holds: Bool
        package let lastSequence: UInt64
        package let lastEvicted: UInt64
    }

    /// The findings so far.
    /// - Throws: if matching took more than the budget of the call.
    package func findings() throws(StubRefusal) -> Findings {
        let (findings, refusal) = state.withLock { state in
            (
                Findings(
                    tally: state.tally, holds: state.holds, lastSequence: state.lastSequence,
                    lastEvicted: state.lastEvicted), state.refusal
            )
        }
        if let refusal { throw refusal }
        return findings
    }
}

extension Verification.State {
    fileprivate var holds: Bool { events.next != nil && unmatched.isEmpty && tally.holds }
    fileprivate var isDecided: Bool { isStopped || refusal != nil || holds }

    fileprivate mutating func begin(behind arrival: UInt64) -> [ServeEvent] { noted(events.begin(behind: arrival)) }

    fileprivate mutating func take(_ event: ServeEvent) -> [ServeEvent] { noted(events.take(event)) }

    private mutating func noted(_ events: [ServeEvent]) -> [ServeEvent] {
        for event in events { lastSequence = max(lastSequence, event.sequence) }
        return events
    }

    /// Adds an event, which is the next in order.
    /// - Parameter met: the expectations that it meets; nil if it does not matter.
    fileprivate mutating func add(_ event: ServeEvent, meeting met: MetExpectations?) {
        if let met { tally.add(event, meeting: met) }
        for gone in forgotten { tally.forget(gone) }
    }

    /// Drops removals that concern no event to come, once all that were taken are matched.
    fileprivate mutating func dropOldRemovals() {
        if unmatched.isEmpty { forgotten.removeAll { !$0.concernsAny(behind: events.last) } }
    }

    /// Notes a removal. Events may be reported after their removal.
    fileprivate mutating func forget(_ gone: ForgottenEvents) {
        tally.forget(gone)
        if case .through(let last) = gone, last >= lastEvictedArrival { lastEvicted = 0 }
        if events.next == nil || !unmatched.isEmpty || gone.concernsAny(behind: events.last) { forgotten.append(gone) }
    }
}

extension ForgottenEvents {
    fileprivate func concernsAny(behind arrival: UInt64) -> Bool {
        switch self {
        case .through(let last), .these(_, let last): last > arrival
        }
    }
}

extension JournalKeeper {
    /// Checks expectations against the journal and, if `isWaiting`, against every later event until it is
    /// cancelled.
    /// - Parameter isWait: whether the call is `requests/wait`, with its pattern at the root.
    /// - Throws: if a pattern cannot be compiled, with its place in the body of the call.
    package func verification(
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

    package func idleWatch(quietMilliseconds: Int, timer: @escaping IdleWatch.Timer) -> IdleWatch {
        IdleWatch(self, quietMilliseconds: quietMilliseconds, timer: timer)
    }
}
