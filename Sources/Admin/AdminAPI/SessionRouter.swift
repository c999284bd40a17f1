import SDHTTPMessages
import SDHTTPTransport
import SDMatching
import SDMockEngine
import SDStubModel

/// Finds the session for a request: by the path prefix `/__session/<id>`, the header `X-StuntDouble-Session`, a host
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

    /// A named session that does not exist.
    enum MissingSession {
        case ended(SessionID, name: String?)
        /// The name is not the id of any session.
        case unknown(String)
    }

    func destination(of request: Request) -> Destination {
        if request.hasReservedPath, let named = prefixedID(request.path) {
            return destination(named, request.droppingPathPrefix(pathPrefix.count + named.count))
        }
        if let named = request.header(headerName) { return destination(trimmed(named), request) }
        if let id = hostID(request) { return destination(id, request) }
        return request.listenerTag == 0 ? .base : destination(SessionID(number: request.listenerTag), request)
    }

    private func destination(_ named: ArraySlice<UInt8>, _ request: Request) -> Destination {
        guard let id = SessionID(named), let entry = sessions.find(id) else {
            return .noSession(.unknown(String(decoding: named, as: UTF8.self)), request)
        }
        return destination(entry, request)
    }

    private func destination(_ id: SessionID, _ request: Request) -> Destination {
        sessions.find(id).map { destination($0, request) } ?? .base
    }

    private func destination(_ entry: SessionRegistry.Entry, _ request: Request) -> Destination {
        switch entry {
        case .alive(let live):
            live.touch()
            return .session(live, request)
        case .ended(let id, let name): return .noSession(.ended(id, name: name), request)
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

    private func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        var text = text.drop(while: isSpace)
        while let last = text.last, isSpace(last) { text.removeLast() }
        return text
    }
}

extension SessionRouter.MissingSession {
    /// The answer to a request for it: 410 if it has ended, 404 if it never existed.
    var response: PlainResponse {
        PlainResponse.json(ErrorDocument(code: status, title: title).json, status: status)
    }

    private var status: Int {
        if case .ended = self { 410 } else { 404 }
    }

    private var title: String {
        switch self {
        case .ended(let id, let name?): "The session \(id.text) (\(name)) has ended"
        case .ended(let id, nil): "The session \(id.text) has ended"
        case .unknown(let text): "There is no session `\(text)`"
        }
    }
}

private let pathPrefix = Array("/__session/".utf8)
let sessionHeaderName = "X-StuntDouble-Session"
private let headerName = Array("x-stuntdouble-session".utf8)
