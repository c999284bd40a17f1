import SDAnswering
import SDHTTPTransport
import SDJournal
import SDMatching
import SDPlatform
import SDStubModel
import SDStubs
import Synchronization

/// The part of a request that needs the other replicas.
enum LeftOpen {
    case decision(OpenDecision)
    /// The request reads or changes shared data, and has no pass.
    case outside
}

/// Requests that read or change shared data: they wait for a pass, and then run as in one process, on a background
/// thread.
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
        let waiting = ReplyBox(reply)
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

    /// Waits for exclusive access to the state and the collections that all replicas share, and brings them up to date.
    /// - Parameter then: called once. A pass must be ended soon; nil means that nothing is shared.
    package func enter(then: @escaping @Sendable (Result<DataPass?, DecisionProblem>) -> Void) {
        guard let gate = dataGate.withLock({ $0 }) else { return then(.success(nil)) }
        gate.enter { result in then(result.map { $0 }) }
    }

    /// The version of the shared data that this replica knows; nil if there are none.
    package var knownData: (key: DecisionKey, version: UInt64)? {
        guard let known = dataGate.withLock({ $0 })?.known, known.key == decisionKey else { return nil }
        return known
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
            request, event, fallback: .undecided(text), RequestViews(request, budgetLimit: options.matchBudget),
            isInBackground: true)
        respond(to: &decision, reply)
    }

    /// Whether the answer reads or changes state or collections.
    func needsData(_ match: StubMatch, _ candidates: [SharedCandidate]) -> Bool {
        let mode = options.response.templating
        return match.hasAskedState || match.stub?.usesData(mode) == true
            || candidates.contains { $0.stub.usesData(mode) }
    }
}
