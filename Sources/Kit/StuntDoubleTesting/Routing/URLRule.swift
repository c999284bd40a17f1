internal import Foundation

/// A rule for URLs that fail before they reach a server: a host pattern, optionally with a scheme before it and a path
/// after it. A path that ends in `*` matches as a prefix; a query is compared only if the rule has one.
struct URLRule: Sendable, Hashable {
    private let scheme: String?
    private let host: HostPattern
    /// The path and query to compare; nil for any.
    private let target: String?

    init(_ text: String) throws(MockServerError) {
        var rest = Substring(text)
        if let end = rest.firstRange(of: "://") {
            scheme = rest[..<end.lowerBound].lowercased()
            guard scheme == "http" || scheme == "https" else {
                throw MockServerError("\"\(text)\": expected a URL with http or https, or one without a scheme")
            }
            rest = rest[end.upperBound...]
        } else {
            scheme = nil
        }
        let name = rest.prefix { $0 != "/" && $0 != "?" }
        host = try HostPattern(String(name))
        let target = rest.dropFirst(name.count)
        self.target = target.isEmpty ? nil : target.hasPrefix("/") ? String(target) : "/" + target
    }

    func matches(_ url: RoutedURL) -> Bool {
        guard scheme == nil || scheme == url.scheme, host.matches(host: url.host, port: url.port) else { return false }
        guard let target else { return true }
        if target.hasSuffix("*") { return url.target.hasPrefix(target.dropLast()) }
        return url.target == target || !target.contains("?") && url.path == target
    }
}

/// The parts of a request's URL.
struct RoutedURL: Sendable {
    let url: URL
    let scheme: String
    /// The host, without the brackets of an IPv6 address.
    let host: String
    let port: Int
    /// The path, escaped; `/` if the URL has none.
    let path: String
    /// The path with the query, escaped.
    let target: String
    /// Host and port as in a `Host` header.
    let authority: String

    /// Splits a URL; nil if it is not HTTP.
    init?(_ url: URL?) {
        guard let url, let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = url.host(percentEncoded: false), !host.isEmpty
        else { return nil }
        self.url = url
        self.scheme = scheme
        self.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        port = url.port ?? (scheme == "https" ? 443 : 80)
        let path = url.path(percentEncoded: true)
        self.path = path.isEmpty ? "/" : path
        target = self.path + (url.query(percentEncoded: true).map { "?" + $0 } ?? "")
        let named = self.host.contains(":") ? "[\(self.host)]" : host
        authority = named + (url.port.map { ":\($0)" } ?? "")
    }
}
