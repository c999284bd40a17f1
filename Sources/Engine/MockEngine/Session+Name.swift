import SDJournal

extension Session {
    /// The id by which requests name it; nil for the first session.
    public var id: String? { options.label }

    /// The name that its caller gave it; nil for none.
    public var name: String? { id == nil ? nil : options.name }
}
