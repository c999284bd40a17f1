import Bytes
import HTTPTransport
import MockEngine

/// `/__admin`: a table of routes onto engine calls.
struct AdminAPI: Sendable {
    private let options: AdminOptions
    private let gate: AdminGuard
    private let daemon: any DaemonControl

    /// The first line that fits a call answers it.
    static let routes = [
        MetadataRoutes.all,
        MappingRoutes.all,
        FileRoutes.all,
        RequestRoutes.all,
        NearMissRoutes.all,
        ScenarioRoutes.all,
        SystemRoutes.all,
        DocumentationRoutes.all,
    ].flatMap(\.self)

    init(options: AdminOptions, daemon: any DaemonControl) {
        self.options = options
        self.daemon = daemon
        gate = AdminGuard(options)
    }

    /// The answer to a request whose path begins with `/__admin`.
    func answer(_ request: Request, _ session: Session) -> PlainResponse {
        if let refusal = gate.refusal(request) { return refusal }
        if CORS.isPreflight(request) { return PlainResponse(status: 200, headers: CORS.preflightHeaders(request)) }
        var response = gate.isAuthorized(request) ? route(request, session) : PlainResponse(status: 401)
        // Also to a caller without an origin, so that no cache hands its answer to a page.
        let headers = CORS.responseHeaders(request)
        response.headers.append(contentsOf: headers.isEmpty ? [("Vary", "Origin")] : headers)
        return response
    }

    private func route(_ request: Request, _ session: Session) -> PlainResponse {
        let path = String(decoding: request.path, as: UTF8.self)
        if path == "/__admin" { return redirectToRoot(request) }
        let segments = path.split(separator: "/").dropFirst().map { percentDecoded($0) }
        let method = String(decoding: request.method, as: UTF8.self)
        for route in Self.routes where route.method == method {
            guard let parameters = route.match(segments) else { continue }
            let call = AdminCall(
                request: request, session: session, daemon: daemon, version: options.version, parameters: parameters,
                query: queryParameters(request))
            do {
                return try route.answer(call)
            } catch {
                return error.response
            }
        }
        return PlainResponse(status: 404)
    }

    private func redirectToRoot(_ request: Request) -> PlainResponse {
        let host = request.header(Array("host".utf8)).map { String(decoding: $0, as: UTF8.self) } ?? "localhost"
        let scheme = request.isSecure ? "https" : "http"
        return PlainResponse(status: 302, headers: [("Location", "\(scheme)://\(host)/__admin/")])
    }

    private func queryParameters(_ request: Request) -> [String: String] {
        guard let query = request.query else { return [:] }
        var parameters: [String: String] = [:]
        for pair in String(decoding: query, as: UTF8.self).split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = parts.first else { continue }
            parameters[percentDecoded(name)] = parts.count == 2 ? percentDecoded(parts[1]) : ""
        }
        return parameters
    }
}

/// The text with its escapes decoded; a broken one stays as it is.
private func percentDecoded(_ text: Substring) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
    return String(decoding: PercentEncoding.decodeLeniently(Array(text.utf8)[...]), as: UTF8.self)
}
