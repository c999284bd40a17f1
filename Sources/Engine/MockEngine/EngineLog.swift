public import SDJournal
public import SDReports

/// A log of problems, requests that nothing answered among them. Called on the loop.
public protocol EngineLog: TroubleLog {
    /// No stub and no file answered a request.
    func missed(_ event: ServeEvent, _ report: any UnmatchedReport)
    /// A fault acted on a connection, on which there is no request yet. Called on the loop.
    /// - Parameters:
    ///   - fault: its key and value, such as `tls: expired`.
    ///   - serverName: the server that the client asks for; nil if it names none.
    ///   - session: the id of the session; nil for the first one.
    func broke(_ fault: String, serverName: String?, session: String?)
    /// Something was refused.
    /// - Parameter session: the id of the session; nil for the first one.
    func refused(_ refusal: Report.Refusal, session: String?)
}

extension EngineLog {
    public func refused(_ refusal: Report.Refusal, session: String?) { warned("refused: \(refusal.text(in: nil))") }
}
