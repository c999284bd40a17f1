/// What a certificate is asked for: a host name or an address, in one form.
struct HostName: Sendable, Hashable {
    /// In lower case, without a dot at the end and without brackets; nil for a client that names none, and for what every
    /// certificate of this machine is for.
    let text: String?

    /// - Throws: if it can be the name of no host.
    init(_ name: String?) throws(CertificateProblem) {
        guard let name, !name.isEmpty else {
            text = nil
            return
        }
        var host = name.lowercased()[...]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        if host.count > 1, host.hasSuffix(".") { host.removeLast() }
        // Letters of other scripts come as `xn--…`; what else clients send as a name is no name.
        let isName = host.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte) || [0x2d, 0x2e, 0x3a, 0x5f].contains(byte)
        }
        guard isName, !host.isEmpty, host.utf8.count <= 253,
            host.split(separator: ".").allSatisfy({ $0.utf8.count < 64 })
        else {
            let shown = String(
                decoding: name.utf8.prefix(80).map { (0x20...0x7e).contains($0) ? $0 : 0x3f }, as: UTF8.self)
            throw CertificateProblem("no certificate can be made for \"\(shown)\": it is no name of a host")
        }
        text = Self.local.contains(String(host)) ? nil : String(host)
    }

    private static let local = ["localhost", "*.localhost", "127.0.0.1", "::1"]

    /// The names that its certificate is for. Names below `localhost` stand there beside the wildcard, which OpenSSL does
    /// not take for a domain of one label.
    var names: [String] {
        guard let text else { return Self.local }
        return text.hasSuffix(".localhost") || text.hasPrefix("127.") ? [text] + Self.local : [text]
    }
}
