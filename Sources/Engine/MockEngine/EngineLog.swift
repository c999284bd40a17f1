public import SDJournal
public import SDReports

/// A log of problems and unmatched requests. Called on the loop.
public protocol EngineLog: ProblemLog {
    /// Neither a stub nor a file answered a request.
    func missed(_ event: ServeEvent, _ report: any UnmatchedReport)
    /// A fault acted on a connection before its first request.
    /// - Parameters:
    ///   - fault: its key and value, such as `tls: expired`.
    ///   - serverName: the server name of the client hello (SNI); nil if the client sent none.
    ///   - session: the session's id; nil for the default session.
    func broke(_ fault: String, serverName: String?, session: String?)
    /// A connection, request or call was refused.
    /// - Parameter session: the session's id; nil for the default session.
    func refused(_ refusal: Report.Refusal, session: String?)
}

extension EngineLog {
    public func refused(_ refusal: Report.Refusal, session: String?) { warned("refused: \(refusal.text(in: nil))") }
}
