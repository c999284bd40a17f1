import SDPlatform
import Synchronization

/// The way to what requests of all replicas read and change in a session: its state and its collections. Who has passed runs
/// as in one process, and what has changed is written once all of them have left. Those that wait pass together.
final class DataGate: Sendable {
    private weak let session: Session?
    private let replication: Replication
    private let state = Mutex(State())

    private struct State {
        var waiting: [@Sendable (Result<DataPass, DecisionProblem>) -> Void] = []
        /// Whether the server was asked, somebody is inside, or the server is told that nobody is.
        var isBusy = false
        var inside = 0
        var grant: DataGrant?
        /// The data that this replica knows, and up to where.
        var visit: DataVisit?
        var fields = DataFields()
    }

    init(_ session: Session, _ replication: Replication) {
        self.session = session
        self.replication = replication
    }

    /// Waits for a place inside.
    /// - Parameter then: called once, on a thread that may take its time or on any other one for a failure. Whoever gets a
    ///   pass ends it soon.
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
            // Nobody knows whether the others have what could not be written, nor in which order: they count.
            state.withLock { state in
                state.fields = DataFields()
                state.visit = DataVisit(key: grant.key)
            }
            return replication.leave(grant, []) { [self] _ in ask() }
        }
        do throws(DecisionProblem) {
            let isCurrent = try session.takeOver(grant, &fields)
            guard isCurrent else {
                // It was reset meanwhile.
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
                    // Others came first: what they know counts.
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

/// A place inside a session's data.
package final class DataPass: Sendable {
    private let gate: DataGate
    private let isOver = Atomic(false)

    init(_ gate: DataGate) { self.gate = gate }

    /// Leaves, once.
    package func end() {
        if !isOver.exchange(true, ordering: .acquiringAndReleasing) { gate.leave() }
    }

    deinit { if !isOver.load(ordering: .relaxed) { gate.leave() } }
}
