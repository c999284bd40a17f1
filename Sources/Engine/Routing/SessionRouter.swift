import SDHTTPMessages
import SDHTTPTransport
import SDJournal
import SDMatching
import SDMockEngine
import SDOutgoingCalls
import SDStubModel

/// Finds the session for a request: by the path prefix `/__session/<id>`, a field (``SessionPropagation``), a host
/// `<id>.localhost`, or the port on which it was received. The first of these that names a session counts; without any,
/// it is the default session.
struct SessionRouter: Sendable {
    let sessions: SessionRegistry

    enum Destination {
        case base
        /// The session, and the request as it should see it.
        case session(LiveSession, Request)
        /// The named session does not exist; with the request as the session would have seen it.
        case noSession(MissingSession, Request)
    }

    func destination(of request: Request) -> Destination {
        if request.hasReservedPath, let named = prefixedID(request.path) {
            return destination(named, request.droppingPathPrefix(pathPrefix.count + named.count))
        }
        if request.mayNameSession, let named = SessionPropagation.named(by: request), counts(named, in: request) {
            return destination(named.name, request, named.by)
        }
        if let id = hostID(request) { return destination(id, request) }
        return request.sessionTag == 0 ? .base : destination(SessionID(number: request.sessionTag), request)
    }

    /// Whether a name counts. A name that a daemon propagated with its call does not count at a session's own address,
    /// as one session may stand for the server that another one calls; nor does it count if this daemon never had such
    /// a session.
    private func counts(_ named: (name: ArraySlice<UInt8>, by: SessionPropagation), in request: Request) -> Bool {
        guard named.by != .header, SessionPropagation.isPassedOn(request) else { return true }
        guard request.sessionTag == 0, hostID(request) == nil else { return false }
        return SessionID(named.name).flatMap(sessions.find) != nil
    }

    private func destination(
        _ named: ArraySlice<UInt8>, _ request: Request, _ field: SessionPropagation? = nil
    ) -> Destination {
        guard let id = SessionID(named), let entry = sessions.find(id) else {
            let name = String(decoding: named, as: UTF8.self)
            // At the address of a session, other sessions are not disclosed.
            let known = request.sessionTag == 0 ? sessions.all : []
            return .noSession(MissingSession(unknown: name, among: known, field: field), request)
        }
        return destination(entry, request, field)
    }

    private func destination(_ id: SessionID, _ request: Request) -> Destination {
        sessions.find(id).map { destination($0, request, nil) } ?? .base
    }

    private func destination(
        _ entry: SessionRegistry.Entry, _ request: Request, _ field: SessionPropagation?
    ) -> Destination {
        switch entry {
        case .alive(let live):
            if !request.onlyLooks { live.touch() }
            return .session(live, request)
        case .ended(let id, let name):
            let name = name.map(sessions.base.redaction.redactedURL)
            return .noSession(MissingSession(kind: .ended(id, name: name), field: field), request)
        }
    }

    /// The id between `/__session/` and the next `/`; nil for any other path.
    private func prefixedID(_ path: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard path.starts(with: pathPrefix) else { return nil }
        let id = path.dropFirst(pathPrefix.count).prefix { $0 != UInt8(ascii: "/") }
        return id.isEmpty ? nil : id
    }

    /// The id in the host name; nil for other names below `localhost`, which belong to the user.
    private func hostID(_ request: Request) -> SessionID? {
        guard !sessions.isEmpty, let host = Authority(of: request)?.host, let id = SessionID(host: host),
            sessions.find(id) != nil
        else { return nil }
        return id
    }
}

extension Request {
    /// Whether it is a `GET` of the admin API: observing a session, as the page and `stuntdouble top` do, does not use
    /// it. Clients that use it by such calls, as the tools for agents do, send a header.
    fileprivate var onlyLooks: Bool {
        hasReservedPath && isAdmin(path) && (method.elementsEqual("GET".utf8) || method.elementsEqual("HEAD".utf8))
            && header(useField) == nil
    }
}

private let useField = Array("x-stuntdouble-use".utf8)
private let pathPrefix = Array("/__session/".utf8)
