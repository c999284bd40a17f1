import SDAnswering
import SDHTTPMessages
import SDHTTPTransport
import SDJournal
import SDMatching
import SDReports
import SDStubModel
import SDStubs
import Synchronization

/// The answers to pages of other origins: by the policy of the stub, of its folder, or of the daemon.
extension Session {
    /// Whether any answer may need lines for pages, which its stub does not know of.
    var mayServePages: Bool {
        options.stubCORS || shared.folder.cors.hasFolders.load(ordering: .relaxed)
            || loaded.cors.hasFolders.load(ordering: .relaxed)
    }

    private func policy(of stub: CompiledStub?) -> CORSPolicy? {
        if let cors = stub?.cors { return cors }
        if loaded !== shared.folder {
            let file = stub.flatMap { loaded.cors.file(of: $0.id) }
            // Stubs of the daemon's folder have its policies alone.
            if file != nil || stub?.file == nil, let own = loaded.cors.policy(for: file) { return own }
        }
        return shared.folder.cors.policy(for: stub?.file)
    }

    /// The header lines for a page that reads the answer.
    /// - Parameter stub: the stub that answers; nil for an answer of the daemon.
    func corsHeaders(_ request: Request, _ stub: CompiledStub?) -> [(name: String, value: String)] {
        guard let policy = policy(of: stub) else { return options.stubCORS ? CORS.responseHeaders(request) : [] }
        return policy.responseHeaders(request)
    }

    /// The answer to a preflight, in which a browser asks for permission before its page's request.
    /// - Returns: nil if a stub says what to answer, or nothing allows pages.
    func preflightAnswer(_ request: Request) -> PlainResponse? {
        if shared.folder.cors.isUsed.load(ordering: .relaxed) || loaded.cors.isUsed.load(ordering: .relaxed) {
            switch preflightPolicy(request) {
            case .stub: return nil
            case .policy(let policy, let methods) where policy.isAllowed:
                noteRefusal(of: request, policy.refusal(of: request, methods: methods))
                return policy.preflightAnswer(request, methods: methods)
            case .policy: return nil
            case .nothing: break
            }
        }
        guard options.stubCORS else { return nil }
        let isAllowed = CORS.allows(CORS.requestedMethod(request))
        noteRefusal(
            of: request, isAllowed ? nil : "--enable-stub-cors allows \(CORS.usualMethods.joined(separator: ", "))")
        return PlainResponse(status: 200, headers: CORS.preflightHeaders(request))
    }

    /// Notes that a page may not send what its preflight asks for.
    /// - Parameter reason: a clause; nil if it may.
    func noteRefusal(of preflight: Request, _ reason: String?, isLogged: Bool = true) {
        guard let reason else { return }
        let asked = "\(CORS.requestedMethod(preflight)) \(redaction.url(of: preflight))"
        noteRefusal(
            .preflight, CORS.origin(preflight) ?? "", "may not send \(asked): \(reason)", isLogged: isLogged)
    }

    private enum PreflightPolicy {
        /// A stub answers `OPTIONS` itself.
        case stub
        case policy(CORSPolicy, methods: [String])
        case nothing
    }

    /// The policy of the stub that the page's request is for, as far as its method and URL tell.
    private func preflightPolicy(_ request: Request) -> PreflightPolicy {
        let requested = CORS.requestedMethod(request)
        var views = RequestViews(request, budgetLimit: Self.loopBudget)
        var first: CORSPolicy?
        var meant: CORSPolicy?
        var methods: [String] = []
        for stub in visibleStubs.all where stub.pattern.matchesURL(&views) {
            let mapping = stub.mapping
            let accepted = mapping.request.method.names ?? Self.usualMethods
            if mapping.request.method.names?.contains("OPTIONS") == true { return .stub }
            guard let policy = policy(of: stub) else { continue }
            if first == nil { first = policy }
            if meant == nil, mapping.request.method.names == nil || accepted.contains(requested) { meant = policy }
            for method in accepted where policy.isAllowed && !methods.contains(method) { methods.append(method) }
        }
        if let policy = meant ?? first { return .policy(policy, methods: methods) }
        return policy(of: nil).map { .policy($0, methods: Self.usualMethods) } ?? .nothing
    }

    private static var usualMethods: [String] { ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] }
}

extension MethodPattern {
    /// The methods by their names; nil if others are accepted, too.
    fileprivate var names: [String]? {
        switch self {
        case .exactly(let name): name == "GET_OR_HEAD" ? ["GET", "HEAD"] : [name]
        case .oneOf(let names): names.contains("ANY") ? nil : names
        case .any, .noneOf: nil
        }
    }
}

extension CORSPolicy {
    /// Whether the answer is the same for all pages.
    private var isForAll: Bool { origins == nil && !credentials }

    /// The lines that let the page of a request in; nil if it is not among those that are allowed.
    private func permission(_ request: Request) -> [(name: String, value: String)]? {
        if CORS.hasSeveralOrigins(request) { return nil }
        if isForAll { return [("Access-Control-Allow-Origin", "*")] }
        guard let origin = CORS.origin(request), names(origin) else { return nil }
        return [("Access-Control-Allow-Origin", origin)]
            + (credentials ? [("Access-Control-Allow-Credentials", "true")] : [])
    }

    private var vary: [(name: String, value: String)] { isForAll ? [] : [("Vary", "Origin")] }

    /// The lines for an ordinary answer; none if pages may not read it.
    fileprivate func responseHeaders(_ request: Request) -> [(name: String, value: String)] {
        guard isAllowed else { return [] }
        guard let permission = permission(request) else { return vary }
        let names = exposed.map { $0.joined(separator: ", ") } ?? (credentials ? "" : "*")
        return vary + permission + [(CORS.exposed, names)]
    }

    /// Why a browser lets a page not send what its preflight asks for; nil if it does.
    fileprivate func refusal(of request: Request, methods: [String]) -> String? {
        if CORS.hasSeveralOrigins(request) { return "it has several Origin headers" }
        if permission(request) == nil { return "`cors` allows \((origins ?? []).joined(separator: ", "))" }
        if CORS.allows(CORS.requestedMethod(request), in: methods) { return nil }
        return "the stubs with `cors` there have \(methods.joined(separator: ", "))"
    }

    fileprivate func preflightAnswer(_ request: Request, methods: [String]) -> PlainResponse {
        guard let permission = permission(request) else {
            let text =
                CORS.hasSeveralOrigins(request)
                ? "The request has several Origin headers, and a browser sends one.\n"
                : "The origin \(CORS.origin(request) ?? "") is not allowed: `cors` has "
                    + "\((origins ?? []).joined(separator: ", ")).\n"
            var refusal = PlainResponse(status: 403, text: text)
            refusal.headers += vary
            return refusal
        }
        var headers = vary + permission
        headers.append(("Access-Control-Max-Age", "1800"))
        headers.append(("Access-Control-Allow-Methods", methods.joined(separator: ", ")))
        let asked = CORS.requestedHeaders(request)
        if !asked.isEmpty { headers.append(("Access-Control-Allow-Headers", asked)) }
        return PlainResponse(status: 200, headers: headers)
    }
}

extension CORS {
    /// What would answer a preflight that nothing answers; nil for any other request.
    static func advice(on request: Request) -> String? {
        guard isPreflight(request) else { return nil }
        return "It is a CORS preflight, in which a page of \(origin(request) ?? "") asks whether it may send "
            + "\(requestedMethod(request)): the option --enable-stub-cors answers all, "
            + "the key `cors: true` those for its route, file or folder"
    }
}
