package import Synchronization

/// What the sessions of a process need to be a part of several replicas that act as one mock server.
package final class Replication: Sendable {
    /// Decides what must be decided once for all replicas.
    package let decider: any SharedDecider
    /// The number of the change that is being applied, in the one order of all changes; 0 while none is.
    ///
    /// Whoever applies changes sets it before each, and back to 0 once the change is complete. The numbers only grow.
    package let change = Atomic<UInt64>(0)

    package init(decider: any SharedDecider) {
        self.decider = decider
    }
}

/// Decides what must be decided once for all replicas, in one round trip to the server that they share.
package protocol SharedDecider: AnyObject, Sendable {
    /// Decides about a request. Many may be on their way at a time.
    /// - Parameter then: called exactly once, on any thread, also when there is no answer in time.
    func decide(_ proposal: Proposal, then: @escaping @Sendable (Result<Verdict, DecisionProblem>) -> Void)
    /// Reads all that is known of a session's decisions: HGETALL of its hash.
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
}
