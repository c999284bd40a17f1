import SDBasics
package import SDHTTPTransport
import SDPlatform
package import SDUpstream

/// A request as it is sent on to another server.
package struct ForwardedRequest {
    package private(set) var call: UpstreamRequest
    /// What is changed in the answer; nil for nothing.
    package let rewrite: HostRewrite?
    /// Whether its client asks for an upgrade that its server is not asked for, since it is called in HTTP/2.
    package let withholdsUpgrade: Bool

    /// - Parameter isForward: whether the client has asked for the other server itself.
    /// - Throws: why the request cannot be sent on.
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
        // What is rewritten has to be read.
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
        ForwardedFields(
            options: options, isForward: isForward, removed: removed, additional: additional, session: session.passedID
        ).write(to: &call, of: request, host: target.base.hostField)
        call.checksCertificate = isForward
        call.speaksHTTP2 = plan.speaksHTTP2
    }

    /// Sends a body on while it comes.
    /// - Parameter record: keeps it, too; nil if nobody records.
    package mutating func stream(_ body: (any BodyStream)?, _ record: (any ExchangeRecord)?) {
        guard let body else { return }
        call.body = .stream(record.map { RecordedBody(body, $0) } ?? body)
    }
}

extension ProxyPlan {
    /// Where a request is sent on to.
    /// - Parameter isForward: whether it goes to the server that the client asks this one for, as its proxy.
    /// - Throws: the base is none that can be called.
    package func target(
        of request: Request, _ rendered: Rendered, isForward: Bool
    ) throws(ProxyFailure) -> ProxyTarget {
        let base = isForward ? Self.origin(of: request) : rendered.base
        guard let known = known ?? ProxyBase(base) else {
            throw .notAbsolute(base + ProxyTarget.text(of: request.url, removing: rendered.prefix))
        }
        return ProxyTarget(known, removing: rendered.prefix, request.url)
    }

    /// Whether the server of a request is called in HTTP/2.
    package func speaksHTTP2(_ request: Request, by settings: UpstreamSettings, isForward: Bool) -> Bool {
        if speaksHTTP2 { return true }
        let base = isForward ? ProxyBase(Self.origin(of: request)) : known
        return base?.speaksHTTP2(by: settings) ?? false
    }

    /// Scheme and authority of the server that the client means.
    private static func origin(of request: Request) -> String {
        let authority = request.authority ?? request.header(hostField) ?? []
        return (request.isSecure ? "https://" : "http://") + String(decoding: authority, as: UTF8.self)
    }

    private static let hostField = Array("host".utf8)
}

extension UpstreamRequest {
    /// The request as it is sent on. As in WireMock, a method that usually has a body states that it has none.
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
    /// Whether it is a call of gRPC, which is none but in HTTP/2: its web forms are others.
    package var isOfGRPC: Bool {
        guard version == .http2, let type = header(Self.contentType) else { return false }
        let name = type.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: " ") }
        return FieldName.is(name, "application/grpc")
    }

    private static let contentType = Array("content-type".utf8)
}
