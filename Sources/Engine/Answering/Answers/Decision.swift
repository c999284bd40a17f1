public import SDHTTPTransport
public import SDJournal
public import SDMatching

/// The decision of a session for a request, made once, under its lock: the response to send, and everything that was
/// drawn for it. Nothing is rendered yet.
public struct Decision: ~Copyable {
    /// The request with its whole body.
    public let request: Request
    /// The event, which is in the journal already and receives the response once it is made. Its stub answers, if it
    /// has one: of a stub with several responses, the one whose turn it was.
    public let event: ServeEvent
    /// The source of the response if no stub answers.
    package let otherwise: Otherwise
    /// The request's parts, as far as matchers have decoded them.
    public var views: RequestViews
    /// Whether the response is made on a thread of its own, and not on a loop.
    package let isInBackground: Bool

    /// An answer that no stub gives. Boxed, since for most requests a stub does.
    package indirect enum Otherwise {
        /// The body file that the request names.
        case file(StaticFile)
        case nothing
        /// The stubs could not be matched: the sentence that says why.
        case overdrawn(String)
        /// What the replicas decide together could not be decided: the sentence that says why.
        case undecided(String)
    }

    /// Makes the decision about a request.
    package init(
        _ request: Request, _ event: ServeEvent, otherwise: Otherwise = .nothing, _ views: consuming RequestViews,
        isInBackground: Bool = false
    ) {
        self.request = request
        self.event = event
        self.otherwise = otherwise
        self.views = views
        self.isInBackground = isInBackground
    }

    /// The delay before the first byte, in nanoseconds.
    public var delay: UInt64 { event.addedDelay }
}
