package import SDMatching
package import SDPlatform
package import SDStubModel
package import Synchronization

/// Who has a journal under its lock, as a session does: what reading, verifying and following it needs.
package protocol JournalKeeper: AnyObject, Sendable {
    var journaling: JournalOptions { get }
    var eventIDs: EventIDs { get }
    var activity: SessionActivity { get }
    var memory: MemoryLedger { get }
    var waiting: WaitingWork { get }

    /// Reads or changes the journal under the lock.
    func withJournal<Result: Sendable>(_ body: (inout Journal) -> Result) -> Result

    /// The number of requests that a pattern's stub has answered; nil if the pattern does not belong to exactly one
    /// stub.
    func matches(of pattern: RequestPattern, _ compiled: CompiledPattern) -> Int?
}

/// What is kept of requests, what is shown of it, and what looking through it may take.
package struct JournalOptions: Sendable {
    /// Whether there is a journal; false for `--no-request-journal`.
    package var isKept: Bool
    package var bodyLimit: Int
    /// The number of bytes of a response's body that the admin API shows.
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
    /// The thread that matches for calls that wait, one event for one of them after another, and makes their answers.
    package let work = WorkQueue(name: "waiting calls")
    /// The number of calls that wait for requests, which share the budgets of that. It is only read to divide a budget, so
    /// that a moment's delay changes nothing that has to agree with it.
    package let count = Atomic(0)

    package init() {}
}

extension JournalKeeper {
    /// Whether there is a journal; false for `--no-request-journal`.
    package var keepsJournal: Bool { journaling.isKept }

    /// The number of bytes of a response's body that the admin API shows.
    package var loggedResponseBodyLimit: Int { journaling.responseBodyLimit }

    /// The values to hide where people read requests; nil for none.
    package var redaction: Redaction? { journaling.redactions.current }

    /// What a call may take that matches.
    package var newBudget: WorkBudget { WorkBudget(limit: journaling.matchBudget) }

    /// The events of the journal, the newest first.
    package var events: [ServeEvent] { withJournal { $0.newestFirst() } }

    // MARK: In flight

    /// The number of requests whose answers have not ended, whatever they wait for.
    package var inFlightCount: Int {
        let matching = activity.matching
        let ended = activity.ended
        return matching + withJournal { $0.underWay(ended: ended) }
    }

    /// Ends the slow answer of an event's id; false if none is in flight.
    package func endInFlight(_ id: StubMapping.ID) -> Bool {
        eventIDs.sequence(id).map { activity.inFlight.end($0) } ?? false
    }

    /// Ends all slow answers, and returns how many there were.
    package func endInFlight() -> Int { activity.inFlight.endAll(through: withJournal { $0.served }) }

    /// The number of waiting calls, plus one if anybody reads the event stream.
    package var listenerCount: Int { activity.listenerCount }

    /// Whether an answer or a webhook is in flight, a call waits, or anybody reads the event stream.
    package var isBusy: Bool { listenerCount > 0 || inFlightCount > 0 || activity.following > 0 }

    /// Ends all slow answers, waiting calls and event streams, since the session is no longer served.
    package func stopActivity() { activity.stop() }

    // MARK: Changes

    /// Tells the listeners about a change. Must not be called under the session's lock.
    package func changed(_ change: SessionChange) {
        activity.changed(change, served: withJournal { $0.served })
    }

    /// Tells the listeners that files were read again.
    package func reloaded(_ reload: FileReload) { changed(.reload(reload)) }
}

extension Overdraft {
    /// The refusal of an admin call that brought its pattern.
    package func refusal(of task: String) -> StubRefusal { .tooCostly(text(of: task, owner: nil)) }
}

extension WorkBudget {
    /// - Throws: if the budget is spent: what was given up.
    package func check(_ task: String) throws(StubRefusal) {
        if let overdraft { throw overdraft.refusal(of: task) }
    }
}
