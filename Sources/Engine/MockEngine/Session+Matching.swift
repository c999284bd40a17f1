import SDAnswering
import SDHTTPTransport
import SDJournal
import SDMatching
import SDPlatform
import SDStubModel

/// Requests whose matching, or whose response, takes longer than a loop has time for: that is done on threads of their
/// own, while the loops serve others.
extension Session {
    /// Decides and answers on another thread.
    /// - Parameter notes: what is known to be wrong with the request.
    func decideInBackground(_ request: Request, notes: [MatchNote] = [], _ reply: consuming Reply) {
        let waiting = WaitingReply(reply)
        activity.beganMatching()
        shared.matching.add { [self] in
            guard let reply = waiting.take() else { return }
            answerInBackground(request, notes: notes, reply)
            journalQuota.keepWithinLimit()
        }
    }

    /// Decides and answers on this thread, which is no loop's; activity counts the request as being matched.
    /// - Parameter pass: what it has, if it may read and change what replicas share; ended once it is answered.
    func answerInBackground(
        _ request: Request, notes: [MatchNote], with pass: DataPass? = nil, _ reply: consuming Reply
    ) {
        var open: LeftOpen?
        guard var decision = decide(request, worker: nil, notes: notes, isInside: pass != nil, &open) else {
            if let open { go(on: open, request, notes: notes, with: pass, reply) } else { pass?.end() }
            return activity.endedMatching()
        }
        activity.endedMatching()
        respond(to: &decision, reply)
        pass?.end()
    }

    /// Answers a request for which a stub was found already, on another thread.
    func respondInBackground(_ decision: borrowing Decision, _ reply: consuming Reply) {
        let (request, event, wallTime) = (decision.request, decision.event, decision.views.wallTime)
        let waiting = WaitingReply(reply)
        shared.matching.add { [self] in
            guard let reply = waiting.take() else { return }
            var views = RequestViews(request, budget: newBudget)
            views.wallTime = wallTime
            var decision = Decision(request, event, views, isInBackground: true)
            respond(to: &decision, reply)
            journalQuota.keepWithinLimit()
        }
    }

    /// Makes the report to an unmatched request, which was decided already, on another thread.
    func reportInBackground(
        _ decision: borrowing Decision, since begin: MonotonicInstant, _ reply: consuming Reply
    ) {
        let (request, event, wallTime) = (decision.request, decision.event, decision.views.wallTime)
        let waiting = WaitingReply(reply)
        shared.matching.add { [self] in
            guard let reply = waiting.take() else { return }
            var views = RequestViews(request, budget: newBudget)
            views.wallTime = wallTime
            let report = options.unmatchedReporter(request, self, &views)
            let script = shaped(
                plain(unmatchedAnswer(record(report, of: event, since: begin), request), request), event)
            activity.recorded(event)
            send(script, event, reply)
        }
    }
}
