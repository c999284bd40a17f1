import SDJSON

/// A fault of a session's connections, applied before there is a request: to TLS, or to HTTP/2 as a whole.
public struct ConnectionFault: Sendable, Hashable {
    /// The fault.
    public var kind: Kind
    /// The server name (SNI) of affected clients, in lower case; a leading `*.` matches any subdomain. Nil for all
    /// clients.
    public var serverName: String?
    /// When it applies: only `first`, `between` and `probability`, which count connections.
    public var conditions = FaultRule.Conditions()

    /// The protocol whose start it affects.
    public enum Kind: Sendable, Hashable {
        /// At the start of TLS.
        case tls(TLSFault)
        /// At the start of HTTP/2.
        case http2(HTTP2Fault)
    }

    /// Whether it applies to a client with this server name (SNI), in lower case; nil for a client without one.
    package func concerns(_ name: String?) -> Bool {
        guard let serverName else { return true }
        guard let name else { return false }
        guard serverName.utf8.first == UInt8(ascii: "*") else { return serverName == name }
        let tail = serverName.utf8.dropFirst()
        return name.utf8.count > tail.count && name.utf8.suffix(tail.count).elementsEqual(tail)
    }

    /// The value of its key, such as `expired`.
    public var name: String {
        switch kind {
        case .tls(let fault): fault.rawValue
        case .http2(let fault): fault.rawValue
        }
    }

    /// Its key: `tls` or `http2`.
    public var key: String {
        switch kind {
        case .tls: "tls"
        case .http2: "http2"
        }
    }
}

extension ConnectionFault {
    /// Reads a server name (SNI); nil if it is invalid.
    static func readServerName(_ value: JSONValue, _ reader: inout ModelReader) -> String? {
        guard let text = reader.string(value) else { return nil }
        let name = text.lowercased()
        if isServerName(name) { return name }
        let host = hostAlone(in: name)
        reader.report(
            detail: nil,
            message: isAddress(host) ? "clients name no server that they reach by its address" : "not a server name",
            expected: "a name such as api.pay.example, or *.pay.example for all below it",
            found: value.shortDescription,
            suggestion: host != name && isServerName(host) ? host : nil)
        return nil
    }

    /// Whether a client can send the name (RFC 6066 section 3), or it is a name with a leading `*.`.
    private static func isServerName(_ name: String) -> Bool {
        let plain = name.utf8.starts(with: "*.".utf8) ? name.utf8.dropFirst(2) : name.utf8[...]
        guard !plain.isEmpty, plain.count <= 253, !isAddress(name) else { return false }
        return plain.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.count)
                && label.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                        UInt8(ascii: "-"), UInt8(ascii: "_"):
                        true
                    default: false
                    }
                }
        }
    }

    /// Whether it is an IPv4 or IPv6 address rather than a name.
    private static func isAddress(_ name: String) -> Bool {
        let last = name.utf8.split(separator: UInt8(ascii: ".")).last
        return name.utf8.contains(UInt8(ascii: ":"))
            || last.map { $0.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } } ?? false
    }

    /// The host of a text that may be a URL or contain a port.
    private static func hostAlone(in text: String) -> String {
        var text = Substring(text)
        for scheme in ["https://", "http://"] where text.hasPrefix(scheme) { text = text.dropFirst(scheme.count) }
        if text.hasPrefix("[") { return String(text.dropFirst().prefix { $0 != "]" }) }
        return String(text.prefix { $0 != "/" && $0 != ":" })
    }
}
