public import SDAnswering
public import SDChannels
package import SDHTTPTransport
public import SDJournal
import SDPlatform
public import SDRecords
package import SDReports
public import SDRequestTemplates
public import SDStubModel
package import SDUpstream
package import SDWebSocket

/// The options of a session.
public struct SessionOptions: Sendable {
    /// Whether to keep serve events; false for `--no-request-journal`.
    public var keepsJournal = true
    /// The largest number of events in the journal: `--max-request-journal-entries`.
    public var journalEvents = 10_000
    /// The largest number of open sessions, without the default one.
    public var maxSessions = 10_000
    /// The largest size of the journal in bytes: requests with their bodies, and the body files that were sent.
    public var journalBytes = 64 * 1024 * 1024
    /// The largest number of bytes kept of a request's body, and of a response's body that the stub does not contain.
    public var journalBodyLimit = 1024 * 1024
    /// The redaction in the log, HAR and curl; nil hides nothing.
    public var redaction: Redaction? {
        get { redactions.current }
        set { redactions = RedactionSetting(newValue) }
    }
    /// The names of secrets that options and stub files add, for all sessions.
    public var redactions = RedactionSetting()
    /// The largest size in bytes of a response body in the journal's output: `--logged-response-body-size-limit`.
    public var loggedResponseBodyLimit = Int.max
    public var response = ResponseOptions()
    /// The limits of WebSockets.
    public var channels = ChannelOptions()
    /// The limits of the session's state.
    public var stateLimits = StateLimits()
    /// The properties of the machine that templates can read.
    public var templates = TemplateOptions()
    /// The processor time that the matchers of one request or admin call may take, in nanoseconds: `--match-budget`.
    public var matchBudget = WorkBudget.standardLimit
    /// Whether to answer preflights and to allow any origin on stub responses: `--enable-stub-cors`.
    public var stubCORS = false
    /// The session's id in the log; nil for the default session.
    public var label: String?
    /// The session's name in reports; nil for none.
    var name: String?
    /// How other servers are called.
    package var upstream = UpstreamSettings()
    /// The server that gets unmatched requests, unless the settings name one: `--pass-through`.
    public var passThrough: ProxyDefinition?
    /// Whether the server is a forward proxy: unmatched requests with an absolute target, or through tunnels, go on to
    /// their target servers.
    public var isForwardProxy = false
    /// The seed of random values; the same seed gives the same delays.
    public var seed: UInt64 = 0
    /// The factor of all delays, unless the settings state one: `--time-scale`.
    public var timeScale = 1.0
    /// A monotonic clock in milliseconds, for expiry.
    public var clock: @Sendable () -> Int64 = SystemCalls.monotonicMilliseconds
    /// Whether to warn if another server's page has the origin of an admin API that asks for no credentials.
    public var warnsOfPages = false
    /// Makes the reports on unmatched requests.
    public var unmatchedReporter: UnmatchedReporter = { _, _, _ in BareReport() }
    /// Finds the message stub nearest to an unmatched message.
    package var messageReporter: @Sendable (WebSocketMessage, Request, Session) -> Report.NearestMessageStub? = {
        _, _, _ in nil
    }
    /// This process's number among the replicas of one mock server; nil for none.
    public var replica: Replica?
    /// What the session shares with other replicas; nil for a single server.
    package var replication: Replication?
    /// The number of loops that serve the session.
    public var workers = 1

    public init() {}
}
