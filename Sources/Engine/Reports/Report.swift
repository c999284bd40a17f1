public import SDBasics
public import SDStubModel

/// What a server, or a session of it, saw, with the sessions that were begun through it: values as people may read them,
/// and the verdict. Lists hold the first entries only; their counts have all.
public struct Report: Sendable {
    /// The largest number of entries of a kind that one session has.
    public static let most = 100
    /// The largest number of entries of a kind, those of begun sessions among them.
    public static let mostOfAll = 1_000

    /// The id of the session; nil for the first.
    public var session: String?
    /// The session's name.
    public var name: String?
    /// The folder of the stubs, to be written before the files of stubs.
    public var folder: String?
    /// The time in milliseconds since the beginning of the server, or of the session.
    public var duration = 0

    /// Why there is no verdict, a clause, where nothing could be seen; nil where there is one.
    public var noVerdict: String?
    /// How the command of a run failed; nil for one that did not, and where there is none.
    public var commandFailure: CommandFailure?
    /// Whether it, or that of a session in it, was begun anew by a call, so that something may have come before.
    public var isBegunAnew = false

    // MARK: Requests

    public var served = 0
    /// The number of requests that were sent on because no stub and no file answered.
    public var passedThrough = 0
    /// The number of requests that do not count, as their paths say.
    public var ignored = 0
    /// The number of requests that the journal has dropped, and that no list has as they came.
    public var evicted = 0
    /// Whether there is a journal.
    public var isRecorded = true
    public var unmatchedCount = 0
    /// Requests that nothing answered, each kind of them once, the oldest first.
    public var unmatched: [Unmatched] = []
    public var failedCount = 0
    /// Requests whose stub could not be served, each kind of them once.
    public var failed: [Failed] = []
    public var timings: Timings?
    /// The first kinds of requests, each with what answered it, the oldest first.
    public var asked: [Asked] = []
    /// The number of requests that are in none of these kinds.
    public var askedLeft = 0
    /// Answers that broke off, by kind.
    public var aborted: [Aborted] = []
    public var abortedCount = 0
    /// Answers that had not ended, by kind.
    public var open: [Open] = []
    public var openCount = 0
    /// Whether the command of a run has ended, which nobody is left to read the rest of an answer for.
    public var hasCommandEnded = false
    /// Answers that took longer than the limit, the slowest first.
    public var slow: [Slow] = []
    public var slowCount = 0
    /// The webhooks, by kind.
    public var webhooks: [Webhook] = []
    /// The number of webhooks that failed, or that are still to be sent.
    public var webhookCount = 0
    /// The number of those that are still to be sent, or to be answered.
    public var pendingWebhooks = 0
    /// The sessions that were begun through this one, whose requests count here.
    public var begun = BegunSessions()

    // MARK: Stubs

    /// Stubs that have answered, in the order in which they are tried.
    public var used: [Used] = []
    public var usedCount = 0
    /// Stubs that have answered nothing, without inherited ones.
    public var unused: [StubReference] = []
    public var unusedCount = 0
    public var unmet: [Unmet] = []
    public var unmetCount = 0
    /// The faults that acted, by stub and kind.
    public var faults: [ActedFault] = []
    /// The number of times that faults acted.
    public var faultCount = 0
    /// What could not be loaded of the stub files.
    public var files: [FileProblem] = []
    public var fileProblemCount = 0

    // MARK: Contracts

    /// What was used of the contracts.
    public var contracts: [ContractCoverage] = []
    /// What contracts do not allow, by kind.
    public var contractViolations: [ContractViolation] = []
    /// The number of requests and answers that contracts do not allow.
    public var contractCount = 0

    // MARK: Around

    public var strays: [Stray] = []
    public var strayCount = 0
    public var refusals: [Refusal] = []
    public var refusedCount = 0
    /// The number of those that were requests for sessions that had ended or never were. They count as unmatched.
    public var misdirectedCount = 0

    /// The number of entries that were left out of lists, which would have made the report too long.
    public internal(set) var entriesLeftOut = 0

    /// What fails the verdict where it is met.
    public var failOn = FailOn.usual
    /// The reasons that fail the verdict where they are met.
    public var failing: [FailReason] { failOn.reasons }

    public init() {}

    // MARK: Verdict

    /// How often each reason is met.
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

    /// The reasons for which the verdict is bad.
    public var reasons: [FailReason] { failing.filter { count($0) > 0 } }

    public var hasPassed: Bool { reasons.isEmpty && noVerdict == nil && commandFailure == nil }

    /// `passed` or `failed`.
    public var verdict: String { hasPassed ? "passed" : "failed" }
}
