/// Stores a session's state and collections for all replicas, on the server that they share. One replica at a time
/// reads and changes them.
package protocol SharedData: AnyObject, Sendable {
    /// Waits until no other replica has access, then returns the changes.
    /// - Parameter then: called exactly once, on any thread, also after a timeout.
    func enter(_ visit: DataVisit, then: @escaping @Sendable (Result<DataGrant, DecisionProblem>) -> Void)
    /// Writes the changes, and ends the access.
    /// - Parameter then: called exactly once, on any thread, with the new version; nil if the grant had expired, so
    ///   that nothing was written.
    func leave(
        _ grant: DataGrant, _ changes: [DataField],
        then: @escaping @Sendable (Result<UInt64?, DecisionProblem>) -> Void)
}

/// The version of a session's data that a replica knows before it enters.
package struct DataVisit: Sendable {
    /// The session, and the change that last reset it.
    package var key: DecisionKey
    /// The number of changed fields that the replica knows.
    package var version: UInt64 = 0
    /// Identifies the data that `version` counts: a server that has lost its data starts another epoch. Empty for none.
    package var epoch = ""

    package init(key: DecisionKey) { self.key = key }
}

/// The permission to read and change a session's data until `leave`.
package struct DataGrant: Sendable {
    /// How the fields of a grant are to be applied.
    package enum Kind: Sendable {
        /// Only the changes since the replica's version.
        case news
        /// All data; they replace what the replica knows.
        case whole
        /// The server has no data; the replica's data count.
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

/// A field of a session's data with its JSON value; nil if it was removed.
package struct DataField: Sendable {
    package let name: [UInt8]
    package let value: [UInt8]?

    package init(_ name: [UInt8], _ value: [UInt8]?) {
        self.name = name
        self.value = value
    }
}
