import SDHTTPMessages
import SDHTTPTransport
import SDJournal
import SDMatching
import SDMockEngine
import SDOutgoingCalls
import SDStubModel

/// Finds the session for a request: by the path prefix `/__session/<id>`, a field (``SessionIdentity``), a host
/// `<id>.localhost`, or the port on which it was received. The first of these that names a session counts; without any
/// it is the base.
struct SessionRouter: Sendable {
    let sessions: SessionRegistry

    enum Destination {
        case base
        /// The session, and the request as it should see it.
        case session(LiveSession, Request)
        /// The session that is named and does not exist, and the request as it would have seen it.
        case noSession(MissingSession, Request)
    }

    func destination(of request: Request) -> Destination {
        if request.hasReservedPath, let named = prefixedID(request.path) {
            return destination(named, request.droppingPathPrefix(pathPrefix.count + named.count))
        }
        if request.mayNameSession, let named = SessionIdentity.named(by: request), counts(named, in: request) {
            return destination(named.name, request, named.by)
        }
        if let id = hostID(request) { return destination(id, request) }
        return request.sessionTag == 0 ? .base : destination(SessionID(number: request.sessionTag), request)
    }

    /// Whether a name counts. One that came along with a call of this daemon or of another one is not meant for a session to
    /// whose address the call goes, as one session may stand for the server that another one calls; nor for this daemon at
    /// all, if it has never had such a session.
    private func counts(_ named: (name: ArraySlice<UInt8>, by: SessionIdentity), in request: Request) -> Bool {
        guard named.by != .header, SessionIdentity.isPassedOn(request) else { return true }
        guard request.sessionTag == 0, hostID(request) == nil else { return false }
        return SessionID(named.name).flatMap(sessions.find) != nil
    }

    private func destination(
        _ named: ArraySlice<UInt8>, _ request: Request, _ field: SessionIdentity? = nil
    ) -> Destination {
        guard let id = SessionID(named), let entry = sessions.find(id) else {
            let name = String(decoding: named, as: UTF8.self)
            // At the address of a session it is not told of others.
            let known = request.sessionTag == 0 ? sessions.all : []
            return .noSession(MissingSession(unknown: name, among: known, field: field), request)
        }
        return destination(entry, request, field)
    }

    private func destination(_ id: SessionID, _ request: Request) -> Destination {
        sessions.find(id).map { destination($0, request, nil) } ?? .base
    }

    private func destination(
        _ entry: SessionRegistry.Entry, _ request: Request, _ field: SessionIdentity?
    ) -> Destination {
        switch entry {
        case .alive(let live):
            if !request.onlyLooks { live.touch() }
            return .session(live, request)
        case .ended(let id, let name):
            let name = name.map(sessions.base.redaction.shownURL)
            return .noSession(MissingSession(kind: .ended(id, name: name), field: field), request)
        }
    }

    /// The id between `/__session/` and the next `/`; nil for any other path.
    private func prefixedID(_ path: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard path.starts(with: pathPrefix) else { return nil }
        let id = path.dropFirst(pathPrefix.count).prefix { $0 != UInt8(ascii: "/") }
        return id.isEmpty ? nil : id
    }

    /// The id in the host name. Other names below `localhost` belong to the user.
    private func hostID(_ request: Request) -> SessionID? {
        guard !sessions.isEmpty, let host = Authority(of: request)?.host, let id = SessionID(host: host),
            sessions.find(id) != nil
        else { return nil }
        return id
    }
}

extension Request {
    /// Whether it is a `GET` of the admin API: who watches a session, as the page and `stuntdouble top` do, does not use it.
    /// Who works with it by such calls, as the tools for agents do, says so.
    fileprivate var onlyLooks: Bool {
        hasReservedPath && isAdmin(path) && (method.elementsEqual("GET".utf8) || method.elementsEqual("HEAD".utf8))
            && header(useField) == nil
    }
}

private let useField = Array("x-stuntdouble-use".utf8)
private let pathPrefix = Array("/__session/".utf8)
