import SDPlatform
import Synchronization

/// Grants this replica's requests access to the session's state and collections, which all replicas share. Requests
/// inside run as in one process; the changes are written once all of them have left. Waiting requests enter together.
final class DataGate: Sendable {
    private weak let session: Session?
    private let replication: Replication
    private let state = Mutex(State())

    private struct State {
        var waiting: [@Sendable (Result<DataPass, DecisionProblem>) -> Void] = []
        /// Whether a grant is requested, in use or being returned.
        var isBusy = false
        var inside = 0
        var grant: DataGrant?
        /// The key, version and epoch of the data that this replica knows.
        var visit: DataVisit?
        var fields = DataFields()
    }

    init(_ session: Session, _ replication: Replication) {
        self.session = session
        self.replication = replication
    }

    /// Waits for a pass.
    /// - Parameter then: called once: on a worker thread with a pass, which must be ended soon, or on any thread with a
    ///   failure.
    func enter(then: @escaping @Sendable (Result<DataPass, DecisionProblem>) -> Void) {
        let isFirst = state.withLock { state in
            state.waiting.append(then)
            defer { state.isBusy = true }
            return !state.isBusy
        }
        if isFirst { ask() }
    }

    private func ask() {
        guard let session else { return }
        let key = session.decisionKey
        let visit = state.withLock { state in
            if state.visit?.key != key {
                state.visit = DataVisit(key: key)
                state.fields = DataFields()
            }
            return state.visit ?? DataVisit(key: key)
        }
        replication.enter(visit) { [self, session] result in
            switch result {
            case .failure(let problem): refuse(problem)
            // Files may have to be read.
            case .success(let grant): session.shared.matching.add { [self] in open(grant, session) }
            }
        }
    }

    private func open(_ grant: DataGrant, _ session: Session) {
        var fields = state.withLock { $0.fields }
        if !fields.unsent.isEmpty, grant.kind == .news, grant.version != state.withLock({ $0.visit?.version }) {
            // It is unknown whether the unsent changes were written, and in which order. The server's data count.
            state.withLock { state in
                state.fields = DataFields()
                state.visit = DataVisit(key: grant.key)
            }
            return replication.leave(grant, []) { [self] _ in ask() }
        }
        do throws(DecisionProblem) {
            let isCurrent = try session.takeOver(grant, &fields)
            guard isCurrent else {
                // The session was reset meanwhile.
                return replication.leave(grant, []) { [self] _ in ask() }
            }
        } catch {
            return replication.leave(grant, []) { [self] _ in refuse(error) }
        }
        let entering = state.withLock { state in
            state.fields = fields
            state.grant = grant
            state.visit?.version = grant.version
            state.visit?.epoch = grant.epoch
            defer { state.waiting = [] }
            state.inside = state.waiting.count
            return state.waiting
        }
        for enter in entering { enter(.success(DataPass(self))) }
    }

    /// The data that this replica knows, and their version. Each unsent change counts as one version more.
    var known: (key: DecisionKey, version: UInt64)? {
        state.withLock { state in
            guard let visit = state.visit else { return nil }
            let version = visit.version + UInt64(state.fields.unsent.count)
            return version > 0 ? (visit.key, version) : nil
        }
    }

    private func refuse(_ problem: DecisionProblem) {
        let refused = state.withLock { state in
            defer { state.waiting = [] }
            state.isBusy = false
            return state.waiting
        }
        for enter in refused { enter(.failure(problem)) }
    }

    fileprivate func leave() {
        let last = state.withLock { state -> (DataGrant, DataFields)? in
            state.inside -= 1
            guard state.inside == 0, let grant = state.grant else { return nil }
            state.grant = nil
            return (grant, state.fields)
        }
        guard let (grant, known) = last, let session else { return }
        var fields = known
        let changes = session.takeDataChanges(since: grant, &fields)
        state.withLock { $0.fields = fields }
        replication.leave(grant, changes) { [self] result in
            let isAsked = state.withLock { state in
                switch result {
                case .success(let version?): state.visit?.version = version
                case .success(nil):
                    // The grant had expired and another replica entered; the server's data count.
                    state.visit?.epoch = ""
                    state.visit?.version = 0
                case .failure: state.fields.unsent = changes
                }
                state.isBusy = !state.waiting.isEmpty
                return state.isBusy
            }
            if isAsked { ask() }
        }
    }
}

/// Access to a session's data, until `end()`.
package final class DataPass: Sendable {
    private let gate: DataGate
    private let isOver = Atomic(false)

    init(_ gate: DataGate) { self.gate = gate }

    /// Ends the access. Later calls do nothing.
    package func end() {
        if !isOver.exchange(true, ordering: .acquiringAndReleasing) { gate.leave() }
    }

    deinit { if !isOver.load(ordering: .relaxed) { gate.leave() } }
}
