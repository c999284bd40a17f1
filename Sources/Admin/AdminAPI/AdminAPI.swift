import SDHTTPMessages
import SDHTTPTransport
import SDJournal
import SDMockEngine
import SDPlatform
import SDRouting

/// `/__admin`: a table of routes to engine calls.
struct AdminAPI: Sendable {
    let options: AdminOptions
    private let gate: AdminGuard
    let daemon: any DaemonControl
    let waiting: WaitingCalls
    let sessions: SessionRegistry
    private var memory: MemoryLedger { sessions.base.memory }

    /// The routes; the first one that matches a call answers it.
    static let routes = [
        MetadataRoutes.all,
        ValidationRoutes.all,
        MappingRoutes.all,
        FileRoutes.all,
        WaitingRoutes.all,
        RequestRoutes.all,
        MessageStubRoutes.all,
        MessageRoutes.all,
        ChannelRoutes.all,
        InFlightRoutes.all,
        GateRoutes.all,
        StreamRoutes.all,
        EventRoutes.all,
        NearMissRoutes.all,
        ScenarioRoutes.all,
        StateRoutes.all,
        FaultRoutes.all,
        DataRoutes.all,
        ReportRoutes.all,
        SessionRoutes.all,
        SystemRoutes.all,
        StatusRoutes.all,
        ReplicaRoutes.all,
        MetricsRoutes.all,
        RecordingRoutes.all,
        DocumentationRoutes.all,
        AgentRoutes.all,
    ].flatMap(\.self)

    init(options: AdminOptions, sessions: SessionRegistry, daemon: any DaemonControl, log: any ServerLog) {
        self.options = options
        self.sessions = sessions
        self.daemon = daemon
        waiting = WaitingCalls(daemon, sessions.base.memory)
        gate = AdminGuard(options, log: log)
        daemon.replicas?.use { [self] change, request, seed, then in make(change, request, seed: seed, then: then) }
    }

    /// Answers a request whose path starts with `/__admin`, now or later.
    func answer(_ request: Request, _ target: AdminTarget, reply: consuming Reply) {
        let headers = CORS.responseHeaders(request)
        switch admit(request, target, reply.worker) {
        case .refused(let response):
            reply.send(response.script(for: request))
        case .answer(.now(var response)):
            response.headers.append(contentsOf: headers)
            reply.send(response, to: request, memory)
        case .answer(.later(let answer)):
            answer(DeferredReply(reply, request, headers: headers, memory))
        }
    }

    private enum Admission {
        /// The complete answer, including all headers.
        case refused(PlainResponse)
        case answer(AdminAnswer)
    }

    private func admit(_ request: Request, _ target: AdminTarget, _ worker: Int) -> Admission {
        let isKnown = gate.admitsHost(of: request)
        // Health checks use any host name: a pod's address, a load balancer's name.
        guard isKnown || Self.asksForHealth(request) else { return .refused(gate.refusalOfHost(request)) }
        if let refusal = gate.refusalOfOrigin(request) { return .refused(refusal) }
        if CORS.isPreflight(request) {
            return .refused(PlainResponse(status: 200, headers: CORS.preflightHeaders(request)))
        }
        if let refusal = gate.refusalOfPlain(request) { return .answer(.now(refusal)) }
        if options.hasOwnPort, !request.isOnAdminPort { return .answer(.now(elsewhere(request))) }
        if let page = PageFiles.response(to: request) { return .answer(.now(page)) }
        guard gate.isAuthorized(request) else { return .answer(.now(PlainResponse(status: 401))) }
        guard isKnown else { return .answer(.now(SystemRoutes.publicHealth(request, options, daemon))) }
        switch target {
        case .session(let session): return .answer(route(request, session, worker))
        case .nothing(let session): return .answer(.now(session.response))
        }
    }

    /// The answer on a port that does not serve the admin API: health only.
    private func elsewhere(_ request: Request) -> PlainResponse {
        if Self.asksForHealth(request) { return SystemRoutes.publicHealth(request, options, daemon) }
        let title = "The admin API answers on its own port alone (--admin-port)"
        return .json(
            ErrorDocument(code: 404, title: title, detail: daemon.adminAt.joined(separator: ", ")).json, status: 404)
    }

    private static func asksForHealth(_ request: Request) -> Bool {
        request.method.elementsEqual("GET".utf8) && request.path.elementsEqual("/__admin/health".utf8)
    }

    private func route(_ request: Request, _ session: Session, _ worker: Int) -> AdminAnswer {
        let path = String(decoding: request.path, as: UTF8.self)
        if path == "/__admin" { return .now(redirectToRoot(request)) }
        // First of all, update the session to the base's current stubs.
        session.bringUpToDate()
        return Self.answer(to: request) { parameters, query in
            AdminCall(
                request: request, session: session, sessions: sessions, daemon: daemon, waiting: waiting,
                options: options, parameters: parameters, query: query, worker: worker)
        }
    }

    /// The answer of the first route that matches.
    static func answer(
        to request: Request, _ makeCall: (_ parameters: [String: String], _ query: [String: String]) -> AdminCall
    ) -> AdminAnswer {
        let path = String(decoding: request.path, as: UTF8.self)
        let segments = AdminRoute.segments(of: path).dropFirst().map { percentDecoded($0[...]) }
        let method = String(decoding: request.method, as: UTF8.self)
        for route in routes where route.method == method {
            guard let parameters = route.match(segments) else { continue }
            let query = queryParameters(request)
            if let refusal = route.refusal(of: query) { return .now(refusal.response) }
            let call = makeCall(parameters, query)
            return call.answer(sharing: route)
        }
        return .now(UnknownCall(method: method, path: path, segments: segments).response)
    }

    private func redirectToRoot(_ request: Request) -> PlainResponse {
        let named = request.header(Array("host".utf8)) ?? request.authority
        let host = named.map { String(decoding: $0, as: UTF8.self) } ?? "localhost"
        let scheme = request.isSecure ? "https" : "http"
        return PlainResponse(status: 302, headers: [("Location", "\(scheme)://\(host)/__admin/")])
    }

    private static func queryParameters(_ request: Request) -> [String: String] {
        // Of a repeated name, the last value counts.
        Dictionary(queryPairs(request)) { $1 }
    }
}

extension AdminCall {
    /// The answer to another call, made by this one.
    func answer(to request: Request, of session: Session) -> AdminAnswer {
        session.bringUpToDate()
        return AdminAPI.answer(to: request) { parameters, query in
            AdminCall(
                request: request, session: session, sessions: sessions, daemon: daemon, waiting: waiting,
                options: options, parameters: parameters, query: query, worker: worker)
        }
    }

    /// All values of a query parameter that may be repeated.
    func values(of name: String) -> [String] { queryPairs(request).filter { $0.0 == name }.map(\.1) }
}

/// The parameters of a query in their order.
private func queryPairs(_ request: Request) -> [(String, String)] {
    guard let query = request.query else { return [] }
    return String(decoding: query, as: UTF8.self).split(separator: "&").map { pair in
        let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (percentDecoded(parts[0]), parts.count == 2 ? percentDecoded(parts[1]) : "")
    }
}

/// The text percent-decoded; invalid escapes stay unchanged.
private func percentDecoded(_ text: Substring) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
    return String(decoding: PercentEncoding.decodeLeniently(Array(text.utf8)[...]), as: UTF8.self)
}
