/// A pattern of hosts to route: `api.example.com`, `*.example.com` for its subdomains, `*` for all; with `:8443` only
/// on that port.
struct HostPattern: Sendable, Hashable {
    private enum Name: Hashable {
        case any
        case below(String)
        case exactly(String)
    }

    private let name: Name
    private let port: Int?

    init(_ text: String) throws(MockServerError) {
        var name = Substring(text.lowercased())
        var port: Int?
        if let colon = name.lastIndex(of: ":"), !name[colon...].contains("]") {
            guard let number = Int(name[name.index(after: colon)...]), (1...65535).contains(number) else {
                throw Self.problem(text)
            }
            port = number
            name = name[..<colon]
        }
        self.port = port
        if name == "*" {
            self.name = .any
        } else if name.hasPrefix("*."), Self.isHost(name.dropFirst(2)) {
            self.name = .below(String(name.dropFirst()))
        } else if Self.isHost(name) {
            self.name = .exactly(String(name))
        } else {
            throw Self.problem(text)
        }
    }

    /// - Parameter host: an IPv6 address has no brackets.
    func matches(host: String, port: Int) -> Bool {
        guard self.port == nil || self.port == port else { return false }
        let host = host.lowercased()
        return switch name {
        case .any: true
        case .below(let suffix): host.hasSuffix(suffix)
        case .exactly(let exact): exact == host || exact == "[\(host)]"
        }
    }

    private static func isHost(_ text: Substring) -> Bool {
        if text.hasPrefix("["), text.hasSuffix("]") {
            return text.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
        }
        return !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "." || $0 == "_" }
    }

    private static func problem(_ text: String) -> MockServerError {
        var problem = "\"\(text)\" is no host; expected one such as api.example.com or *.example.com"
        if let scheme = text.firstRange(of: "://") {
            let host = text[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
            if (try? HostPattern(String(host))) != nil { problem += "; did you mean \"\(host)\"?" }
        }
        return MockServerError(problem)
    }
}
