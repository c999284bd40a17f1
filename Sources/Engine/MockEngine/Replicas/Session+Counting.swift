import SDAnswering
import SDHTTPMessages
import SDHTTPTransport
import SDJournal
import SDMatching
import SDPlatform
import Synchronization

/// Answers whose faults count requests. The replicas count together, and the effects are sampled from their counts.
extension Session {
    /// Has the replicas count, then continues the answer on its loop, or on a background thread if it is slow.
    /// - Parameter pass: the request's access to shared data, if it has any; ended after the answer.
    func count(
        _ open: OpenFaults, _ decision: borrowing Decision, with pass: DataPass? = nil, _ reply: consuming Reply
    ) {
        guard let replication = shared.replication else { return }
        let (request, event, wallTime) = (decision.request, decision.event, decision.views.wallTime)
        let (fallback, isInBackground) = (decision.fallback, decision.isInBackground)
        let loop = reply.loop
        let waiting = ReplyBox(reply)
        var proposal = Proposal(key: DecisionKey(session: options.label, reset: open.reset))
        proposal.counts = open.counts
        activity.beganMatching()
        replication.decide(proposal) { [self] result in
            let conclude: @Sendable () -> Void = { [self] in
                defer {
                    pass?.end()
                    activity.endedMatching()
                }
                guard let reply = waiting.take() else { return }
                guard case .success(let verdict) = result else { return refuse(event, request, result, reply) }
                state.withLock { state in
                    state.sampleEffects(open, verdict.counts, for: event, event.matched, request)
                }
                var views = RequestViews(
                    request,
                    budgetLimit: isInBackground
                        ? options.matchBudget
                        : min(shared.loopAllowance.limit(at: request.clockTime), options.matchBudget))
                views.wallTime = wallTime
                var decision = Decision(
                    request, event, fallback: fallback, views, isInBackground: isInBackground)
                makeResponse(to: &decision, reply)
                journalQuota.keepWithinLimit()
            }
            if isInBackground { return shared.matching.add(conclude) }
            if loop.isCurrent { return conclude() }
            if !loop.perform(conclude) { activity.endedMatching() }
        }
    }

    /// Answers that the counts could not be obtained.
    private func refuse(
        _ event: ServeEvent, _ request: Request, _ result: Result<Verdict, DecisionProblem>, _ reply: consuming Reply
    ) {
        guard case .failure(let problem) = result else { return }
        let text = "The replicas could not count together on which requests a fault acts: \(problem.message)."
        event.redraw(delay: 0, nil)
        recordFailure(ServedResponse(failure: text, status: 503), of: event)
        activity.recorded(event)
        send(plain(PlainResponse(status: 503, text: text + "\n"), request), event, reply)
    }
}
