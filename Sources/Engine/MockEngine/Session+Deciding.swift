import SDAnswering
import SDChannels
import SDHTTPMessages
import SDHTTPTransport
import SDJournal
import SDMatching
import SDPlatform
import SDStubModel
import SDStubs
import Synchronization

/// The decision about the answer to a request, which puts all requests in one order.
///
/// Stubs and body files are searched without the session's lock. The result counts if nothing has changed by the time
/// the lock is taken. Only then are random values sampled, counters updated and the event added to the journal.
extension Session {
    /// The processor time that matching may take on a loop, in nanoseconds, before the request leaves the loop.
    static var loopBudget: UInt64 { LoopAllowance.usual }

    /// Decides within a loop's time for one request.
    /// - Parameter open: set if the replicas have to decide together.
    /// - Returns: nil if the time was exceeded or the decision is left open. Nothing has been decided then; unless it
    ///   is open, call `decide` on another thread.
    func decideOnLoop(
        _ request: Request, worker: Int, notes: [MatchNote] = [], _ open: inout LeftOpen?
    ) -> Decision? {
        guard options.matchBudget > Self.loopBudget else {
            return decide(request, worker: worker, notes: notes, &open)
        }
        var views = RequestViews(request, budgetLimit: shared.loopAllowance.limit(at: request.clockTime))
        switch attempt(request, &views, worker: worker, notes, isInside: false) {
        case .decided(let event, let fallback): return Decision(request, event, fallback: fallback, consume views)
        case .open(let left):
            open = left
            return nil
        case .spent:
            shared.loopAllowance.wasSpent()
            return nil
        }
    }

    /// Decides within the request's whole budget.
    /// - Parameters:
    ///   - worker: the loop on whose thread this is called; nil for another thread.
    ///   - notes: what is already known to be wrong with the request.
    ///   - isInside: whether the request may read and change shared data.
    ///   - open: set if the replicas have to decide together.
    /// - Returns: nil if the decision is left open.
    func decide(
        _ request: Request, worker: Int?, notes: [MatchNote] = [], isInside: Bool = false, _ open: inout LeftOpen?
    ) -> Decision? {
        var views = RequestViews(request, budgetLimit: options.matchBudget)
        switch attempt(request, &views, worker: worker, notes, isInside: isInside) {
        case .decided(let event, let fallback):
            return Decision(request, event, fallback: fallback, views, isInBackground: worker == nil)
        case .open(let left):
            open = left
            return nil
        case .spent(let exhaustion, let snapshot): return exhausted(request, exhaustion, snapshot, views, notes)
        }
    }

    /// Whether a WebSocket upgrade has another answer than a channel: that of a stub, or of a proxied server.
    /// - Parameter limit: the processor time that this may take, in nanoseconds.
    /// - Returns: nil if the limit was exceeded.
    func hasOtherAnswer(to request: Request, worker: Int?, limit: UInt64) -> Bool? {
        var views = RequestViews(request, budgetLimit: limit)
        let snapshot = snapshot(worker)
        if let clock = snapshot.settings.clock { views.wallTime = clock.time(at: request.wallTime) }
        var looks = BodyFileLookups()
        var candidates: [SharedCandidate]?
        let match = match(request, &views, snapshot, &looks, &candidates)
        guard !views.isSpent else { return nil }
        let stub = match.stub ?? candidates?.first?.stub
        guard stub != nil || candidates?.isEmpty == false || passThrough(request, snapshot) != nil else { return false }
        return !channels.opens(request, besides: stub?.mapping, WorkBudget(limit: limit))
    }

    /// The result of one attempt to decide.
    private enum Attempt {
        case decided(ServeEvent, Decision.FallbackAnswer)
        /// The replicas have to decide.
        case open(LeftOpen)
        /// The budget was spent before the stub was found.
        case spent(BudgetExhaustion, SessionSnapshot)
    }

