public import SDBasics
public import SDStubModel

/// The report of a server, or of a session, including its child sessions: redacted values and the verdict. Lists hold
/// only the first entries; counts include all.
public struct Report: Sendable {
    /// The largest number of entries of a kind in one session.
    public static let most = 100
    /// The largest number of entries of a kind, including those of child sessions.
    public static let maxOfAll = 1_000

    /// The id of the session; nil for the default session.
    public var session: String?
    /// The session's name.
    public var name: String?
    /// The folder of the stub files, as a prefix of their paths.
    public var folder: String?
    /// The age of the server or of the session in milliseconds.
    public var duration = 0

    /// Why there is no verdict, as a clause, if nothing could be observed; nil if there is one.
    public var noVerdict: String?
    /// How the command of a run failed; nil for success, and without a command.
    public var commandFailure: CommandFailure?
    /// Whether this report, or that of a child session, was reset by a call, so that earlier requests are missing.
    public var wasReset = false

    // MARK: Requests

    public var served = 0
    /// The number of requests that were proxied because neither a stub nor a file answered.
    public var passedThrough = 0
    /// The number of requests excluded by their paths.
    public var ignored = 0
    /// The number of requests dropped from the journal, which no list shows in full.
    public var evicted = 0
    /// Whether there is a journal.
    public var isRecorded = true
    public var unmatchedCount = 0
    /// Unmatched requests, one entry for each kind, oldest first.
    public var unmatched: [Unmatched] = []
    public var failedCount = 0
    /// Requests whose stub could not be served, one entry for each kind.
    public var failed: [Failed] = []
    public var timings: Timings?
    /// The first kinds of requests, each with its answer, oldest first.
    public var asked: [Asked] = []
    /// The number of requests of other kinds.
    public var askedLeft = 0
    /// Answers that broke off, by kind.
    public var aborted: [Aborted] = []
    public var abortedCount = 0
    /// Answers that have not ended, by kind.
    public var open: [Open] = []
    public var openCount = 0
    /// Whether the command of a run has ended, so that the rest of an answer has no reader.
    public var hasCommandEnded = false
    /// Answers that took longer than the limit, slowest first.
    public var slow: [Slow] = []
    public var slowCount = 0
    /// The webhooks, by kind.
    public var webhooks: [Webhook] = []
    /// The number of webhooks that failed or are pending.
    public var webhookCount = 0
    /// The number of webhooks that are still to be sent or answered.
    public var pendingWebhooks = 0
    /// The child sessions, whose requests count here.
    public var childSessions = ChildSessions()

    // MARK: Stubs

    /// Stubs that have answered, in order of precedence.
    public var used: [Used] = []
    public var usedCount = 0
    /// Stubs that have not answered, without inherited ones.
    public var unused: [StubReference] = []
    public var unusedCount = 0
    public var unmet: [Unmet] = []
    public var unmetCount = 0
    /// The faults that acted, by stub and kind.
    public var faults: [ActedFault] = []
    /// How often faults acted.
    public var faultCount = 0
    /// The stub files that could not be loaded.
    public var files: [FileProblem] = []
    public var fileProblemCount = 0

    // MARK: Contracts

    /// How requests used the contracts.
    public var contracts: [ContractCoverage] = []
    /// Violations of contracts, by kind.
    public var contractViolations: [ContractViolation] = []
    /// The number of requests and answers that violated a contract.
    public var contractCount = 0

    // MARK: Around

    public var strays: [Stray] = []
    public var strayCount = 0
    public var refusals: [Refusal] = []
    public var refusedCount = 0
    /// The number of refusals that were requests for ended or unknown sessions, or messages that no stub answered. They
    /// count as unmatched.
    public var misdirectedCount = 0

    /// The number of entries left out of lists because the report would have been too long.
    public internal(set) var entriesLeftOut = 0

    /// The reasons that fail the verdict, with their options.
    public var failOn = FailOn.usual
    /// The reasons that fail the verdict if they apply.
    public var failing: [FailReason] { failOn.reasons }

    public init() {}

    // MARK: Verdict

    /// How often a reason to fail applies.
    public func count(_ reason: FailReason) -> Int {
        switch reason {
        case .unmatched: unmatchedCount + misdirectedCount
        case .unused: unusedCount
        case .unmet: unmetCount
        case .fault: faultCount
        case .error: failedCount + fileProblemCount
        case .webhook: webhookCount
        case .aborted: abortedCount
        case .slow: slowCount
        case .contract: contractCount
        }
    }

    /// The reasons that fail the verdict.
    public var reasons: [FailReason] { failing.filter { count($0) > 0 } }

    public var hasPassed: Bool { reasons.isEmpty && noVerdict == nil && commandFailure == nil }

    /// `passed` or `failed`.
    public var verdict: String { hasPassed ? "passed" : "failed" }
}
