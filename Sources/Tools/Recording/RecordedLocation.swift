import SDBasics
import SDCapture

extension RecordedExchange {
    /// The exchange with `Location` and `Content-Location` on the recorded server made relative, so that clients stay
    /// with the server of the stub.
    var withOwnPlaces: RecordedExchange {
        guard responseHeaders.contains(where: { Self.isPlace($0.name) }) else { return self }
        var exchange = self
        for (index, field) in responseHeaders.enumerated() where Self.isPlace(field.name) {
            if let path = ownPath(field.value) { exchange.responseHeaders[index].value = path }
        }
        return exchange
    }

    private static func isPlace(_ name: String) -> Bool {
        ["location", "content-location"].contains(name.lowercased())
    }

    /// The path of an absolute URL below the proxied target; nil for any other URL.
    private func ownPath(_ place: String) -> String? {
        guard url.hasSuffix(target), let base = Self.parts(String(url.dropLast(target.count))) else { return nil }
        let absolute = place.hasPrefix("//") ? "\(base.scheme):\(place)" : place
        guard let parts = Self.parts(absolute), parts.scheme == base.scheme, parts.authority == base.authority,
            parts.path.hasPrefix(base.path)
        else { return nil }
        let rest = parts.path.dropFirst(base.path.count)
        // Two slashes would start a host.
        guard rest.first.map({ "/?#".contains($0) }) ?? true, !rest.hasPrefix("//") else { return nil }
        return rest.hasPrefix("/") ? String(rest) : "/" + rest
    }

    /// The scheme and authority in lower case, without the default port; and the rest.
    private static func parts(_ url: String) -> (scheme: String, authority: String, path: Substring)? {
        guard let mark = url.firstRange(ofText: "://") else { return nil }
        let scheme = url[..<mark.lowerBound].lowercased()
        let end = url[mark.upperBound...].firstIndex { "/?#".contains($0) } ?? url.endIndex
        var authority = url[mark.upperBound..<end].lowercased()
        let usual = scheme == "https" ? ":443" : ":80"
        if authority.hasSuffix(usual) { authority.removeLast(usual.count) }
        return (scheme, authority, url[end...])
    }
}
