extension String {
    /// The beginning of a text such as a URL, short enough for a log line.
    public var shortened: String {
        utf8.count > 500 ? prefix(500) + "…" : self
    }
}
