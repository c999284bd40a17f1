extension String {
    /// The beginning of a URL or another text, short enough for a line of the log.
    public var shortened: String {
        utf8.count > 500 ? prefix(500) + "…" : self
    }
}
