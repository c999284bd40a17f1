import SDBasics
package import SDHTTPMessages
package import SDJournal
package import SDUpstream

/// The answer to a client whose proxied call failed before its answer began, in WireMock's words.
package struct ProxyFailure: Error, Equatable {
    var status = 500
    var contentType: String?
    let text: String
    /// The reason as a clause for the log.
    let reason: String

    var fields: [(name: String, value: String)] { contentType.map { [("Content-Type", $0)] } ?? [] }

    /// The URL is not absolute.
    static func notAbsolute(_ url: String) -> ProxyFailure {
        let url = url.withoutUser
        let text = "The target proxy address `\(url)` is not an absolute URL."
        return ProxyFailure(
            contentType: "text/plain", text: text, reason: "`proxyBaseUrl` is not an absolute URL: \(url)")
    }

    /// The first words of the answer to a request that this process has sent to itself.
    package static let ownLoop = "Stunt Double was called by itself"

    /// This process sent the request, and would send it to itself again.
    static func loop(_ url: String) -> ProxyFailure {
        let url = url.withoutUser
        let reason = "the request has come from this server, which would send it on to itself without end: \(url)"
        return ProxyFailure(
            status: 508, contentType: "text/plain",
            text: "\(ownLoop): a stub that sends requests on to \(url) leads back to it.\n",
            reason: reason)
    }

    /// A gRPC call would be proxied over HTTP/1.1, which has no gRPC.
    static func withoutHTTP2(_ target: ProxyTarget) -> ProxyFailure {
        let reason =
            "\(target.base.hostField) is called in HTTP/1.1, and a call of gRPC cannot go on in it: "
            + "--proxy-http2 names the servers that are spoken to in HTTP/2, as proxyHttp2 of its stub does, or http2 in a route"
        return ProxyFailure(UpstreamProblem(.other, reason), target)
    }

    init(status: Int = 500, contentType: String? = nil, text: String, reason: String) {
        self.status = status
        self.contentType = contentType
        self.text = text
        self.reason = reason
    }

    package init(_ problem: UpstreamProblem, _ target: ProxyTarget) {
        let url = target.url.withoutUser
        let words = problem.words(origin: "\(target.base.scheme)://\(target.base.hostField)", host: target.base.host)
        func failure(_ kind: String, _ detail: String) -> ProxyFailure {
            ProxyFailure(
                text: "\(kind) failure trying to make a proxied request from WireMock to \(url)\r\n\(detail)",
                reason: problem.message)
        }
        self =
            switch problem.kind {
            case .denied:
                ProxyFailure(
                    contentType: "text/plain",
                    text: "The target proxy address is denied in WireMock's configuration.\r\n\(problem.message)",
                    reason: problem.message)
            case .forbidden, .unavailable:
                ProxyFailure(contentType: "text/plain", text: problem.message + "\n", reason: problem.message)
            case .badURL: .notAbsolute(target.base.hasFragment ? target.base.given : target.url)
            case .insecure: failure("SSL", words)
            case .unknownHost, .refusedConnection, .timedOut, .reset, .malformed, .tooLarge, .abandoned, .other:
                failure("Network", words)
            }
    }

    /// The answer as its event stores it.
    package var served: ServedResponse {
        ServedResponse(status: status, fields: fields, body: Array(text.utf8), failure: reason)
    }

    package var response: PlainResponse { PlainResponse(status: status, headers: fields, body: Array(text.utf8)) }
}
