import SDHTTPTransport
import SDJSON
package import SDMatching
package import SDPlatform
import SDStubModel
import Synchronization

/// Compares expectations with the requests of a session: those received so far and, while a call waits, further ones.
///
/// The events in the journal are matched once, outside of all locks. Each later event is matched once, in order: on the
/// thread that decided it if that is cheap enough, and otherwise in the background. All waiting calls share one budget
/// for an event, in equal parts.
public final class Verification: SessionListener {
    package let session: any JournalOwner
    package let expected: ExpectedRequests
    package let patterns: [CompiledPattern]

    fileprivate struct State {
        var counts: ExpectationCounts
        var events = OrderedEvents()
        /// The removals from the journal during matching, or before it began.
        var forgotten: [RemovedEvents] = []
        /// The sequence number and the arrival of the last event that was evicted before it could be matched.
        var lastEvicted: UInt64 = 0
        var lastEvictedArrival: UInt64 = 0
        /// The highest sequence number of an event so far.
        var lastSequence: UInt64 = 0
        var refusal: StubRefusal?
        var isStopped = false
        var decided: (@Sendable () -> Void)?
        /// The events to match in the background, in order, and whether that is in progress.
        var unmatched: [ServeEvent] = []
        var isMatching = false
        /// Whether an event exceeded a loop's time, so that no more are matched there.
        var isExpensive = false
        /// Whether it is one of the waiting calls that share a budget.
        var isCounted = false
        /// Called once all events are matched.
        var settled: (@Sendable () -> Void)?
    }

    private let state: Mutex<State>

    package init(_ expected: ExpectedRequests, _ patterns: [CompiledPattern], in session: any JournalOwner) {
        self.session = session
        self.expected = expected
        self.patterns = patterns
        state = Mutex(State(counts: ExpectationCounts(expected)))
    }

    // MARK: Matching the journal

    /// Matches the journal and, with `isWaiting`, listens to further events until `cancel`. May be called only once.
    /// - Throws: if matching exceeds the budget of the call.
    package func start(isWaiting: Bool) throws(StubRefusal) {
        if isWaiting {
            state.withLock { $0.isCounted = true }
            session.waiting.count.add(1, ordering: .relaxed)
            session.activity.add(self)
        }
        let (events, served, last, evicted) = session.withJournal {
            ($0.newestFirst(), $0.served, $0.lastSequence, ($0.lastEvicted, $0.lastEvictedArrival))
        }
        var counts = ExpectationCounts(expected)
        let budget = session.newBudget
        do throws(StubRefusal) {
            for event in events.reversed() { try match(event, &counts, budget) }
        } catch {
            cancel()
            throw error
        }
        state.withLock { state in
            state.counts = counts
            (state.lastEvicted, state.lastEvictedArrival) = evicted
            state.lastSequence = max(state.lastSequence, last)
            for forgotten in state.forgotten { state.remove(forgotten) }
            state.unmatched += state.start(after: served)
        }
        matchInBackground()
    }

    /// - Throws: if the budget is spent.
    private func match(
        _ event: ServeEvent, _ counts: inout ExpectationCounts, _ budget: WorkBudget
    ) throws(StubRefusal) {
        guard let met = expectations(metBy: event, budget) else { return }
        try budget.check("Matching the requests in the journal")
        counts.add(event, meeting: met)
    }

