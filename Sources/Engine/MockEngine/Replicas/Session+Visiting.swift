import SDAnswering
import SDHTTPTransport
import SDJournal
import SDMatching
import SDPlatform
import SDStubModel
import SDStubs
import Synchronization

/// What is left of a request that a replica does not answer alone.
enum LeftOpen {
    case decision(OpenDecision)
    /// It reads or changes what requests of all replicas put away, and has no pass.
    case outside
}

/// Requests that read or change what requests of all replicas put away: they wait for a pass, and then run as in one
/// process, beside the loops.
extension Session {
    func go(
        on open: LeftOpen, _ request: Request, notes: [MatchNote], with pass: DataPass? = nil, _ reply: consuming Reply
    ) {
        switch open {
        case .decision(let decision): propose(decision, with: pass, reply)
        case .outside: visit(request, notes: notes, reply)
        }
    }

    private func visit(_ request: Request, notes: [MatchNote], _ reply: consuming Reply) {
        let waiting = WaitingReply(reply)
        activity.beganMatching()
        enter { [self] result in
            shared.matching.add { [self] in
                guard let reply = waiting.take() else { return }
                switch result {
                case .success(let pass): answerInBackground(request, notes: notes, with: pass, reply)
                case .failure(let problem):
                    activity.endedMatching()
                    refuse(request, notes: notes, problem, reply)
                }
                journalQuota.keepWithinLimit()
            }
        }
    }

    /// Waits until state and collections are those that all replicas know, and are this one's alone to change.
    /// - Parameter then: called once. Whoever gets a pass ends it soon; nil is for a server without others.
    package func enter(then: @escaping @Sendable (Result<DataPass?, DecisionProblem>) -> Void) {
        guard let gate = dataGate.withLock({ $0 }) else { return then(.success(nil)) }
        gate.enter { result in then(result.map { $0 }) }
    }

    private func refuse(
        _ request: Request, notes: [MatchNote], _ problem: DecisionProblem, _ reply: consuming Reply
    ) {
        let text = "The replicas could not share what the request reads or changes: \(problem.message)."
        let event = state.withLock { state in
            state.record(
                request, nil, notes: notes, file: nil, isUnmatched: false, owner: nil, activity: activity)
        }
        var decision = Decision(
            request, event, otherwise: .undecided(text), RequestViews(request, budgetLimit: options.matchBudget),
            isInBackground: true)
        respond(to: &decision, reply)
    }

    /// Whether the answer depends on state or collections, or changes them.
    func needsData(_ match: StubMatch, _ candidates: [SharedCandidate]) -> Bool {
        let mode = options.response.templating
        return match.hasAskedState || match.stub?.usesData(mode) == true
            || candidates.contains { $0.stub.usesData(mode) }
    }
}
