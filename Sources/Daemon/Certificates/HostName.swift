/// The subject of a certificate in normal form: a host name or an address.
struct HostName: Sendable, Hashable {
    /// In lower case, without a trailing dot or brackets; nil without SNI, and for names of this machine that every
    /// certificate covers.
    let text: String?

    /// - Throws: if it cannot be a host's name.
    init(_ name: String?) throws(CertificateProblem) {
        guard let name, !name.isEmpty else {
            text = nil
            return
        }
        var host = name.lowercased()[...]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        if host.count > 1, host.hasSuffix(".") { host.removeLast() }
        // Internationalised names arrive as `xn--…`; anything else is not a host name.
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

    /// The certificate's names. Names below `localhost` are listed beside the wildcard, which OpenSSL does not accept
    /// for a single-label domain.
    var names: [String] {
        guard let text else { return Self.local }
        return text.hasSuffix(".localhost") || text.hasPrefix("127.") ? [text] + Self.local : [text]
    }
}
