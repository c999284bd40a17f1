import SDBasics
import SDCapture
import SDJSON
import SDStubModel

/// Distinguishes requests that one pattern would match: to different servers, as through a forward proxy, or with a
/// parameter's values in another order. The first one gets the simple pattern; the others' patterns include the host or
/// the whole URL.
package struct RecordedVariants: Sendable {
    /// The server of each pattern, and the host that its client sent.
    private var servers: [RequestPattern: (server: Substring, host: String)] = [:]

    /// The patterns with several values of a parameter, by the pattern with the values sorted.
    private var orders: [RequestPattern: RequestPattern] = [:]

    package init() {}

    /// The pattern, extended as needed to match only one server and one order of values.
    mutating func apart(_ pattern: RequestPattern, _ exchange: RecordedExchange) -> RequestPattern {
        inOrder(apart(hostOf: pattern, exchange), exchange)
    }

    private mutating func inOrder(_ pattern: RequestPattern, _ exchange: RecordedExchange) -> RequestPattern {
        guard pattern.queryParameters.contains(where: { ($0.matcher.operand.arrayValue?.count ?? 0) > 1 }) else {
            return pattern
        }
        var sorted = pattern
        sorted.queryParameters = pattern.queryParameters.map { parameter in
            guard let values = parameter.matcher.operand.arrayValue else { return parameter }
            let texts = values.map { ($0.compactText, $0) }.sorted { $0.0 < $1.0 }.map(\.1)
            return NamedMatcher(
                parameter.name, ValueMatcher(parameter.matcher.operator, operand: .array(texts)))
        }
        guard let first = orders[sorted] else {
            orders[sorted] = pattern
            return pattern
        }
        guard first != pattern, !exchange.target.contains(text: RedactedExchanges.placeholder) else { return pattern }
        var whole = pattern
        whole.url = .url(exchange.target)
        whole.queryParameters = []
        return whole
    }

    private mutating func apart(hostOf pattern: RequestPattern, _ exchange: RecordedExchange) -> RequestPattern {
        let server = exchange.server
        let authority = server.firstRange(ofText: "://").map { server[$0.upperBound...] } ?? ""
        let host = (exchange.requestHeaders.first(named: "Host") ?? String(authority)).lowercased()
        if takes(pattern, server, host) { return pattern }
        let (name, port) = Self.parts(host)
        var named = pattern
        named.host = ValueMatcher(.equalTo, name)
        // Another server without a condition has the same name; only the port distinguishes them.
        let isNamed = servers[pattern].map { Self.parts($0.host).host == name } ?? false
        if !isNamed, takes(named, server, host) { return named }
        named.port = port ?? (server.hasPrefix("https:") ? 443 : 80)
        _ = takes(named, server, host)
        return named
    }

    /// Whether the pattern is this server's. Servers whose clients sent the same host cannot be distinguished.
    private mutating func takes(_ pattern: RequestPattern, _ server: Substring, _ host: String) -> Bool {
        if let known = servers[pattern] { return known.server == server || known.host == host }
        servers[pattern] = (server, host)
        return true
    }

    /// The host and port in a `Host` header.
    private static func parts(_ field: String) -> (host: String, port: Int?) {
        guard let colon = field.lastIndex(of: ":"), !field[colon...].contains("]"),
            let port = Int(field[field.index(after: colon)...])
        else { return (field, nil) }
        return (String(field[..<colon]), port)
    }
}

extension RecordedExchange {
    /// The scheme and authority of the server that answered.
    var server: Substring {
        guard let mark = url.firstRange(ofText: "://") else { return "" }
        let end = url[mark.upperBound...].firstIndex { "/?#".contains($0) } ?? url.endIndex
        return url[..<end]
    }
}
