import SDHTTPMessages
public import SDMockEngine
public import SDRouting

extension AdminAPI: AdminCalls {
    func response(to missing: MissingSession) -> PlainResponse { missing.response }

    func endWaiting() {
        waiting.endAll()
    }
}

extension RequestDispatcher {
    /// A dispatcher whose calls are those of this API.
    public convenience init(
        sessions: SessionRegistry, admin: AdminOptions, daemon: any DaemonControl, log: any ServerLog,
        tunnels: (any TunnelMaker)? = nil
    ) {
        self.init(
            sessions: sessions, admin: AdminAPI(options: admin, sessions: sessions, daemon: daemon, log: log), log: log,
            tunnels: tunnels)
    }
}

extension MissingSession {
    var response: PlainResponse {
        PlainResponse.json(ErrorDocument(code: status, title: title, detail: detail).json, status: status)
    }
}
