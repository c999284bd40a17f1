import HTTPTransport
import Matching
import MockEngine
import StubModel

/// Finds the session that a request is meant for: by the path's beginning `/__session/<id>`, the header
/// `X-StuntDouble-Session`, a host `<id>.localhost`, or the port it came to. Where several name one, the first of these
/// counts; where none does, it is the first session.
struct SessionRouter: Sendable {
    let sessions: SessionRegistry

    enum Destination {
        case base
        /// The request as the session is to see it.
        case session(LiveSession, Request)
        /// Why there is no session to answer.
        case nowhere(Dead)
    }

    /// A session that was named and does not live.
    enum Dead {
        case ended(SessionID, name: String?)
        /// What was named is no session's id.
        case unknown(String)
    }

    func destination(of request: Request) -> Destination {
        let path = request.path
        // One comparison keeps ordinary paths out.
        if path.count > 2, path[path.startIndex + 1] == UInt8(ascii: "_"), let named = prefixedID(path) {
            return destination(named, request.droppingPathPrefix(pathPrefix.count + named.count))
        }
        if let named = request.header(headerName) { return destination(trimmed(named), request) }
        if let id = hostID(request) { return destination(id, request) }
        return request.listenerTag == 0 ? .base : destination(SessionID(number: request.listenerTag), request)
    }

    private func destination(_ named: ArraySlice<UInt8>, _ request: Request) -> Destination {
        guard let id = SessionID(named), let entry = sessions.find(id) else {
            return .nowhere(.unknown(String(decoding: named, as: UTF8.self)))
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
        case .ended(let id, let name): return .nowhere(.ended(id, name: name))
        }
    }

    /// What stands between `/__session/` and the next `/`; nil where the path begins otherwise.
    private func prefixedID(_ path: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard path.starts(with: pathPrefix) else { return nil }
        let id = path.dropFirst(pathPrefix.count).prefix { $0 != UInt8(ascii: "/") }
        return id.isEmpty ? nil : id
    }

    /// Other names below `localhost` are the user's own.
    private func hostID(_ request: Request) -> SessionID? {
        guard !sessions.isEmpty, let host = Authority(of: request)?.host else { return nil }
        guard host.count > localhost.count,
            host.suffix(localhost.count).elementsEqual(localhost, by: { $0 | 0x20 == $1 | 0x20 }),
            let id = SessionID(host.dropLast(localhost.count)), sessions.find(id) != nil
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

extension SessionRouter.Dead {
    /// The answer to whoever asks for it: 410 where it has ended, 404 where there never was such a session.
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
private let localhost = Array(".localhost".utf8)
