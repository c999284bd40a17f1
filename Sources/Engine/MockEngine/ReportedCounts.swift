import SDJournal
import SDReports
import SDStubModel
import SDStubs

/// What a session had counted when its report was begun anew.
struct ReportedCounts: Sendable {
    /// In nanoseconds since 1970; nil for the session's beginning.
    private(set) var time: UInt64?
    private(set) var served: UInt64 = 0
    private(set) var unmatched: UInt64 = 0
    var failed: UInt64 = 0
    var passedThrough: UInt64 = 0
    /// How often faults of connections and ports had acted.
    var acts: [StubMapping.ID: Int] = [:]

    init() {}

    init(_ state: Session.State, at time: UInt64) {
        self.time = time
        served = state.served
        unmatched = state.unmatched
        failed = state.failed
        passedThrough = state.passedThrough
        for fault in state.faults where fault.fault.earlyName != nil {
            acts[fault.id] = state.faultLedger.acted(fault.program)
        }
    }
}

extension SessionFault {
    /// The key of one that acts before there is a request; nil for any other.
    fileprivate var earlyName: String? { connection?.key ?? port?.key }
}

extension Session.State {
    /// How often some faults of connections and ports have acted, which no request tells of.
    private func acts(of faults: [ActiveFault]) -> [Report.ActedFault] {
        faults.compactMap { fault in
            let count = faultLedger.acted(fault.program) - (reported.acts[fault.id] ?? 0)
            guard let name = fault.fault.earlyName, count > 0 else { return nil }
            return Report.ActedFault(
                fault: name, outcome: fault.fault.port?.outcome, source: fault.fault.name ?? fault.id.lowercasedString,
                stub: nil,
                count: count)
        }
    }

    /// Keeps for reports what faults did that go.
    mutating func noteActs(of faults: [ActiveFault]) {
        for acted in acts(of: faults) { journal.tally.faults.add(acted) }
        for fault in faults { reported.acts[fault.id] = nil }
    }

    /// What reports tell of the session now.
    var seen: SeenCounts {
        func since(_ count: UInt64, _ reported: UInt64) -> Int { Int(clamping: count - min(reported, count)) }
        var tally = journal.tally
        for acted in acts(of: faults) { tally.faults.add(acted) }
        return SeenCounts(
            events: journal.events(after: reported.served), tally: tally, ownStubs: stubs.ownIDs,
            served: since(served, reported.served), unmatched: since(unmatched, reported.unmatched),
            failed: since(failed, reported.failed), passedThrough: since(passedThrough, reported.passedThrough),
            evicted: min(journal.evictedCount, since(journal.lastEvictedArrival, reported.served)),
            began: reported.time,
            servedBefore: reported.served)
    }
}

/// What reports tell of a session, at one moment.
struct SeenCounts: Sendable {
    /// Those of the journal, the oldest first.
    let events: [ServeEvent]
    /// What the journal has dropped, and faults of connections.
    let tally: EventTally
    let ownStubs: Set<StubMapping.ID>
    let served: Int
    let unmatched: Int
    let failed: Int
    let passedThrough: Int
    let evicted: Int
    let began: UInt64?
    /// The arrival of the last event that does not count.
    let servedBefore: UInt64
}
