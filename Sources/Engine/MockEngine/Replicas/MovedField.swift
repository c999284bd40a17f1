/// A field that was written in a session's decisions, or in one of their hashes of places by value.
package struct MovedField: Sendable {
    /// The field's name within the session.
    package struct Name: Sendable, Hashable {
        /// The suffix of the hash's name after the session's key; empty for the session's own hash.
        package let hash: [UInt8]
        package let name: [UInt8]

        package init(hash: [UInt8], name: [UInt8]) {
            (self.hash, self.name) = (hash, name)
        }
    }

    package let name: Name
    package let value: [UInt8]

    package init(_ name: Name, _ value: [UInt8]) {
        (self.name, self.value) = (name, value)
    }
}
