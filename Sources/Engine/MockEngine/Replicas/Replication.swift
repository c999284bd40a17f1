package import Synchronization

/// What the sessions of a process need to act with other replicas as one mock server.
package final class Replication: Sendable {
    /// The number of the change that is being applied, in the one order of all changes; 0 while none is.
    ///
    /// The caller that applies changes sets it before each, and back to 0 once the change is complete. The numbers only
    /// grow, and are the same on all replicas.
    package let change = Atomic<UInt64>(0)
    private let decider = Mutex<(any SharedDecider)?>(nil)
    private let keeper = Mutex<(any SharedData)?>(nil)

    package init() {}

    /// Sets the decider of shared decisions; without one, each replica decides alone.
    package func use(_ decider: any SharedDecider) { self.decider.withLock { $0 = decider } }

    /// Sets the store of shared state and collections; without one, none are shared.
    package func use(_ keeper: any SharedData) { self.keeper.withLock { $0 = keeper } }

    func enter(_ visit: DataVisit, then: @escaping @Sendable (Result<DataGrant, DecisionProblem>) -> Void) {
        guard let keeper = keeper.withLock({ $0 }) else { return then(.failure(.notJoined)) }
        keeper.enter(visit, then: then)
    }

    func leave(
        _ grant: DataGrant, _ changes: [DataField],
        then: @escaping @Sendable (Result<UInt64?, DecisionProblem>) -> Void
    ) {
        guard let keeper = keeper.withLock({ $0 }) else { return then(.failure(.notJoined)) }
        keeper.leave(grant, changes, then: then)
    }

    func decide(_ proposal: Proposal, then: @escaping @Sendable (Result<Verdict, DecisionProblem>) -> Void) {
        guard let decider = decider.withLock({ $0 }) else { return then(.failure(.notJoined)) }
        decider.decide(proposal, then: then)
    }

    func read(_ key: DecisionKey, then: @escaping @Sendable (Result<[DecisionField], DecisionProblem>) -> Void) {
        guard let decider = decider.withLock({ $0 }) else { return then(.failure(.notJoined)) }
        decider.read(key, then: then)
    }
}

/// Decides for all replicas, in one round trip to the server that they share.
package protocol SharedDecider: AnyObject, Sendable {
    /// Decides about a request. Several calls may be in progress.
    /// - Parameter then: called exactly once, on any thread, also after a timeout.
    func decide(_ proposal: Proposal, then: @escaping @Sendable (Result<Verdict, DecisionProblem>) -> Void)
    /// Reads all fields of a session's decisions: HGETALL of its hash.
    /// - Parameter then: called exactly once, on any thread.
    func read(_ key: DecisionKey, then: @escaping @Sendable (Result<[DecisionField], DecisionProblem>) -> Void)
}

/// A field of a session's hash of decisions.
package struct DecisionField: Sendable {
    package let name, value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// The reason why the replicas could not decide something together.
package struct DecisionProblem: Error, Sendable, Hashable {
    /// A sentence without its full stop, such as `redis://host:6379 has not answered within 2 s`.
    package let message: String

    package init(_ message: String) {
        self.message = message
    }

    fileprivate static let notJoined = DecisionProblem("this replica has not joined the others yet")
}

extension SessionRegistry {
    /// What the sessions share with other replicas; nil for a single server.
    package var replication: Replication? { base.shared.replication }
}
