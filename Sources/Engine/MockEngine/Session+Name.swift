import SDJournal

extension Session {
    /// The session's id in requests; nil for the default session.
    public var id: String? { options.label }

    /// The session's name; nil for none.
    public var name: String? { id == nil ? nil : options.name }
}
