public import HTTPTransport
public import Matching

/// What a session decided for a request, under its lock and once: which response is sent, and all that was drawn for it.
/// Nothing is rendered yet.
public struct Decision: ~Copyable {
    /// The request with all of its body.
    public let request: Request
    let choice: Choice
    /// Stands in the journal already; waits for what is sent.
    public let event: ServeEvent
    /// The request's parts as far as matchers have decoded them.
    public var views: RequestViews

    /// What the response is made of.
    enum Choice {
        /// The stub, or the one of its responses whose turn it was.
        case stub(CompiledStub)
        /// The body file that a request names which no stub matched.
        indirect case file(StaticFile)
        case nothing
    }

    /// Nanoseconds to wait before the first byte.
    public var delay: UInt64 { event.addedDelay }
}
