/// The origins of pages that a text names: one, as browsers send it, such as `https://app.example`, or several, by `*` for any
/// port or for what a host begins with.
///
/// | text | pages |
/// |---|---|
/// | `http://localhost:*` | of any port of localhost, that of the scheme among them |
/// | `https://*.example.com` | of all hosts below example.com, not of example.com itself |
/// | `http://*:3000` | of any host at port 3000 |
/// | `null` | without an origin: of files, of sandboxed frames |
package struct OriginPattern: Sendable, Hashable {
    private enum Host: Sendable, Hashable {
        case exactly(String)
        /// What it ends with, the dot before it included; empty for any host.
        case ending(String)
    }

    private let scheme: String
    private let host: Host
    /// Nil for any.
    private let port: String?

    /// Reads a text; nil if it names no origin.
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

    /// Whether a page is of one of the origins.
    /// - Parameter origin: the value of the header `Origin`.
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

    /// What was meant by a text that names no origin; nil if that is not known.
    package static func meant(by text: String) -> String? {
        let start = text.firstRange(ofText: "://")?.upperBound
        let rest = text[(start ?? text.startIndex)...].prefix { !"/?#".contains($0) }
        // A port with a star in it, and a star behind the name, are any port.
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
    /// An address of IPv6 in brackets.
    let host: String
    /// That of the scheme if the origin names none.
    let port: String

    /// Reads `scheme://host` or `scheme://host:port`; nil for anything else.
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
    /// Whether a browser can send such an origin: names in ASCII, without empty parts, and ports up to 65535.
    fileprivate var isPossible: Bool {
        let isNumber = !port.isEmpty && port.utf8.allSatisfy(isDigit) && (port == "0" || !port.hasPrefix("0"))
        guard port.isEmpty || port == "*" || isNumber && Int(port).map({ $0 <= 65_535 }) ?? false else { return false }
        guard host.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
        if host.hasPrefix("[") { return host.hasSuffix("]") && isIPv6(host.dropFirst().dropLast()) }
        // A dot at the end is that of the root.
        let labels = (host.hasSuffix(".") ? host.dropLast() : host[...]).split(
            separator: ".", omittingEmptySubsequences: false)
        guard labels.allSatisfy({ (1...63).contains($0.utf8.count) }) else { return false }
        // Browsers take a name that ends with a number for an address.
        let isAddress = labels.last?.utf8.allSatisfy(isDigit) ?? false
        return !isAddress || isIPv4(host)
    }
}

/// A host's name as browsers send it, such as `xn--mnchen-3ya.example` for `münchen.example`; nil if that cannot be told, as of
/// letters with marks of their own.
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
