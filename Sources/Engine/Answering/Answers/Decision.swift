public import SDHTTPTransport
public import SDJournal
public import SDMatching

/// The decision of a session for a request, made once, under its lock: the response to send, and the sampled effects.
/// Nothing is rendered yet.
public struct Decision: ~Copyable {
    /// The request with its whole body.
    public let request: Request
    /// The event, which is already in the journal and gets the response once it is made. Its stub, if any, is the one
    /// that answers: for a stub with several responses, the current one.
    public let event: ServeEvent
    /// The source of the response if no stub answers.
    package let fallback: FallbackAnswer
    /// The request's parts that matchers have decoded.
    public var views: RequestViews
    /// Whether the response is made on a background thread instead of a loop.
    package let isInBackground: Bool

    /// The answer if no stub gives one. Boxed, because for most requests a stub does.
    package indirect enum FallbackAnswer {
        /// The body file that the request names.
        case file(StaticFile)
        case nothing
        /// The stubs could not be matched; with the message.
        case exhausted(String)
        /// The replicas could not decide; with the message.
        case undecided(String)
    }

    /// Makes the decision about a request.
    package init(
        _ request: Request, _ event: ServeEvent, fallback: FallbackAnswer = .nothing, _ views: consuming RequestViews,
        isInBackground: Bool = false
    ) {
        self.request = request
        self.event = event
        self.fallback = fallback
        self.views = views
        self.isInBackground = isInBackground
    }

    /// The delay before the first byte, in nanoseconds.
    public var delay: UInt64 { event.addedDelay }
}
