import SDAnswering
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
/// Stubs and body files are searched without the session's lock, and the result counts if nothing has changed by the
/// time the lock is held. Only then are numbers drawn, counters updated and the event added to the journal.
extension Session {
    /// The processor time that matching may take on a loop, in nanoseconds, before the request leaves the loop.
    static var loopBudget: UInt64 { LoopAllowance.usual }

    /// Decides within the time that a loop has for a request.
    /// - Parameter open: takes what the replicas have to decide together.
    /// - Returns: nil if that was not enough, or if it is left open. Nothing has been decided then, and if nothing is open
    ///   `decide` does it on another thread.
    func decideOnLoop(
        _ request: Request, worker: Int, notes: [MatchNote] = [], _ open: inout LeftOpen?
    ) -> Decision? {
        guard options.matchBudget > Self.loopBudget else {
            return decide(request, worker: worker, notes: notes, &open)
        }
        var views = RequestViews(request, budgetLimit: shared.loopAllowance.limit(at: request.clockTime))
        switch attempt(request, &views, worker: worker, notes, isInside: false) {
        case .decided(let event, let otherwise): return Decision(request, event, otherwise: otherwise, consume views)
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
    ///   - notes: what is known to be wrong with the request.
    ///   - isInside: whether it may read and change what replicas share.
    ///   - open: takes what the replicas have to decide together.
    /// - Returns: nil if it is left open.
    func decide(
        _ request: Request, worker: Int?, notes: [MatchNote] = [], isInside: Bool = false, _ open: inout LeftOpen?
    ) -> Decision? {
        var views = RequestViews(request, budgetLimit: options.matchBudget)
        switch attempt(request, &views, worker: worker, notes, isInside: isInside) {
        case .decided(let event, let otherwise):
            return Decision(request, event, otherwise: otherwise, views, isInBackground: worker == nil)
        case .open(let left):
            open = left
            return nil
        case .spent(let overdraft, let snapshot): return overdrawn(request, overdraft, snapshot, views, notes)
        }
    }

    /// The end of an attempt to decide.
    private enum Attempt {
        case decided(ServeEvent, Decision.Otherwise)
        /// The other replicas have to do with it.
        case open(LeftOpen)
        /// The budget was spent before the stub was found.
        case spent(Overdraft, SessionSnapshot)
    }

    private func attempt(
        _ request: Request, _ views: inout RequestViews, worker: Int?, _ known: [MatchNote], isInside: Bool
    ) -> Attempt {
        var file = FileSearch()
        var attempt = 0
        while true {
            let snapshot = snapshot(worker)
            // Deciding under the lock keeps the session's other requests waiting, so expensive matchers never do.
            if snapshot.isConditional, attempt >= Self.maxAttempts, worker != nil {
                return decideUnderLock(request, &views, file, known, isInside: isInside)
            }
            attempt += 1
            if let clock = snapshot.settings.clock { views.wallTime = clock.time(at: request.wallTime) }
            var candidates: [SharedCandidate]?
            let match = match(request, &views, snapshot, &file.looks, &candidates)
            let faults = faults(on: request, snapshot, &views)
            if views.isSpent, let overdraft = views.overdraft { return .spent(overdraft, snapshot) }
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
                guard state.snapshot.generation == snapshot.generation, !isBehind(state), match.holds(conditions)
                else { return nil }
                let event = accept(match, file.found, snapshot, request, notes, faults, &state)
                if state.isToSettle { isToStart = settle(&state) }
                return event
            }
            if isToStart { changes.start() }
            if match.hasSeenExpired { bringUpToDate() }
            if accepted != nil, let loss = match.loss, let stub = match.stub { warned(loss, of: StubReference(stub)) }
            if let event = accepted {
                noteUnreadable(event)
                if snapshot.isConditional { tellMove(of: event) }
                return .decided(event, file.otherwise(than: event))
            }
            views.forgetNotes()
        }
    }

    /// Tells listeners in which state the scenario is that a request moved: the present one, since that may be of a later
    /// request, of which they were told already.
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

    /// The number of attempts without the lock; if something changed during each, the last attempt is made under the
    /// lock.
    private static var maxAttempts: Int { 4 }

    /// Decides like `decide`, but matches stubs under the lock, so that everybody else waits.
    private func decideUnderLock(
        _ request: Request, _ views: inout RequestViews, _ file: FileSearch, _ known: [MatchNote], isInside: Bool
    ) -> Attempt {
        var file = file
        var overdraft: (Overdraft, SessionSnapshot)?
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
                overdraft = views.overdraft.map { ($0, snapshot) }
                // Reading the disk must not keep others waiting for the lock.
                guard overdraft == nil, !file.looks.isIncomplete else { return nil }
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
                if state.isToSettle { isToStart = settle(&state) }
                return event
            }
            if isToStart { changes.start() }
            if let (overdraft, snapshot) = overdraft { return .spent(overdraft, snapshot) }
            if let open { return .open(open) }
            if let event = accepted {
                noteUnreadable(event)
                tellMove(of: event)
                return .decided(event, file.otherwise(than: event))
            }
            if file.looks.isIncomplete { file.looks.lookForWanted(files) } else { file.look(request, files) }
        }
    }

    /// Finds the stub: for HEAD, where no stub says otherwise, that of a route for GET; and where there is none for the path
    /// as it is written, that of an OpenAPI document for what it means.
    /// - Parameter candidates: takes the stubs before it that have state which replicas share.
    private func match(
        _ request: Request, _ views: inout RequestViews, _ snapshot: SessionSnapshot, _ files: inout BodyFileLooks,
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
        _ files: inout BodyFileLooks, _ candidates: inout [SharedCandidate]?
    ) -> StubMatch {
        guard snapshot.isConditional else {
            return StubMatch(snapshot.firstMatch(request, &views, isForHead: isForHead))
        }
        if shared.replication != nil {
            return StubMatch(request, &views, snapshot, isForHead: isForHead, in: self, &files, &candidates)
        }
        return StubMatch(request, &views, snapshot, isForHead: isForHead, in: self, &files)
    }

    /// Accepts a match: draws, counts and records.
    /// - Returns: the event, with the stub whose response is sent.
    private func accept(
        _ match: StubMatch, _ file: StaticFile?, _ snapshot: SessionSnapshot, _ request: Request,
        _ notes: [MatchNote], _ faults: [ActiveFault], _ state: inout State
    ) -> ServeEvent {
        // Most sessions have no such stub. The match is used in its place, as a copy would count a reference.
        if !snapshot.isConditional, match.stub != nil {
            return state.record(
                request, match.stub, notes: notes, file: nil, isUnmatched: false, owner: nil, faults: faults,
                activity: activity)
        }
        let stub = match.take(at: request.wallTime, &state.generator, conditions)
        return accept(stub, of: match.stub, file, snapshot, request, notes, faults, &state)
    }

    /// Records that a stub answers, or that none does.
    /// - Parameter owner: the stub that matched, of which it may be one of the responses.
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

    /// The decision for a request whose budget was spent before its stub was found: no stub answers, not even one that
    /// was found already, because one that precedes it might have matched.
    private func overdrawn(
        _ request: Request, _ overdraft: Overdraft, _ snapshot: SessionSnapshot, _ views: RequestViews,
        _ known: [MatchNote]
    ) -> Decision {
        let text = overdraft.text(ofRequestAmong: snapshot.stubs)
        let notes = known + views.notes + [MatchNote(kind: .warning, message: text)]
        let event = state.withLock { state in
            state.record(
                request, nil, notes: notes, file: nil, isUnmatched: true, owner: nil, activity: activity)
        }
        return Decision(request, event, otherwise: .overdrawn(text), views)
    }
}

/// The search for the body file of an unmatched request, made at most once, and what was found out about those of stubs.
struct FileSearch {
    var looks = BodyFileLooks()
    private(set) var found: StaticFile?
    private(set) var isDone = false

    mutating func look(_ request: Request, _ files: any BodyFileSource) {
        guard !isDone else { return }
        found = StaticFile(request, files: files)
        isDone = true
    }

    /// The answer if no stub gives one.
    func otherwise(than event: ServeEvent) -> Decision.Otherwise {
        guard event.matched == nil, let found else { return .nothing }
        return .file(found)
    }
}
