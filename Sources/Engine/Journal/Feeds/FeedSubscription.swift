/// What a reader of events asks for.
public struct FeedSubscription: Sendable {
    public var types: Set<FeedEvent.Kind>
    public var form: FeedForm
    /// Limits the rate of events; nil for no limit.
    public var pace: FeedPace?

    public init(types: Set<FeedEvent.Kind>, form: FeedForm = FeedForm(), pace: FeedPace? = nil) {
        self.types = types
        self.form = form
        self.pace = pace
    }
}

/// How a reader's events are written.
public struct FeedForm: Sendable, Hashable {
    /// Whether requests are sent as rows of a list instead of whole.
    public var isBrief: Bool
    /// Whether the stream has the events of several sessions, and each event names its session.
    public var isMerged: Bool

    public init(isBrief: Bool = false, isMerged: Bool = false) {
        self.isBrief = isBrief
        self.isMerged = isMerged
    }
}
