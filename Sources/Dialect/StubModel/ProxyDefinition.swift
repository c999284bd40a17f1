import SDBasics
public import SDJSON

extension ProxyDefinition {
    /// Sends requests on to a base URL.
    public init(to: String) {
        self.init()
        self.to = to
    }

    /// The transformer of WireMock 4 that makes answers name this server.
    public static let rewritingTransformer = "proxied-hostname-rewrite"

    /// Writes it into a response.
    package func apply(to response: inout ResponseDefinition) {
        response.proxyBaseUrl = to
        response.proxyUrlPrefixToRemove = removePrefix
        response.additionalProxyRequestHeaders = headers
        response.removeProxyRequestHeaders = removeHeaders
        if rewriteHost == true { response.transformers.append(Self.rewritingTransformer) }
        response.proxyHttp2 = http2
    }

    private static let expected = "a URL such as https://real.example, or {to: https://real.example, removePrefix: /v1}"

    /// Reads a URL, or an object with it.
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
        reader.refuse(
            "no absolute URL", expected: "a URL with its scheme, such as https://real.example", found: "\"\(text)\"",
            suggestion: isAbsolute("https://" + url) && !url.isEmpty && !url.contains(text: "://")
                ? "https://" + url : nil)
        return nil
    }

    /// Whether a text is an absolute URL of HTTP with a host.
    package static func isAbsolute(_ text: String) -> Bool {
        let lower = text.lowercased()
        guard let scheme = ["http://", "https://"].first(where: lower.hasPrefix) else { return false }
        let rest = lower.utf8.dropFirst(scheme.utf8.count)
        guard let first = rest.first, first != 0x2f, first != 0x3a, first != 0x3f, first != 0x23 else { return false }
        return rest.allSatisfy { $0 > 0x20 && $0 != 0x7f && $0 != 0x7b && $0 != 0x7d }
    }

    /// The definition as it is read: the URL alone, if that is all.
    public var json: JSONValue {
        members.count == 1 ? to.json : .object(members)
    }
}
