/// A pattern of page origins: one as browsers send it, such as `https://app.example`, or several, with `*` for the port
/// or for the start of the host.
///
/// | text | pages |
/// |---|---|
/// | `http://localhost:*` | localhost with any port, including the default one |
/// | `https://*.example.com` | all subdomains of example.com, but not example.com itself |
/// | `http://*:3000` | any host with port 3000 |
/// | `null` | pages without an origin: files, sandboxed frames |
package struct OriginPattern: Sendable, Hashable {
    private enum Host: Sendable, Hashable {
        case exactly(String)
        /// A suffix of the host, with its leading dot; empty for any host.
        case ending(String)
    }

    private let scheme: String
    private let host: Host
    /// Nil for any port.
    private let port: String?

    /// Parses a pattern; nil if it is not valid.
    package init?(_ text: String) {
        if text == "null" {
            scheme = text
            host = .exactly("")
            port = ""
            return
        }
        guard let origin = Parts(text), origin.isPossible else { return nil }
        scheme = origin.scheme
        switch origin.host {
        case "*": host = .ending("")
        case let name where name.hasPrefix("*."):
            guard name.utf8.count > 2, !name.dropFirst().contains("*") else { return nil }
            host = .ending(String(name.dropFirst()))
        case let name:
            guard !name.contains("*") else { return nil }
            host = .exactly(name)
        }
        port = origin.port == "*" ? nil : origin.port
    }

    /// Whether an origin matches.
    /// - Parameter origin: the value of the `Origin` header.
    package func matches(_ origin: String) -> Bool {
        if scheme == "null" { return origin == "null" }
        guard let origin = Parts(origin), origin.port.utf8.allSatisfy(isDigit), origin.scheme == scheme,
            port == nil || port == origin.port
        else { return false }
        return switch host {
        case .exactly(let name): origin.host == name
        case .ending(let end): origin.host.utf8.count > end.utf8.count && origin.host.hasSuffix(end)
        }
    }

    /// The pattern that an invalid text probably means; nil if unknown.
    package static func meant(by text: String) -> String? {
        let start = text.firstRange(ofText: "://")?.upperBound
        let rest = text[(start ?? text.startIndex)...].prefix { !"/?#".contains($0) }
        // A port that contains a star, or a star after the name, means any port.
        let bracket = rest.hasPrefix("[") ? rest.firstIndex(of: "]").map { rest.index(after: $0) } : nil
        let name = rest[..<(bracket ?? rest.firstIndex(of: ":") ?? rest.endIndex)]
        let host = name.last == "*" && name != "*" ? name.dropLast() : name
        let port = rest[name.endIndex...]
        let isAnyPort = port.contains("*") || host.endIndex < name.endIndex
        let isLocal = host == "localhost" || host.hasPrefix("[") || isIPv4(host)
        let scheme = start.map { String(text[..<$0]) } ?? (isLocal ? "http://" : "https://")
        let ascii = host.utf8.allSatisfy { $0 < 0x80 } ? String(host) : inASCII(host) ?? String(host)
        let meant = scheme + ascii + (isAnyPort ? ":*" : String(port))
        return host.isEmpty || OriginPattern(meant) == nil || meant == text ? nil : meant
    }
}

/// The parts of an origin, in lower case.
private struct Parts {
    let scheme: String
    /// An IPv6 address is in brackets.
    let host: String
    /// The scheme's default if the origin has no port.
    let port: String

    /// Parses `scheme://host` or `scheme://host:port`; nil for anything else.
    init?(_ text: String) {
        guard let mark = text.firstRange(ofText: "://") else { return nil }
        scheme = text[..<mark.lowerBound].lowercased()
        let rest = text[mark.upperBound...]
        guard !scheme.isEmpty, scheme.utf8.allSatisfy(isOfScheme),
            !rest.utf8.contains(where: { $0 <= 0x20 || "/?#@,\\".utf8.contains($0) })
        else { return nil }
        let bracket = rest.hasPrefix("[") ? rest.firstIndex(of: "]").map { rest.index(after: $0) } : nil
        let name = rest[..<(bracket ?? rest.firstIndex(of: ":") ?? rest.endIndex)]
        let end = rest[name.endIndex...]
        guard !name.isEmpty, end.isEmpty || end.first == ":" && end.utf8.count > 1 else { return nil }
        host = name.lowercased()
        port = end.isEmpty ? ["http": "80", "https": "443"][scheme] ?? "" : String(end.dropFirst())
    }
}

extension Parts {
    /// Whether a browser can send such an origin: ASCII names without empty labels, and ports up to 65535.
    fileprivate var isPossible: Bool {
        let isNumber = !port.isEmpty && port.utf8.allSatisfy(isDigit) && (port == "0" || !port.hasPrefix("0"))
        guard port.isEmpty || port == "*" || isNumber && Int(port).map({ $0 <= 65_535 }) ?? false else { return false }
        guard host.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
        if host.hasPrefix("[") { return host.hasSuffix("]") && isIPv6(host.dropFirst().dropLast()) }
        // A trailing dot stands for the root.
        let labels = (host.hasSuffix(".") ? host.dropLast() : host[...]).split(
            separator: ".", omittingEmptySubsequences: false)
        guard labels.allSatisfy({ (1...63).contains($0.utf8.count) }) else { return false }
        // Browsers treat a name that ends with a number as an address.
        let isAddress = labels.last?.utf8.allSatisfy(isDigit) ?? false
        return !isAddress || isIPv4(host)
    }
}

/// A host name in browsers' ASCII form, such as `xn--mnchen-3ya.example` for `münchen.example`; nil if that is not
/// certain, as for letters with combining marks.
private func inASCII(_ host: Substring) -> String? {
    var labels: [String] = []
    for label in host.lowercased().split(separator: ".", omittingEmptySubsequences: false) {
        let scalars = Array(label.unicodeScalars)
        guard scalars.allSatisfy({ $0.properties.canonicalCombiningClass == .notReordered }) else { return nil }
        let isASCII = scalars.allSatisfy(\.isASCII)
        labels.append(isASCII ? String(label) : "xn--" + String(decoding: Punycode.encoded(scalars), as: UTF8.self))
    }
    return labels.joined(separator: ".")
}

private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

private func isOfScheme(_ byte: UInt8) -> Bool {
    (0x61...0x7a).contains(byte) || isDigit(byte) || "+-.".utf8.contains(byte)
}
