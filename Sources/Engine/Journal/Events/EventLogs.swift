public import SDHTTPTransport
public import SDStubModel

/// A log with a line for each request. Called on the loop when the response has ended.
public protocol RequestLog: AnyObject, Sendable {
    func served(_ event: ServeEvent)
    /// A WebSocket has ended that no HTTP stub answered, so that it has no event.
    /// - Parameters:
    ///   - ending: how it ended, in a few words.
    ///   - session: the session's label; nil for the default session.
    func ended(_ opening: Request, bytesSent: UInt64, ending: String, session: String?)
}

extension RequestLog {
    public func ended(_ opening: Request, bytesSent: UInt64, ending: String, session: String?) {}
}

/// A log of problems that a response does not show, or shows only to its client. Called on the loop.
public protocol ProblemLog: AnyObject, Sendable {
    /// A stub matched but could not be served, or the stubs could not be matched: the event's `failure`.
    func failed(_ event: ServeEvent)
    /// A stub that was added or edited can be served only in part.
    func warned(_ message: String, of stub: StubReference)
    /// The stubs as a whole cannot be served as written.
    func warned(_ message: String)
    /// A stub or call is valid but probably not intended. The same message is logged once.
    func advised(_ message: String)
    /// A problem that was reported about a stub is over.
    func noticed(_ message: String, of stub: StubReference)
}

extension ProblemLog {
    public func advised(_ message: String) { warned(message) }
}
