public import HTTPTransport
public import Matching

/// The decision of a session for a request, made once, under its lock: the response to send, and everything that was
/// drawn for it. Nothing is rendered yet.
public struct Decision: ~Copyable {
    /// The request with its whole body.
    public let request: Request
    let choice: Choice
    /// The event, which is in the journal already and receives the response once it is made.
    public let event: ServeEvent
    /// The request's parts, as far as matchers have decoded them.
    public var views: RequestViews

    /// The source of the response.
    enum Choice {
        /// The stub that answers; of a stub with several responses, the one whose turn it was.
        case stub(CompiledStub)
        /// The body file named by a request that no stub matched.
        indirect case file(StaticFile)
        case nothing
        /// The stubs could not be matched: the sentence that says why.
        case overdrawn(String)
    }

    /// The delay before the first byte, in nanoseconds.
    public var delay: UInt64 { event.addedDelay }
}