    private func attempt(
        _ request: Request, _ views: inout RequestViews, worker: Int?, _ known: [MatchNote], isInside: Bool
    ) -> Attempt {
        var file = FileSearch()
        var attempt = 0
        while true {
            let snapshot = snapshot(worker)
            // Deciding under the lock blocks the session's other requests, so expensive matchers never run there.
            if snapshot.isConditional, attempt >= Self.maxAttempts, worker != nil {
                return decideUnderLock(request, &views, file, known, isInside: isInside)
            }
            attempt += 1
            if let clock = snapshot.settings.clock { views.wallTime = clock.time(at: request.wallTime) }
            var candidates: [SharedCandidate]?
            let match = match(request, &views, snapshot, &file.looks, &candidates)
            let faults = faults(on: request, snapshot, &views)
            if views.isSpent, let exhaustion = views.exhaustion { return .spent(exhaustion, snapshot) }
            if shared.replication != nil, !isInside, needsData(match, candidates ?? []) { return .open(.outside) }
            if let candidates {
                return .open(
                    .decision(
                        OpenDecision(
                            request, known.isEmpty ? views.notes : known + views.notes, snapshot, candidates, match,
                            file, faults)))
            }
            if match.stub == nil { file.look(request, files) }
            let notes = known.isEmpty ? views.notes : known + views.notes
            var isToStart = false
            let accepted = state.withLock { state -> ServeEvent? in
                guard state.snapshot.generation == snapshot.generation, !isBehind(state), match.isStillValid(conditions)
                else { return nil }
                let event = accept(match, file.found, snapshot, request, notes, faults, &state)
                if state.needsTableRebuild { isToStart = scheduleTableRebuild(&state) }
                return event
            }
            if isToStart { changes.start() }
            if match.hasSeenExpired { bringUpToDate() }
            if accepted != nil, let loss = match.loss, let stub = match.stub { warned(loss, of: StubReference(stub)) }
            if let event = accepted {
                noteUnreadable(event)
                if snapshot.isConditional { tellMove(of: event) }
                return .decided(event, file.fallback(for: event))
            }
            views.forgetNotes()
        }
    }

    /// Notifies listeners of the state of a scenario that a request moved. It is the current state, which a later
    /// request may have set and already reported.
    func tellMove(of event: ServeEvent) {
        guard activity.isHeard, let stub = (event.extras?.owner ?? event.matchedStub) as? CompiledStub,
            let step = stub.lifecycle?.step, step.moves
        else { return }
        activity.note(.scenarioMoved(step.scenario.name, state: step.scenario.state))
    }

    private func snapshot(_ worker: Int?) -> SessionSnapshot {
        guard let worker else { return state.withLock { upToDate(&$0) } }
        return caches.snapshot(worker: worker, generation: currentGeneration) {
            // Following another session's changes may have dropped copies of its stubs.
            defer { chargeRemovedStubs() }
            return state.withLock { upToDate(&$0) }
        }
    }

    /// The number of attempts without the lock; after that, the decision is made under the lock. lock.
    private static var maxAttempts: Int { 4 }

    /// Decides like `decide`, but matches stubs under the lock, which blocks all other requests.
    private func decideUnderLock(
        _ request: Request, _ views: inout RequestViews, _ file: FileSearch, _ known: [MatchNote], isInside: Bool
    ) -> Attempt {
        var file = file
        var exhaustion: (BudgetExhaustion, SessionSnapshot)?
        var open: LeftOpen?
        while true {
            file.looks.mayLook = false
            var isToStart = false
            let accepted = state.withLock { state -> ServeEvent? in
                let snapshot = upToDate(&state)
                views.forgetNotes()
                if let clock = snapshot.settings.clock { views.wallTime = clock.time(at: request.wallTime) }
                var candidates: [SharedCandidate]?
                let match = match(request, &views, snapshot, &file.looks, &candidates)
                let faults = faults(on: request, snapshot, &views)
                exhaustion = views.exhaustion.map { ($0, snapshot) }
                // The disk is not read under the lock.
                guard exhaustion == nil, !file.looks.isIncomplete else { return nil }
                if shared.replication != nil, !isInside, needsData(match, candidates ?? []) {
                    open = .outside
                    return nil
                }
                if let candidates {
                    open = .decision(
                        OpenDecision(request, known + views.notes, snapshot, candidates, match, file, faults))
                    return nil
                }
                guard match.stub != nil || file.isDone else { return nil }
                let event = accept(match, file.found, snapshot, request, known + views.notes, faults, &state)
                if state.needsTableRebuild { isToStart = scheduleTableRebuild(&state) }
                return event
            }
            if isToStart { changes.start() }
            if let (exhaustion, snapshot) = exhaustion { return .spent(exhaustion, snapshot) }
            if let open { return .open(open) }
            if let event = accepted {
                noteUnreadable(event)
                tellMove(of: event)
                return .decided(event, file.fallback(for: event))
            }
            if file.looks.isIncomplete { file.looks.lookForWanted(files) } else { file.look(request, files) }
        }
    }

