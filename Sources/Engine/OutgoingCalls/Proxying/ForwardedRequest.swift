import SDBasics
package import SDHTTPTransport
import SDPlatform
package import SDUpstream
package import SDWebSocket

/// A proxied request, as it is sent to another server.
package struct ForwardedRequest {
    package private(set) var call: UpstreamRequest
    /// The rewriting of the answer; nil for none.
    package let rewrite: HostRewrite?
    /// Whether the client asks for an upgrade that is not forwarded, because the server is called over HTTP/2.
    package let withholdsUpgrade: Bool
    /// The WebSocket handshake with the server, if its messages are to be recorded; nil for anything else.
    package let webSocket: WebSocketCall?

    /// - Parameter isForward: whether the client named the other server itself.
    /// - Throws: why the request cannot be proxied.
    package init(
        _ request: Request, to target: ProxyTarget, _ plan: ProxyPlan, _ rendered: ProxyPlan.Rendered,
        _ options: ProxyOptions, for session: any CallingSession, isForward: Bool
    ) throws(ProxyFailure) {
        if session.upstream.hasSent(request) { throw .loop(target.url) }
        guard target.base.isHTTP else {
            let problem = UpstreamProblem(
                .other, "Unroutable protocol scheme: \(target.base.scheme)://\(target.base.authority.withoutUser)")
            throw ProxyFailure(problem, target)
        }
        let speaksHTTP2 = plan.speaksHTTP2 || target.base.speaksHTTP2(by: session.upstream.settings)
        if request.isOfGRPC, !speaksHTTP2 { throw .withoutHTTP2(target) }
        rewrite = plan.rewritesHost ? HostRewrite(target.base, for: request) : nil
        // An answer to rewrite must not be compressed.
        var removed = rewrite == nil ? plan.removed : plan.removed.union(["accept-encoding"])
        var additional = rendered.additional
        if let own = target.base.authorization {
            removed.insert("authorization")
            let hasOwn = additional.contains { FieldName.is($0.name, "authorization") }
            if !hasOwn { additional.append(("Authorization", own)) }
        }
        call = UpstreamRequest(request, target.url)
        call.target = target.upstream
        let upgrade = ProxiedUpgrade.asked(by: request, removed: removed)
        withholdsUpgrade = speaksHTTP2 && upgrade != nil
        call.upgrade = speaksHTTP2 ? nil : upgrade
        webSocket = Self.webSocketCall(for: request, call.upgrade)
        if let webSocket {
            removed.formUnion(webSocket.removed)
            additional += webSocket.fields
        }
        ForwardedFields(
            options: options, isForward: isForward, removed: removed, additional: additional, session: session.passedID
        ).write(to: &call, of: request, host: target.base.hostField)
        call.checksCertificate = isForward
        call.speaksHTTP2 = plan.speaksHTTP2
    }

    /// - Returns: nil for another request, and for a non-standard handshake, which is left to client and server.
    private static func webSocketCall(for request: Request, _ upgrade: String?) -> WebSocketCall? {
        guard upgrade?.lowercased() == "websocket", let offer = try? WebSocketOffer(request) else { return nil }
        return WebSocketCall(offer, of: request)
    }

    /// Streams a body as it arrives.
    /// - Parameter record: records it, too; nil without a recording.
    package mutating func stream(_ body: (any BodyStream)?, _ record: (any ExchangeRecord)?) {
        guard let body else { return }
        call.body = .stream(record.map { RecordedBody(body, $0) } ?? body)
    }
}

extension ProxyPlan {
    /// The target of a proxied request.
    /// - Parameter isForward: whether it goes to the server that the client names, as with a forward proxy.
    /// - Throws: if the base URL cannot be called.
    package func target(
        of request: Request, _ rendered: Rendered, isForward: Bool
    ) throws(ProxyFailure) -> ProxyTarget {
        let base = isForward ? Self.origin(of: request) : rendered.base
        guard let known = known ?? ProxyBase(base) else {
            throw .notAbsolute(base + ProxyTarget.text(of: request.url, removing: rendered.prefix))
        }
        return ProxyTarget(known, removing: rendered.prefix, request.url)
    }

    /// Whether the server of a request is called over HTTP/2.
    package func speaksHTTP2(_ request: Request, by settings: UpstreamSettings, isForward: Bool) -> Bool {
        if speaksHTTP2 { return true }
        let base = isForward ? ProxyBase(Self.origin(of: request)) : known
        return base?.speaksHTTP2(by: settings) ?? false
    }

    /// Scheme and authority of the server that the client names.
    private static func origin(of request: Request) -> String {
        let authority = request.authority ?? request.header(hostField) ?? []
        return (request.isSecure ? "https://" : "http://") + String(decoding: authority, as: UTF8.self)
    }

    private static let hostField = Array("host".utf8)
}

extension UpstreamRequest {
    /// The proxied request. As in WireMock, a method that usually has a body states an empty one.
    fileprivate init(_ request: Request, _ url: String) {
        self.init(String(decoding: request.method, as: UTF8.self), url)
        if request.bodyCount > 0 {
            body = .bytes(Array(request.body))
            isChunked = request.isSentOnInChunks
            trailers = request.trailers.map {
                (String(decoding: $0.name, as: UTF8.self), HeaderText.verbatim($0.value))
            }
        } else if request.header(Self.contentLength) != nil || request.header(Self.transferEncoding) != nil
            || ["POST", "PUT", "PATCH"].contains(method)
        {
            body = .bytes([])
        }
    }

    private static let transferEncoding = Array("transfer-encoding".utf8)
    private static let contentLength = Array("content-length".utf8)
}

extension Request {
    /// Whether it is a gRPC call, which exists only over HTTP/2; gRPC-Web does not count.
    package var isOfGRPC: Bool {
        guard version == .http2, let type = header(Self.contentType) else { return false }
        let name = type.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: " ") }
        return FieldName.is(name, "application/grpc")
    }

    private static let contentType = Array("content-type".utf8)
}
