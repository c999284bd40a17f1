public import SDAnswering
public import SDJournal
import SDPlatform
public import SDRecords
public import SDRequestTemplates
public import SDStubModel
package import SDUpstream

/// The options of a session.
public struct SessionOptions: Sendable {
    /// Whether to keep serve events; false for `--no-request-journal`.
    public var keepsJournal = true
    /// The largest number of events in the journal: `--max-request-journal-entries`.
    public var journalEvents = 10_000
    /// The most sessions at a time, the first not counted.
    public var maxSessions = 10_000
    /// The largest size of the journal in bytes: requests with their bodies, and the body files that were sent.
    public var journalBytes = 64 * 1024 * 1024
    /// The largest number of bytes kept of a request's body, and of a response's body that the stub does not contain.
    public var journalBodyLimit = 1024 * 1024
    /// The values hidden in the log, HAR and curl; nil hides none.
    public var redaction: Redaction? {
        get { redactions.current }
        set { redactions = RedactionSetting(newValue) }
    }
    /// The same, with the names that stub files add, for all sessions.
    public var redactions = RedactionSetting()
    /// The largest size of a response body that is shown, in bytes: `--logged-response-body-size-limit`.
    public var loggedResponseBodyLimit = Int.max
    public var response = ResponseOptions()
    /// The most that its state may hold.
    public var stateLimits = StateLimits()
    /// The part of the machine that templates see.
    public var templates = TemplateOptions()
    /// The processor time that the matchers of one request or admin call may take, in nanoseconds: `--match-budget`.
    public var matchBudget = WorkBudget.standardLimit
    /// Whether to answer preflights and to allow any origin on stub responses: `--enable-stub-cors`.
    public var stubCORS = false
    /// The session's name in the log; nil for the first.
    public var label: String?
    /// The name that it was given, as reports show it; nil for none.
    var name: String?
    /// How other servers are called.
    package var upstream = UpstreamSettings()
    /// Where requests go that nothing answers, unless the settings say otherwise: `--pass-through`.
    public var passThrough: ProxyDefinition?
    /// Whether it is a proxy for its clients: requests with an absolute target, and through tunnels, go on to the servers
    /// that they are for if nothing answers them.
    public var isForwardProxy = false
    /// The seed of delays; the same seed gives the same delays.
    public var seed: UInt64 = 0
    /// The part of each wait that is waited, unless the settings say otherwise: `--time-scale`.
    public var timeScale = 1.0
    /// A clock in milliseconds that never goes back, for times to live.
    public var clock: @Sendable () -> Int64 = SystemCalls.monotonicMilliseconds
    /// Whether a page that another server made is warned of: it has the origin of an admin API that asks for no credentials.
    public var warnsOfPages = false
    /// Makes the reports on requests that nothing answers.
    public var unmatchedReporter: UnmatchedReporter = { _, _, _ in BareReport() }
    /// Which of several replicas of one mock server this process is; nil for none.
    public var replica: Replica?
    /// What it shares with other replicas; nil for a server of its own.
    package var replication: Replication?
    /// The number of loops that serve the session.
    public var workers = 1

    public init() {}
}
