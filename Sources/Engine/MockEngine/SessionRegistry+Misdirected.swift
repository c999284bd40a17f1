public import SDHTTPTransport
import SDJournal
import SDReports

/// Requests for sessions that have ended or never were, which no session's journal has.
extension SessionRegistry {
    /// Notes one: for the report of the session through which the one that has ended was begun, or else of the one at whose
    /// port it came.
    /// - Parameters:
    ///   - id: that of the session that has ended; nil for a name that never was one.
    ///   - name: the id as the request has it, or the word in its place.
    ///   - label: the name of the session that has ended.
    ///   - way: by what the request names it, such as "its path".
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
