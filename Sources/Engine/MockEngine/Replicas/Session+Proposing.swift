import SDAnswering
import SDHTTPTransport
import SDJournal
import SDMatching
import SDPlatform
import SDStubModel
import SDStubs
import Synchronization

/// Requests that the replicas decide together: they leave the loop, and continue with the verdict.
extension Session {
    /// The number of the change that is being applied, in the order of all replicas; 0 for none.
    var changeNumber: UInt64 { shared.replication?.change.load(ordering: .acquiring) ?? 0 }

    /// The name of the session's hash of decisions.
    package var decisionKey: DecisionKey {
        DecisionKey(session: options.label, reset: state.withLock { $0.lastReset })
    }

    /// Has the replicas decide about a request, then answers it: on its loop, or on a background thread with a pass.
    func propose(_ open: OpenDecision, with pass: DataPass? = nil, _ reply: consuming Reply) {
        guard let replication = shared.replication else { return }
        let loop = reply.loop
        let waiting = ReplyBox(reply)
        let proposal = state.withLock { open.proposal(DecisionKey(session: options.label, reset: $0.lastReset)) }
        activity.beganMatching()
        replication.decide(proposal) { [self] result in
            let conclude: @Sendable () -> Void = { [self] in
                finish(open, proposal, result, with: pass, waiting)
            }
            if pass != nil { return shared.matching.add(conclude) }
            if loop.isCurrent { return conclude() }
            if !loop.perform(conclude) { activity.endedMatching() }
        }
    }

    private func finish(
        _ open: OpenDecision, _ proposal: Proposal, _ result: Result<Verdict, DecisionProblem>,
        with pass: DataPass?, _ waiting: ReplyBox
    ) {
        defer { activity.endedMatching() }
        guard let reply = waiting.take() else {
            pass?.end()
            return
        }
        let isInBackground = pass != nil
        let (event, fallback) =
            switch result {
            case .success(let verdict): accept(verdict, on: proposal, of: open)
            case .failure(let problem): failed(open, problem)
            }
        let request = open.request
        let limit =
            isInBackground
            ? options.matchBudget : min(shared.loopAllowance.limit(at: request.clockTime), options.matchBudget)
        var views = RequestViews(request, budgetLimit: limit)
        if let clock = open.snapshot.settings.clock { views.wallTime = clock.time(at: request.wallTime) }
        var decision = Decision(request, event, fallback: fallback, views, isInBackground: isInBackground)
        if isInBackground {
            if let open = event.effects?.open { return count(open, decision, with: pass, reply) }
            respond(to: &decision, reply)
            pass?.end()
            return
        }
        respondOnLoop(to: &decision, reply)
    }

    /// Accepts the replicas' decision: updates the local copies, samples effects, counts and records.
    private func accept(
        _ verdict: Verdict, on proposal: Proposal, of open: OpenDecision
    ) -> (ServeEvent, Decision.FallbackAnswer) {
        let (request, snapshot) = (open.request, open.snapshot)
        let chosen = verdict.chosen.flatMap { open.candidates.indices.contains($0) ? open.candidates[$0] : nil }
        let owner = chosen?.stub ?? open.otherwise.stub
        var file = open.file
        if owner == nil { file.look(request, files) }
        var isToStart = false
        let event = state.withLock { state -> ServeEvent in
            let answering: CompiledStub?
            if let chosen {
                let current = state.current(chosen.stub)
                let isCurrent = state.lastReset == proposal.key.reset
                answering = take(verdict, chosen, isCurrent: isCurrent, current, &state.generator, request)
            } else {
                answering = open.otherwise.commit(at: request.wallTime, &state.generator, conditions)
            }
            if state.lastReset == proposal.key.reset { takeOver(verdict, on: proposal, of: open.candidates) }
            let event = accept(
                answering, of: owner, file.found, snapshot, request, open.notes, open.faults, &state)
            if state.needsTableRebuild { isToStart = scheduleTableRebuild(&state) }
            return event
        }
        if isToStart { changes.start() }
        if open.otherwise.hasSeenExpired { bringUpToDate() }
        if let chosen, chosen.turn != nil, let loss = chosen.stub.lifecycle?.takeLoss() {
            warned(loss, of: StubReference(chosen.stub))
        }
        noteUnreadable(event)
        tellMove(of: event)
        return (event, file.fallback(for: event))
    }

    /// Applies the verdict for the chosen stub. Called under the session's lock.
    /// - Returns: the stub that answers: the chosen one, or one of its responses if it has several.
    private func take(
        _ verdict: Verdict, _ chosen: SharedCandidate, isCurrent: Bool, _ current: CompiledStub,
        _ generator: inout SeededGenerator, _ request: Request
    ) -> CompiledStub? {
        let answering = chosen.stub.lifecycle?.answer(
            at: verdict.place, to: chosen.turn, isCurrent: isCurrent, &generator)
        if answering != nil { current.countHit(at: request.wallTime) }
        return answering ?? current
    }

    /// Updates the copies of shared state to what the server found and moved, unless a change has replaced them
    /// meanwhile. Called under the session's lock.
    private func takeOver(_ verdict: Verdict, on proposal: Proposal, of candidates: [SharedCandidate]) {
        for (index, seen) in verdict.seen.enumerated() where index < candidates.count {
            guard let lifecycle = candidates[index].stub.lifecycle else { continue }
            let (proposed, isChosen) = (proposal.candidates[index], index == verdict.chosen)
            if let scenario = lifecycle.step?.scenario, let state = seen.state,
                scenario.field == proposed.scenario?.field
            {
                scenario.takeOver(state: isChosen ? proposed.scenario?.next ?? state : state)
            }
            if let used = seen.used { lifecycle.use?.takeOver(used: isChosen ? used + 1 : used) }
        }
    }

    /// Records that the replicas could not decide about a request.
    private func failed(_ open: OpenDecision, _ problem: DecisionProblem) -> (ServeEvent, Decision.FallbackAnswer) {
        let text = "The replicas could not decide together which stub answers: \(problem.message)."
        let event = state.withLock { state in
            state.record(
                open.request, nil, notes: open.notes, file: nil, isUnmatched: false, owner: nil, activity: activity)
        }
        return (event, .undecided(text))
    }
}

extension Session.State {
    /// The current version of a stub of an earlier snapshot: itself, or one that differs only in its position.
    fileprivate func current(_ stub: CompiledStub) -> CompiledStub {
        guard let current = stubs.stub(stub.id), current.response === stub.response,
            current.lifecycle?.use === stub.lifecycle?.use
        else { return stub }
        return current
    }
}
