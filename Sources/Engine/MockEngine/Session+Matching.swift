import SDAnswering
import SDHTTPTransport
import SDJournal
import SDMatching
import SDPlatform
import SDStubModel

/// Requests whose matching or response takes more time than a loop has: they run on background threads.
extension Session {
    /// Decides and answers on another thread.
    /// - Parameter notes: what is already known to be wrong with the request.
    func decideInBackground(_ request: Request, notes: [MatchNote] = [], _ reply: consuming Reply) {
        let waiting = ReplyBox(reply)
        activity.beganMatching()
        shared.matching.add { [self] in
            guard let reply = waiting.take() else { return }
            answerInBackground(request, notes: notes, reply)
            journalQuota.keepWithinLimit()
        }
    }

    /// Decides and answers on this thread, which must not be a loop's; the request counts as being matched.
    /// - Parameter pass: the request's access to shared data, if it has any; ended after the answer.
    func answerInBackground(
        _ request: Request, notes: [MatchNote], with pass: DataPass? = nil, _ reply: consuming Reply
    ) {
        var open: LeftOpen?
        guard var decision = decide(request, worker: nil, notes: notes, isInside: pass != nil, &open) else {
            if let open { go(on: open, request, notes: notes, with: pass, reply) } else { pass?.end() }
            return activity.endedMatching()
        }
        activity.endedMatching()
        if pass != nil, let open = decision.event.effects?.open { return count(open, decision, with: pass, reply) }
        respond(to: &decision, reply)
        pass?.end()
    }

    /// Answers a decided request on another thread.
    func respondInBackground(_ decision: borrowing Decision, _ reply: consuming Reply) {
        let (request, event, wallTime) = (decision.request, decision.event, decision.views.wallTime)
        let waiting = ReplyBox(reply)
        shared.matching.add { [self] in
            guard let reply = waiting.take() else { return }
            var views = RequestViews(request, budget: newBudget)
            views.wallTime = wallTime
            var decision = Decision(request, event, views, isInBackground: true)
            respond(to: &decision, reply)
            journalQuota.keepWithinLimit()
        }
    }

    /// Makes the report to an unmatched request on another thread.
    func reportInBackground(
        _ decision: borrowing Decision, since begin: MonotonicInstant, _ reply: consuming Reply
    ) {
        let (request, event, wallTime) = (decision.request, decision.event, decision.views.wallTime)
        let waiting = ReplyBox(reply)
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
