import SDAnswering
package import SDHTTPMessages
import SDHTTPTransport
package import SDJournal
import SDMatching
package import SDReports
import SDStubModel
import SDStubs
import Synchronization

/// CORS headers and preflights: by the policy of the stub, else of its folder, else of the daemon.
extension Session {
    /// Whether any answer may need CORS headers that its stub does not have.
    var mayServePages: Bool {
        options.stubCORS || shared.folder.cors.hasFolders.load(ordering: .relaxed)
            || loaded.cors.hasFolders.load(ordering: .relaxed)
    }

    /// Whether any stub or folder has, or had, a policy of its own.
    private var usesCORS: Bool {
        shared.folder.cors.isUsed.load(ordering: .relaxed) || loaded.cors.isUsed.load(ordering: .relaxed)
    }

    /// A policy, and its file and line.
    private struct PlacedPolicy {
        let policy: CORSPolicy
        let place: FileLocation?
    }

    private func placedPolicy(of stub: CompiledStub?) -> PlacedPolicy? {
        func placed(_ file: String, _ policy: CORSPolicy) -> PlacedPolicy {
            PlacedPolicy(policy: policy, place: FileLocation(file: file, line: policy.place.line))
        }
        let file = loaded === shared.folder ? nil : stub.flatMap { loaded.cors.file(of: $0.id) }
        if let stub, let policy = stub.cors {
            let place = (stub.file ?? file).map { FileLocation(file: $0, line: policy.place.line ?? stub.line) }
            return PlacedPolicy(policy: policy, place: place)
        }
        // Stubs of the daemon's folder use only that folder's policies.
        if loaded !== shared.folder, file != nil || stub?.file == nil, let own = loaded.cors.nearest(to: file) {
            return placed(own.file, own.policy)
        }
        return shared.folder.cors.nearest(to: stub?.file).map { placed($0.file, $0.policy) }
    }

    /// The CORS headers of an answer.
    /// - Parameter stub: the stub that answers; nil for an answer of the daemon.
    func corsHeaders(_ request: Request, _ stub: CompiledStub?) -> [(name: String, value: String)] {
        guard let policy = placedPolicy(of: stub)?.policy else {
            guard options.stubCORS else { return [] }
            return options.response.contracts.isPrism ? CORS.openHeaders(request) : CORS.responseHeaders(request)
        }
        return policy.responseHeaders(request)
    }

    // MARK: Preflights

    /// The answer to a preflight, in which a browser asks for permission before its page's request.
    package struct Preflight {
        package var response: PlainResponse
        /// The stub, policy or option that answers or refuses.
        package var rule: Report.Rule
        /// Why the page may not send its request, as a clause; nil if it may.
        package var refusal: String?
    }

    /// The answer to a preflight.
    /// - Returns: nil if a stub says what to answer, or nothing allows pages.
    package func preflight(_ request: some TemplateRequest) -> Preflight? {
        if usesCORS {
            switch preflightPolicy(request) {
            case .stub: return nil
            case .policy(let placed, let methods) where placed.policy.isAllowed:
                let refusal = placed.policy.refusal(of: request, methods: methods)
                let rule = Report.Rule("\(refusal == nil ? "answered" : "refused") by `cors`", at: placed.place)
                return Preflight(
                    response: placed.policy.preflightAnswer(request, methods: methods), rule: rule, refusal: refusal)
            case .policy: return nil
            case .nothing: break
            }
        }
        guard options.stubCORS else { return nil }
        if options.response.contracts.isPrism {
            return Preflight(
                response: PlainResponse(status: 204, headers: CORS.openPreflightHeaders(request)),
                rule: Report.Rule("answered by `--cors`"))
        }
        let refusal =
            CORS.hasSeveralOrigins(request)
            ? CORS.severalOrigins
            : CORS.allows(CORS.requestedMethod(request))
                ? nil : "--enable-stub-cors allows \(CORS.usualMethods.joined(separator: ", "))"
        return Preflight(
            response: PlainResponse(status: 200, headers: CORS.preflightHeaders(request)),
            rule: Report.Rule("\(refusal == nil ? "answered" : "refused") by `--enable-stub-cors`"), refusal: refusal)
    }

    /// Records a refused preflight.
    /// - Parameter reason: a clause; nil if the page may send its request.
    func noteRefusal(
        of preflight: Request, _ reason: String?, at place: FileLocation?, logging: RefusalLogging = .always
    ) {
        guard let reason else { return }
        noteRefusal(
            .preflight, CORS.origin(preflight) ?? "", permission(for: preflight, "may not send") + ": " + reason,
            at: place, logging: logging)
    }

    /// Whether a page may send what its preflight asks for, as a clause.
    package func permission(for preflight: some TemplateRequest, _ verb: String) -> String {
        let url = redaction.redactedURL(String(decoding: preflight.url, as: UTF8.self))
        return "\(verb) \(CORS.requestedMethod(preflight)) \(url)"
    }

