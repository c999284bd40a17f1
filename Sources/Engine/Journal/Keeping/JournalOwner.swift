package import SDMatching
package import SDPlatform
package import SDStubModel
package import Synchronization

/// An owner of a journal, guarded by the owner's lock. `Session` is the one in production.
package protocol JournalOwner: AnyObject, Sendable {
    var journaling: JournalOptions { get }
    var eventIDs: EventIDs { get }
    var activity: SessionActivity { get }
    var memory: MemoryLedger { get }
    var waiting: WaitingWork { get }

    /// Reads or changes the journal under the lock.
    func withJournal<Result: Sendable>(_ body: (inout Journal) -> Result) -> Result

    /// The number of requests that a pattern's stub has answered; nil unless the pattern belongs to exactly one stub.
    func matches(of pattern: RequestPattern, _ compiled: CompiledPattern) -> Int?
}

/// The limits of storing, showing and searching requests.
package struct JournalOptions: Sendable {
    /// Whether there is a journal; false for `--no-request-journal`.
    package var isKept: Bool
    package var bodyLimit: Int
    /// The largest number of response body bytes that the admin API shows.
    package var responseBodyLimit: Int
    package var redactions: RedactionSetting
    /// The processor time of a call, in nanoseconds.
    package var matchBudget: UInt64

    package init(
        isKept: Bool, bodyLimit: Int, responseBodyLimit: Int, redactions: RedactionSetting, matchBudget: UInt64
    ) {
        self.isKept = isKept
        self.bodyLimit = bodyLimit
        self.responseBodyLimit = responseBodyLimit
        self.redactions = redactions
        self.matchBudget = matchBudget
    }
}

/// The calls of all sessions that wait for requests.
package final class WaitingWork: Sendable {
    /// The thread on which waiting calls match, in turn, one event at a time, and make their answers.
    package let work = WorkQueue(name: "waiting calls")
    /// The number of calls that wait for requests and share their budgets. It only divides a budget, so relaxed
    /// ordering suffices.
    package let count = Atomic(0)

    package init() {}
}

extension JournalOwner {
    /// Whether there is a journal; false for `--no-request-journal`.
    package var keepsJournal: Bool { journaling.isKept }

    /// The largest number of response body bytes that the admin API shows.
    package var loggedResponseBodyLimit: Int { journaling.responseBodyLimit }

    /// The redaction for everything that people read; nil to hide nothing.
    package var redaction: Redaction? { journaling.redactions.current }

    /// A new budget for a call that matches.
    package var newBudget: WorkBudget { WorkBudget(limit: journaling.matchBudget) }

    /// The events of the journal, newest first.
    package var events: [ServeEvent] { withJournal { $0.newestFirst() } }

    // MARK: In flight

    /// The number of requests whose answers have not ended, for any reason.
    package var inFlightCount: Int {
        let matching = activity.matching
        let ended = activity.ended
        return matching + withJournal { $0.underWay(ended: ended) + ($0.outbox?.open.count ?? 0) }
    }

    /// Ends the slow answer of an event; false if it is not in flight.
    package func endInFlight(_ id: StubMapping.ID) -> Bool {
        eventIDs.sequence(id).map { activity.inFlight.end($0) } ?? false
    }

    /// Ends all slow answers, and returns their number.
    package func endInFlight() -> Int { activity.inFlight.endAll(through: withJournal { $0.served }) }

    /// The number of waiting calls, plus one if the event stream has a reader.
    package var listenerCount: Int { activity.listenerCount }

    /// Whether an answer or a webhook is in flight, a call waits, or the event stream has a reader.
    package var isBusy: Bool { listenerCount > 0 || inFlightCount > 0 || activity.following > 0 }

    /// Ends all slow answers, waiting calls and event streams, because the session is no longer served.
    package func stopActivity() { activity.stop() }

    // MARK: Changes

    /// Notifies the listeners of a change. Must not be called under the session's lock.
    package func changed(_ change: SessionChange) {
        activity.changed(change, served: withJournal { $0.served })
    }

    /// Notifies the listeners that files were read again.
    package func reloaded(_ reload: FileReload) { changed(.reload(reload)) }
}

extension BudgetExhaustion {
    /// The refusal of an admin call that supplied its pattern.
    package func refusal(of task: String) -> StubRefusal { .tooCostly(text(of: task, owner: nil)) }
}

extension WorkBudget {
    /// - Throws: a refusal that names the interrupted work, if the budget is spent.
    package func check(_ task: String) throws(StubRefusal) {
        if let exhaustion { throw exhaustion.refusal(of: task) }
    }
}
