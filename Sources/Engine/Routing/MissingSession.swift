import SDHTTPTransport
public import SDMockEngine
package import SDOutgoingCalls

/// A named session that does not exist.
public struct MissingSession: Sendable {
    public enum Kind: Sendable {
        case ended(SessionID, name: String?)
        /// The name is not the id of any session; `id` is that of a session with this name.
        case unknown(String, id: SessionID?)
    }

    let kind: Kind
    /// The field that names it; nil for the path, the host or the port.
    var field: SessionPropagation?

    package init(kind: Kind, field: SessionPropagation? = nil) {
        self.kind = kind
        self.field = field
    }

    /// An unknown session, by the text in place of its id.
    package init(unknown name: String, among sessions: [LiveSession], field: SessionPropagation? = nil) {
        self.init(kind: .unknown(name, id: sessions.last { $0.name == name }?.id), field: field)
    }

    /// Records for reports that a request named it.
    func note(_ request: Request, in sessions: SessionRegistry) {
        let way =
            switch field {
            case .baggage: "its header baggage"
            case .cookie: "its cookie \(SessionPropagation.key)"
            case .header: "its header \(SessionPropagation.headerName)"
            case nil: "its address"
            }
        switch kind {
        case .ended(let id, let name):
            sessions.noteMisdirected(request, to: id, named: id.text, label: name, by: way)
        case .unknown(let name, _): sessions.noteMisdirected(request, to: nil, named: name, label: nil, by: way)
        }
    }

    /// 410 if it has ended, 404 if it never existed.
    public var status: Int {
        if case .ended = kind { 410 } else { 404 }
    }

    public var title: String {
        switch kind {
        case .ended(let id, let name?): "The session \(id.text) (\(name)) has ended"
        case .ended(let id, nil): "The session \(id.text) has ended"
        case .unknown(let text, nil): "There is no session `\(text)`"
        case .unknown(let text, let id?):
            "There is no session with the id `\(text)`: the one of that name has the id \(id.text)"
        }
    }

    /// The field that names the session, which a browser or an application has propagated.
    public var detail: String? {
        switch field {
        case .baggage: "It is named by `\(SessionPropagation.key)` in the request's header `baggage`"
        case .cookie: "It is named by the request's cookie `\(SessionPropagation.key)`: remove that from the browser"
        case .header, nil: nil
        }
    }
}