    private enum PreflightPolicy {
        /// A stub answers `OPTIONS` itself.
        case stub
        case policy(PlacedPolicy, methods: [String])
        case nothing
    }

    /// The policy of the stub that the page's request is for, judged by method and URL.
    private func preflightPolicy(_ request: some TemplateRequest) -> PreflightPolicy {
        let requested = CORS.requestedMethod(request)
        var views = RequestViews(request, budgetLimit: Self.loopBudget)
        var first: PlacedPolicy?
        var meant: PlacedPolicy?
        var methods: [String] = []
        for stub in visibleStubs.all where stub.pattern.matchesURL(&views) {
            let mapping = stub.mapping
            let accepted = mapping.request.method.names ?? Self.usualMethods
            if mapping.request.method.names?.contains("OPTIONS") == true { return .stub }
            guard let placed = placedPolicy(of: stub) else { continue }
            if first == nil { first = placed }
            if meant == nil, mapping.request.method.names == nil || accepted.contains(requested) { meant = placed }
            for method in accepted where placed.policy.isAllowed && !methods.contains(method) {
                methods.append(method)
            }
        }
        if let placed = meant ?? first { return .policy(placed, methods: methods) }
        return placedPolicy(of: nil).map { .policy($0, methods: Self.usualMethods) } ?? .nothing
    }

    // MARK: Answers that pages cannot read

    /// Records that the browser withholds an answer from its page. The answer is unchanged.
    func noteUnreadable(_ event: ServeEvent) {
        // A separate function, so that requests cost nothing while CORS is unused.
        if usesCORS || options.stubCORS { noteIfUnreadable(event) }
    }

    private func noteIfUnreadable(_ event: ServeEvent) {
        let request = event.request
        guard !event.isUnmatched, CORS.needsPermission(request) else { return }
        let stub = event.matched
        // A stub or upstream that sets the header itself may allow the page.
        if let stub, stub.isProxied || stub.response.definition.allowsPages { return }
        let placed = placedPolicy(of: stub)
        let hasSeveral = CORS.hasSeveralOrigins(request)
        guard placed.map({ !$0.policy.shows(request) }) ?? (options.stubCORS && hasSeveral) else { return }
        let allowance = placed.map { ", where \($0.policy.allowance)" } ?? ""
        let asked = "\(String(decoding: request.method, as: UTF8.self)) \(redaction.url(of: request))"
        noteRefusal(
            .answer, CORS.origin(request) ?? "",
            asked + (hasSeveral ? ", which has several Origin headers" : allowance), at: placed?.place, logging: .once)
    }

    private static var usualMethods: [String] { ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] }
}

extension MethodPattern {
    /// The methods by their names; nil if the pattern accepts others.
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

    /// The headers that allow the page of a request; nil if its origin is not allowed.
    private func permission(_ request: some PageRequest) -> [(name: String, value: String)]? {
        if CORS.hasSeveralOrigins(request) { return nil }
        if isForAll { return [("Access-Control-Allow-Origin", "*")] }
        guard let origin = CORS.origin(request), names(origin) else { return nil }
        return [("Access-Control-Allow-Origin", origin)]
            + (credentials ? [("Access-Control-Allow-Credentials", "true")] : [])
    }

    private var vary: [(name: String, value: String)] { isForAll ? [] : [("Vary", "Origin")] }

    /// The headers of an ordinary answer; without permission only `Vary`.
    fileprivate func responseHeaders(_ request: Request) -> [(name: String, value: String)] {
        guard isAllowed else { return [] }
        guard let permission = permission(request) else { return vary }
        let names = exposed.map { $0.joined(separator: ", ") } ?? (credentials ? "" : "*")
        return vary + permission + [(CORS.exposed, names)]
    }

    /// Whether the page of a request may read the answer.
    fileprivate func shows(_ request: Request) -> Bool { isAllowed && permission(request) != nil }

    /// What the policy allows, as a clause.
    fileprivate var allowance: String {
        isAllowed ? "`cors` allows \((origins ?? []).joined(separator: ", "))" : "`cors: false` allows none"
    }

    /// Why a browser refuses the request of a preflight; nil if it sends it.
    fileprivate func refusal(of request: some PageRequest, methods: [String]) -> String? {
        if CORS.hasSeveralOrigins(request) { return CORS.severalOrigins }
        if permission(request) == nil { return allowance }
        if CORS.allows(CORS.requestedMethod(request), in: methods) { return nil }
        return "the stubs with `cors` there have \(methods.joined(separator: ", "))"
    }

    fileprivate func preflightAnswer(_ request: some PageRequest, methods: [String]) -> PlainResponse {
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

extension ResponseDefinition {
    /// Whether the response sets `Access-Control-Allow-Origin` itself.
    fileprivate var allowsPages: Bool { headers.contains { $0.name.lowercased() == "access-control-allow-origin" } }
}