    /// Finds the stub. HEAD falls back to a route for GET; a path without any stub falls back to the OpenAPI operation
    /// that its decoded form means.
    /// - Parameter candidates: set to the preceding stubs whose state replicas share.
    private func match(
        _ request: Request, _ views: inout RequestViews, _ snapshot: SessionSnapshot, _ files: inout BodyFileLookups,
        _ candidates: inout [SharedCandidate]?
    ) -> StubMatch {
        let match = match(request, &views, snapshot, isForHead: false, &files, &candidates)
        guard match.stub == nil, !views.isSpent else { return match }
        let other =
            views.methodBit != .head
            ? match : match.or { self.match(request, &views, snapshot, isForHead: true, &files, &candidates) }
        guard hasContracts, other.stub == nil, !views.isSpent else { return other }
        return other.or { StubMatch(snapshot.firstOfContract(request, &views)) }
    }

    private func match(
        _ request: Request, _ views: inout RequestViews, _ snapshot: SessionSnapshot, isForHead: Bool,
        _ files: inout BodyFileLookups, _ candidates: inout [SharedCandidate]?
    ) -> StubMatch {
        guard snapshot.isConditional else {
            return StubMatch(snapshot.firstMatch(request, &views, isForHead: isForHead))
        }
        if shared.replication != nil {
            return StubMatch(request, &views, snapshot, isForHead: isForHead, in: self, &files, &candidates)
        }
        return StubMatch(request, &views, snapshot, isForHead: isForHead, in: self, &files)
    }

    /// Accepts a match: samples, counts and records.
    /// - Returns: the event, with the stub whose response is sent.
    private func accept(
        _ match: StubMatch, _ file: StaticFile?, _ snapshot: SessionSnapshot, _ request: Request,
        _ notes: [MatchNote], _ faults: [ActiveFault], _ state: inout State
    ) -> ServeEvent {
        // Most sessions have no conditional stub. The match is used in place, as a copy would retain it.
        if !snapshot.isConditional, match.stub != nil {
            return state.record(
                request, match.stub, notes: notes, file: nil, isUnmatched: false, owner: nil, faults: faults,
                activity: activity)
        }
        let stub = match.commit(at: request.wallTime, &state.generator, conditions)
        return accept(stub, of: match.stub, file, snapshot, request, notes, faults, &state)
    }

    /// Records that a stub answers, or that none does.
    /// - Parameter owner: the stub that matched; `stub` may be one of its responses.
    func accept(
        _ stub: CompiledStub?, of owner: CompiledStub?, _ file: StaticFile?, _ snapshot: SessionSnapshot,
        _ request: Request, _ notes: [MatchNote], _ faults: [ActiveFault], _ state: inout State
    ) -> ServeEvent {
        if stub == nil, file == nil, let other = passThrough(request, snapshot) {
            return state.record(
                request, other, notes: notes, file: nil, isUnmatched: false, owner: nil, faults: faults,
                isPassedThrough: true, activity: activity)
        }
        return state.record(
            request, stub, notes: notes, file: stub == nil ? file?.path : nil,
            isUnmatched: stub == nil && file == nil, owner: owner === stub ? nil : owner, faults: faults,
            activity: activity)
    }

    /// The decision for a request whose budget was spent before its stub was found: no stub answers. A stub that was
    /// found does not count either, because one with precedence might have matched.
    private func exhausted(
        _ request: Request, _ exhaustion: BudgetExhaustion, _ snapshot: SessionSnapshot, _ views: RequestViews,
        _ known: [MatchNote]
    ) -> Decision {
        let text = exhaustion.text(ofRequestAmong: snapshot.stubs)
        let notes = known + views.notes + [MatchNote(kind: .warning, message: text)]
        let event = state.withLock { state in
            state.record(
                request, nil, notes: notes, file: nil, isUnmatched: true, owner: nil, activity: activity)
        }
        return Decision(request, event, fallback: .exhausted(text), views)
    }
}

/// The search for the body file of an unmatched request, made at most once, and the lookups of the stubs' body files.
struct FileSearch {
    var looks = BodyFileLookups()
    private(set) var found: StaticFile?
    private(set) var isDone = false

    mutating func look(_ request: Request, _ files: any BodyFileSource) {
        guard !isDone else { return }
        found = StaticFile(request, files: files)
        isDone = true
    }

    /// The answer if no stub gives one.
    func fallback(for event: ServeEvent) -> Decision.FallbackAnswer {
        guard event.matched == nil, let found else { return .nothing }
        return .file(found)
    }
}
