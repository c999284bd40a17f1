public import SDStubModel

/// A log with a line for each request. Called on the loop when the response has ended.
public protocol RequestLog: AnyObject, Sendable {
    func served(_ event: ServeEvent)
}

/// A log of problems that a response does not show, or shows only to its client. Called on the loop.
public protocol TroubleLog: AnyObject, Sendable {
    /// A stub matched and could not be served, or the stubs could not be matched: the event's `failure`.
    func failed(_ event: ServeEvent)
    /// A stub that was added or edited can be served only in part.
    func warned(_ message: String, of stub: StubReference)
    /// The stubs as a whole cannot be served as they are written.
    func warned(_ message: String)
    /// Something is valid in a stub or a call and hardly meant. Logs the same message once.
    func advised(_ message: String)
    /// The problem reported earlier about a stub is over.
    func noticed(_ message: String, of stub: StubReference)
}

extension TroubleLog {
    public func advised(_ message: String) { warned(message) }
}
