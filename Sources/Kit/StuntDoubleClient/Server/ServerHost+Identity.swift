import SDBasics
import SDJSON

/// What kind of server answers at an address.
enum ServerKind: Sendable, Hashable {
    case stuntDouble
    /// - Parameter version: nil if it is too old to report one.
    case wireMock(version: String?)
    /// An HTTP server without the admin API.
    /// - Parameter answer: its answer to an admin call: `404`.
    case other(answer: String)
    /// A server that requires credentials before it reports what it is.
    case secret
    /// No HTTP server.
    /// - Parameter reason: why no call succeeds, with the address.
    case none(reason: String)

    /// Why it cannot serve the kit; nil if nothing is known against it.
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
    /// A description of a foreign server at the URL; nil if it is Stunt Double, or unknown.
    package func foreignServerAtURL() async -> String? { await host.foreignServer() }
}

extension ServerHost {
    /// A description of a foreign server; nil if it is Stunt Double, or unknown. The server is probed once.
    func foreignServer() async -> String? {
        // A server with an owner was started by this process.
        if owner != nil { return nil }
        let isFirst = askedIdentity.withLock { wasAsked in
            defer { wasAsked = true }
            return !wasAsked
        }
        if isFirst {
            // Detached: the first task to ask may be cancelled.
            _ = KitThreads.detached { [self] in identity.fulfil(await identify()) }
        }
        return await identity.value.flaw(at: baseText)
    }

    private func identify() async -> ServerKind {
        do {
            let health = try await ask("/__admin/health")
            if health.status == 401 { return .secret }
            if let json = try? JSONValue(parsing: health.body), let words = json["message"]?.stringValue?.lowercased() {
                if words.hasPrefix("stunt double") { return .stuntDouble }
                if words.hasPrefix("wiremock") { return .wireMock(version: json["version"]?.stringValue) }
            }
            // WireMock before 3.0 has no health route, but lists its stubs.
            let list = try? JSONValue(parsing: try await ask("/__admin/mappings?limit=1").body)
            if list?["mappings"]?.arrayValue != nil, list?["meta"] != nil { return .wireMock(version: nil) }
            return .other(answer: Self.summary(health))
        } catch {
            var reason = (error as? MockServerError)?.message ?? "\(error)"
            // Drops the question at the end, whether the server runs.
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

    /// The status, and the server that sent it.
    private static func summary(_ answer: ServerAnswer) -> String {
        answer.header("server").map { "\(answer.status) of \($0.prefix(80))" } ?? "\(answer.status)"
    }
}
