/// Scheme and host of an HTTP URL.
struct URLParts {
    let scheme: String
    /// Host and port, as written in the URL.
    let authority: String

    /// Nil for a text that does not begin with `http://` or `https://` and a host.
    init?(_ url: String) {
        guard let scheme = ["http", "https"].first(where: { url.lowercased().hasPrefix($0 + "://") }) else {
            return nil
        }
        let authority = url.dropFirst(scheme.count + 3).prefix { !"/?#".contains($0) }
        guard !authority.isEmpty, !authority.contains(where: { $0.isWhitespace || "\"<>{}".contains($0) }) else {
            return nil
        }
        self.scheme = scheme
        self.authority = String(authority)
    }
}
