/// Keeps what requests put away, a session's state and collections, for all replicas, on the server that they share. One
/// replica at a time reads and changes it.
package protocol SharedData: AnyObject, Sendable {
    /// Waits until no other replica is inside, and tells what has changed.
    /// - Parameter then: called exactly once, on any thread, also when it is not granted in time.
    func enter(_ visit: DataVisit, then: @escaping @Sendable (Result<DataGrant, DecisionProblem>) -> Void)
    /// Writes what has changed, and lets others in.
    /// - Parameter then: called exactly once, on any thread, with the version after it; nil if the grant had ended before,
    ///   so that nothing was written.
    func leave(
        _ grant: DataGrant, _ changes: [DataField],
        then: @escaping @Sendable (Result<UInt64?, DecisionProblem>) -> Void)
}

/// What a replica knows of a session's data before it enters.
package struct DataVisit: Sendable {
    /// The session whose data they are, and the change that reset it last.
    package var key: DecisionKey
    /// The number of changes of fields that it knows of.
    package var version: UInt64 = 0
    /// Tells which data these are the changes of: a server that has lost them begins others. Empty for none.
    package var epoch = ""

    package init(key: DecisionKey) { self.key = key }
}

/// The permission to read and change a session's data until `leave`.
package struct DataGrant: Sendable {
    /// What the fields are to be understood as.
    package enum Kind: Sendable {
        /// What has changed since the replica's version.
        case news
        /// Everything: what the replica knows does not count.
        case whole
        /// The server has nothing: what the replica knows counts.
        case nothing
    }

    package var key: DecisionKey
    package var token: String
    package var version: UInt64
    package var epoch: String
    package var kind: Kind
    package var fields: [DataField]

    package init(
        key: DecisionKey, token: String, version: UInt64, epoch: String, kind: Kind, fields: [DataField]
    ) {
        (self.key, self.token, self.version) = (key, token, version)
        (self.epoch, self.kind, self.fields) = (epoch, kind, fields)
    }
}

/// A field of a session's data, with a value of JSON; nil for one that is gone.
package struct DataField: Sendable {
    package let name: [UInt8]
    package let value: [UInt8]?

    package init(_ name: [UInt8], _ value: [UInt8]?) {
        self.name = name
        self.value = value
    }
}