    /// The expectations that an event matches, unless the budget is spent; nil for an event that is irrelevant.
    private func expectations(metBy event: ServeEvent, _ budget: WorkBudget) -> MetExpectations? {
        guard event.sequence > ExpectationCounts.firstOfInterest(expected) else { return nil }
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

    // MARK: Matching later events

    /// The processor time, in nanoseconds, that all waiting calls together may use on a loop for an event, and the
    /// smallest share of it with which a call tries.
    private static let loopTime: UInt64 = 1_000_000
    private static let minLoopTime: UInt64 = 50_000

    /// This call's share of a time that all waiting calls divide.
    private func share(of time: UInt64) -> UInt64 {
        time / UInt64(max(session.waiting.count.load(ordering: .relaxed), 1))
    }

    /// This call's share of the budget for an event or an answer.
    package var sharedBudget: WorkBudget { WorkBudget(limit: share(of: session.journaling.matchBudget)) }

    /// Matches an event on the thread that decided it, if that is cheap enough.
    /// - Returns: false if it must be matched in the background.
    private func matchHere(_ event: ServeEvent, _ state: inout State) -> Bool {
        let time = min(share(of: Self.loopTime), session.journaling.matchBudget)
        guard !state.isExpensive, state.unmatched.isEmpty, !state.isMatching, time >= Self.minLoopTime else {
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

    /// Starts matching in the background.
    private func matchInBackground() {
        let begins = state.withLock { state in
            let begins = !state.isMatching && !state.unmatched.isEmpty
            if begins { state.isMatching = true }
            return begins
        }
        if begins { session.waiting.work.add { [self] in matchNext() } }
    }

    /// Matches one event, and yields the thread to other calls; matches all remaining ones if the answer waits for
    /// them.
    private func matchNext() {
        let isLast = state.withLock { $0.settled != nil }
        let budget = sharedBudget
        repeat {
            guard let event = state.withLock({ $0.refusal == nil ? $0.unmatched.first : nil }) else { break }
            match(event, budget)
        } while isLast
        budget.pauseClock()
        let (isOver, settled) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
            if state.refusal != nil { state.unmatched = [] }
            guard state.unmatched.isEmpty else { return (false, nil) }
            state.isMatching = false
            return (true, state.settled.take())
        }
        if !isOver { session.waiting.work.add { [self] in matchNext() } }
        settled?()
    }

    /// Matches the first of the remaining events.
    private func match(_ event: ServeEvent, _ budget: WorkBudget) {
        let met = expectations(metBy: event, budget)
        let refusal = budget.exhaustion?.refusal(
            of: "Matching a request for a call that waits, beside all others that wait,")
        hear { state in
            state.unmatched.removeFirst()
            if let refusal { state.refusal = refusal } else { state.add(event, meeting: met) }
            state.dropOldRemovals()
        }
    }

    /// Calls `work` in the background once all events so far are matched: then the answer can be made. The remaining
    /// events share one budget.
    public func whenSettled(_ work: @escaping @Sendable () -> Void) {
        let isSettled = state.withLock { state in
            if state.isMatching { state.settled = work }
            return !state.isMatching
        }
        if isSettled { session.waiting.work.add(work) }
    }

    // MARK: Listening

    package func recorded(_ event: ServeEvent) {
        hear { state in
            guard state.refusal == nil else { return }
            for event in state.insert(event) where !matchHere(event, &state) { state.unmatched.append(event) }
            state.dropOldRemovals()
        }
        matchInBackground()
    }

    package func eventsRemoved(_ forgotten: RemovedEvents) {
        hear { $0.remove(forgotten) }
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

    /// Whether waiting is over: the conditions hold, or never will.
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
        package let counts: ExpectationCounts
        package let holds: Bool
        package let lastSequence: UInt64
        package let lastEvicted: UInt64
    }

    /// The findings so far.
    /// - Throws: if matching exceeded the budget of the call.
    package func findings() throws(StubRefusal) -> Findings {
        let (findings, refusal) = state.withLock { state in
            (
                Findings(
                    counts: state.counts, holds: state.holds, lastSequence: state.lastSequence,
                    lastEvicted: state.lastEvicted), state.refusal
            )
        }
        if let refusal { throw refusal }
        return findings
    }
}

extension Verification.State {
    fileprivate var holds: Bool { events.next != nil && unmatched.isEmpty && counts.holds }
    fileprivate var isDecided: Bool { isStopped || refusal != nil || holds }

    fileprivate mutating func start(after arrival: UInt64) -> [ServeEvent] { noted(events.start(after: arrival)) }

    fileprivate mutating func insert(_ event: ServeEvent) -> [ServeEvent] { noted(events.insert(event)) }

    private mutating func noted(_ events: [ServeEvent]) -> [ServeEvent] {
        for event in events { lastSequence = max(lastSequence, event.sequence) }
        return events
    }

    /// Adds the next event in order.
    /// - Parameter met: the expectations that it matches; nil if it is irrelevant.
    fileprivate mutating func add(_ event: ServeEvent, meeting met: MetExpectations?) {
        if let met { counts.add(event, meeting: met) }
        for gone in forgotten { counts.remove(gone) }
    }

    /// Drops removals that affect no later event, once all queued events are matched.
    fileprivate mutating func dropOldRemovals() {
        if unmatched.isEmpty { forgotten.removeAll { !$0.concernsAny(behind: events.last) } }
    }

    /// Records a removal. Events may be reported after their removal.
    fileprivate mutating func remove(_ gone: RemovedEvents) {
        counts.remove(gone)
        if case .through(let last) = gone, last >= lastEvictedArrival { lastEvicted = 0 }
        if events.next == nil || !unmatched.isEmpty || gone.concernsAny(behind: events.last) { forgotten.append(gone) }
    }
}

extension RemovedEvents {
    fileprivate func concernsAny(behind arrival: UInt64) -> Bool {
        switch self {
        case .through(let last), .these(_, let last): last > arrival
        }
    }
}

extension JournalOwner {
    /// Checks expectations against the journal and, if `isWaiting`, against every later event until it is
    /// cancelled.
    /// - Parameter isWait: whether the call is `requests/wait`, with its pattern at the root.
    /// - Throws: if a pattern cannot be compiled, with its pointer in the body of the call.
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
        try verification.start(isWaiting: isWaiting)
        return verification
    }

    package func idleWatch(quietMilliseconds: Int, timer: @escaping IdleWatch.Timer) -> IdleWatch {
        IdleWatch(self, quietMilliseconds: quietMilliseconds, timer: timer)
    }
}
