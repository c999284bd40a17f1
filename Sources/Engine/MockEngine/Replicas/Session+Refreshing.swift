import SDAnswering
import SDIndexing
import SDStubs
import Synchronization

/// Refreshes the copies of shared state before they are read.
extension Session {
    /// Reads what all replicas have decided in the session until now, so that scenarios, remaining `times` and places
    /// in sequences can be read. Call it again before each reading.
    /// - Parameter then: called once, on any thread, with nil or the reason for a failure.
    package func refresh(then: @escaping @Sendable (DecisionProblem?) -> Void) {
        guard let replication = shared.replication else { return then(nil) }
        bringUpToDate()
        guard state.withLock({ $0.snapshot.isConditional }) else { return then(nil) }
        let key = decisionKey
        replication.read(key) { [self] result in
            switch result {
            case .success(let fields):
                takeOver(fields, of: key)
                then(nil)
            case .failure(let problem): then(problem)
            }
        }
    }

    private func takeOver(_ fields: [DecisionField], of key: DecisionKey) {
        let known = Dictionary(fields.map { ($0.name, $0.value) }) { $1 }
        state.withLock { state in
            guard state.lastReset == key.reset else { return }
            state.stubs.conditional.visitAll { _, stub in
                guard let lifecycle = stub.lifecycle else { return }
                if let scenario = lifecycle.step?.scenario, let found = known[scenario.field] {
                    scenario.takeOver(state: found)
                }
                guard let use = lifecycle.use else { return }
                if use.times != nil, let used = known[stub.timesField].flatMap({ Int($0) }) { use.takeOver(used: used) }
                guard let end = lifecycle.responses?.end else { return }
                if lifecycle.responses?.key != nil {
                    if let sent = known[stub.maxSentField].flatMap({ Int($0) }) { use.takeOver(maxSent: sent) }
                } else if let place = known[stub.sequenceField].flatMap({ Int($0) }), 0...end.last ~= place {
                    use.setPosition(place)
                }
            }
        }
    }
}
