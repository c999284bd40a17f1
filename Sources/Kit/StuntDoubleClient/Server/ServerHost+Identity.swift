import SDBasics
import SDJSON

/// What answers at the address of a server.
enum ServerIdentity: Sendable, Hashable {
    case stuntDouble
    /// - Parameter version: nil for one that is too old to tell.
    case wireMock(version: String?)
    /// A server of HTTP without the admin API.
    /// - Parameter answer: what it said to a call of it: `404`.
    case other(answer: String)
    /// A server that asks for credentials before it tells.
    case secret
    /// Nothing of HTTP.
    /// - Parameter reason: why no call succeeds, with the address.
    case none(reason: String)

    /// Why it cannot serve the kit; nil if it can, as far as is known.
    func flaw(at place: String) -> String? {
        switch self {
        case .stuntDouble, .secret: nil
        case .wireMock(let version):
            "\(place) is WireMock\(version.map { " " + $0 } ?? ""), not Stunt Double, and has no sessions"
        case .other(let answer): "\(place) answers, but is no mock server: GET /__admin/health got \(answer)"
        case .none(let reason): reason
        }
    }
}

extension MockServer {
    /// What is at the server's URL in place of a server of ours, in words; nil if it is one, or does not tell.
    package func strangerAtItsPlace() async -> String? { await host.stranger() }
}

extension ServerHost {
    /// What the server is in place of one of ours, in words; nil if it is one, or does not tell. It is asked once.
    func stranger() async -> String? {
        // Whoever started the server knows what it is.
        if owner != nil { return nil }
        let isFirst = askedIdentity.withLock { wasAsked in
            defer { wasAsked = true }
            return !wasAsked
        }
        if isFirst {
            // Not a child of the task that asks first, which may be cancelled.
            _ = KitThreads.detached { [self] in identity.fulfil(await identify()) }
        }
        return await identity.value.flaw(at: baseText)
    }

    private func identify() async -> ServerIdentity {
        do {
            let health = try await ask("/__admin/health")
            if health.status == 401 { return .secret }
            if let json = try? JSONValue(parsing: health.body), let words = json["message"]?.stringValue?.lowercased() {
                if words.hasPrefix("stunt double") { return .stuntDouble }
                if words.hasPrefix("wiremock") { return .wireMock(version: json["version"]?.stringValue) }
            }
            // WireMock before 3.0 does not tell its health, but lists its stubs.
            let list = try? JSONValue(parsing: try await ask("/__admin/mappings?limit=1").body)
            if list?["mappings"]?.arrayValue != nil, list?["meta"] != nil { return .wireMock(version: nil) }
            return .other(answer: Self.summary(health))
        } catch {
            var reason = (error as? MockServerError)?.message ?? "\(error)"
            // Without the question that may end it, whether the server runs.
            if reason.hasSuffix("?"), let end = reason.lastIndex(of: ";") { reason = String(reason[..<end]) }
            return .none(reason: reason)
        }
    }

    private func ask(_ target: String) async throws -> ServerAnswer {
        var request = ServerRequest(method: "GET", target: target)
        if let authorization { request.headers.append(("Authorization", authorization)) }
        request.timeout = Self.patience
        return try await transport.send(request)
    }

    /// The status, and who says it.
    private static func summary(_ answer: ServerAnswer) -> String {
        answer.header("server").map { "\(answer.status) of \($0.prefix(80))" } ?? "\(answer.status)"
    }
}
