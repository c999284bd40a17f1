public import SDHTTPMessages
import SDHTTPTransport
public import SDMockEngine
public import SDRouting

extension AdminAPI: AdminCalls {
    func response(to missing: MissingSession) -> PlainResponse { missing.response }

    func response(beside request: Request) -> PlainResponse {
        guard request.path.elementsEqual("/".utf8) else {
            return PlainResponse(
                status: 404, text: "This port is for the admin API alone, below /__admin; stubs answer on the others.\n"
            )
        }
        return PlainResponse(status: 302, headers: [("Location", "/__admin/ui/")])
    }

    func endWaiting() {
        waiting.endAll()
    }
}

extension RequestDispatcher {
    /// Makes a dispatcher that uses this API for admin calls.
    public convenience init(
        sessions: SessionRegistry, admin: AdminOptions, daemon: any DaemonControl, log: any ServerLog,
        tunnels: (any TunnelMaker)? = nil, refusal: (@Sendable () -> PlainResponse?)? = nil
    ) {
        self.init(
            sessions: sessions, admin: AdminAPI(options: admin, sessions: sessions, daemon: daemon, log: log), log: log,
            tunnels: tunnels, refusal: refusal)
    }
}

extension MissingSession {
    var response: PlainResponse {
        PlainResponse.json(ErrorDocument(code: status, title: title, detail: detail).json, status: status)
    }
}
