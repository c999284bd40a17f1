import SDBasics
public import SDJSON

extension ProxyDefinition {
    /// Forwards requests to a base URL.
    public init(to: String) {
        self.init()
        self.to = to
    }

    /// The WireMock 4 transformer that rewrites host names in answers to this server's.
    public static let rewritingTransformer = "proxied-hostname-rewrite"

    /// Applies it to a response.
    package func apply(to response: inout ResponseDefinition) {
        response.proxyBaseUrl = to
        response.proxyUrlPrefixToRemove = removePrefix
        response.additionalProxyRequestHeaders = headers
        response.removeProxyRequestHeaders = removeHeaders
        if rewriteHost == true { response.transformers.append(Self.rewritingTransformer) }
        response.proxyHttp2 = http2
    }

    private static let expected = "a URL such as https://real.example, or {to: https://real.example, removePrefix: /v1}"

    /// Reads a URL, or an object with one.
    /// - Parameter allowsTemplate: whether the URL may be a template.
    package static func read(
        _ value: JSONValue, allowsTemplate: Bool = true, _ reader: inout ModelReader
    ) -> ProxyDefinition? {
        if case .string(let text) = value { return url(text, allowsTemplate, &reader).map { ProxyDefinition(to: $0) } }
        guard case .object(let object) = value else {
            reader.refuse("nothing that requests can be sent on to", expected: expected, found: value.shortDescription)
            return nil
        }
        var proxy = ProxyDefinition()
        proxy.readMembers(of: object, allowsTemplate: allowsTemplate, &reader)
        guard object["to"] == nil else { return proxy }
        if !object.members.contains(where: { DialectNames.proxyAliases[$0.key] == "to" }) {
            reader.refuse("it does not say where to", expected: expected, found: nil)
        }
        return nil
    }

    static func readNames(_ value: JSONValue, _ reader: inout ModelReader) -> [String] {
        if case .string(let name) = value { return [name] }
        return reader.strings(value) ?? []
    }

    static func url(_ text: String, _ allowsTemplate: Bool, _ reader: inout ModelReader) -> String? {
        let url = text.trimmingBlanks
        if allowsTemplate, url.contains(text: "{{") { return url }
        if isAbsolute(url) { return url }
        let isBlank = url.contains(text: "://") && url.utf8.contains { $0 <= 0x20 }
        reader.refuse(
            isBlank ? "a URL has no blanks" : "no absolute URL",
            expected: isBlank ? "%20 in place of each" : "a URL with its scheme, such as https://real.example",
            found: quoted(text), suggestion: meant(by: url))
        return nil
    }

    /// The URL that a text with a missing or malformed scheme probably means; nil if it is not one either.
    private static func meant(by text: String) -> String? {
        let marks = ":;/\\"
        for scheme in ["https", "http"] where text.lowercased().hasPrefix(scheme) {
            let rest = text.dropFirst(scheme.count)
            guard let mark = rest.first, marks.contains(mark) else { continue }
            let url = scheme + "://" + rest.drop { marks.contains($0) || $0 == " " }
            return isAbsolute(url) ? url : nil
        }
        let url = (isOfThisMachine(text) ? "http://" : "https://") + text
        return !text.contains(text: "://") && isAbsolute(url) ? url : nil
    }

    /// Whether a host without a scheme is local, and so hardly uses TLS.
    private static func isOfThisMachine(_ url: String) -> Bool {
        let host = url.prefix { $0 != "/" && $0 != ":" }.lowercased()
        return host == "localhost" || host.hasPrefix("127.") || url.hasPrefix("[::1]")
    }

    /// Whether a text is an absolute HTTP URL with a host.
    package static func isAbsolute(_ text: String) -> Bool {
        let lower = text.lowercased()
        guard let scheme = ["http://", "https://", "ws://", "wss://"].first(where: lower.hasPrefix) else {
            return false
        }
        let rest = lower.utf8.dropFirst(scheme.utf8.count)
        let authority = rest.prefix { $0 != 0x2f && $0 != 0x3f && $0 != 0x23 }
        let host = authority.lastIndex(of: 0x40).map { authority[authority.index(after: $0)...] } ?? authority
        guard let first = host.first, first != 0x3a else { return false }
        return rest.allSatisfy { $0 > 0x20 && $0 != 0x7f && $0 != 0x7b && $0 != 0x7d }
    }

    /// Whether an absolute URL has a valid host name or address, and a port from 1 to 65535 if any.
    package static func hasCallableHost(_ url: String) -> Bool {
        guard let mark = url.firstRange(ofText: "://") else { return false }
        var host = url[mark.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if let at = host.lastIndex(of: "@") { host = host[host.index(after: at)...] }
        if let colon = host.lastIndex(of: ":"), !host[colon...].contains("]") {
            let port = host[host.index(after: colon)...]
            guard port.isEmpty || (Int(port).map { 1...65_535 ~= $0 } ?? false) else { return false }
            host = host[..<colon]
        }
        if host.hasPrefix("[") { return host.hasSuffix("]") }
        let isName = host.utf8.allSatisfy { byte in
            byte >= 0x80 || byte | 0x20 &- 0x61 < 26 || byte &- 0x30 < 10 || "-_.".utf8.contains(byte)
        }
        return isName && !host.isEmpty
    }

    /// The definition with the user and password in its URL redacted.
    var shown: ProxyDefinition {
        var shown = self
        shown.to = to.withoutUser
        return shown
    }

    /// The JSON from which it is read: the URL alone, if there are no other members.
    public var json: JSONValue {
        members.count == 1 ? to.json : .object(members)
    }
}
