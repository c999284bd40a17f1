public import SDHTTPTransport
import SDJournal
import SDReports

/// Requests for ended or unknown sessions, which are in no session's journal.
extension SessionRegistry {
    /// Records such a request for the report of the ended session's nearest open parent, or else of the session at
    /// whose port it arrived.
    /// - Parameters:
    ///   - id: the id of the ended session; nil for a name that never was an id.
    ///   - name: the id, or the word in its place, as the request has it.
    ///   - label: the name of the ended session.
    ///   - way: how the request names the session, such as "its path".
    public func noteMisdirected(
        _ request: Request, to id: SessionID?, named name: String, label: String?, by way: String
    ) {
        let session = id.map(heir) ?? session(atPortOf: request)
        let method = String(decoding: request.method, as: UTF8.self)
        let url = session.redaction.place(of: request)
        let what = id == nil ? "there never was one" : "it has ended" + (label.map { " (\($0))" } ?? "")
        session.noteRefusal(
            .session, id?.text ?? name, "\(what); \(method) \(url) names it by \(way)", path: Array(request.path),
            logging: .once)
    }

    private func session(atPortOf request: Request) -> Session {
        guard request.sessionTag != 0, case .alive(let live)? = find(SessionID(number: request.sessionTag)) else {
            return base
        }
        return live.session
    }
}
