import SDPlatform

/// Resolves references between schemas by RFC 3986, section 5.2, on texts.
enum SchemaURI {
    /// Resolves `reference` against `base`. Without a base it is unchanged.
    static func resolve(_ reference: String, against base: String) -> String {
        let target = Parts(reference)
        if target.scheme != nil || base.isEmpty { return target.text }
        var result = Parts(base)
        result.fragment = target.fragment
        if target.authority != nil {
            result.authority = target.authority
            result.path = withoutDots(target.path)
            result.query = target.query
        } else if target.path.isEmpty {
            if target.query != nil { result.query = target.query }
        } else {
            if target.path.hasPrefix("/") {
                result.path = withoutDots(target.path)
            } else {
                let folder = result.path.lastIndex(of: "/").map { result.path[...$0] } ?? ""
                let start = folder.isEmpty && result.authority != nil ? "/" : folder
                result.path = withoutDots(String(start) + target.path)
            }
            result.query = target.query
        }
        return result.text
    }

    /// Splits a URI at its `#`. The fragment is nil if there is none.
    static func split(_ uri: String) -> (document: String, fragment: String?) {
        guard let mark = uri.firstIndex(of: "#") else { return (uri, nil) }
        return (String(uri[..<mark]), String(uri[uri.index(after: mark)...]))
    }

    /// The text with escapes such as `%25` decoded. Invalid escapes are unchanged.
    static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        return String(decoding: PercentEncoding.decodeLeniently(Array(text.utf8)[...]), as: UTF8.self)
    }

    /// The path without dot segments (RFC 3986, section 5.2.4).
    private static func withoutDots(_ path: String) -> String {
        guard path.utf8.contains(UInt8(ascii: ".")) else { return path }
        var kept: [Substring] = []
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        for (place, part) in parts.enumerated() {
            let isLast = place == parts.count - 1
            switch part {
            case ".":
                if isLast { kept.append("") }
            case "..":
                if kept.count > 1 || kept.first.map({ !$0.isEmpty }) == true { kept.removeLast() }
                if isLast { kept.append("") }
            default: kept.append(part)
            }
        }
        return kept.joined(separator: "/")
    }

    private struct Parts {
        var scheme: Substring?
        var authority: Substring?
        var path: String
        var query: Substring?
        var fragment: Substring?

        init(_ uri: String) {
            var rest = uri[...]
            if let mark = rest.firstIndex(of: "#") {
                fragment = rest[rest.index(after: mark)...]
                rest = rest[..<mark]
            }
            if let mark = rest.firstIndex(of: "?") {
                query = rest[rest.index(after: mark)...]
                rest = rest[..<mark]
            }
            if let colon = rest.firstIndex(of: ":"), !rest[..<colon].contains("/"), colon != rest.startIndex {
                scheme = rest[..<colon]
                rest = rest[rest.index(after: colon)...]
            }
            if rest.hasPrefix("//") {
                rest = rest.dropFirst(2)
                let end = rest.firstIndex(of: "/") ?? rest.endIndex
                authority = rest[..<end]
                rest = rest[end...]
            }
            path = String(rest)
        }

        var text: String {
            (scheme.map { $0 + ":" } ?? "") + (authority.map { "//" + $0 } ?? "") + path
                + (query.map { "?" + $0 } ?? "") + (fragment.map { "#" + $0 } ?? "")
        }
    }
}
